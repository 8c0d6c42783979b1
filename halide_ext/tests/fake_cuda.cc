#include "halide_ext/tests/fake_cuda.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace {

pruner::FakeCudaLog fake_log;
int context_depth = 0;

// CUDA_ERROR_INVALID_CONTEXT: the caller forgot to push one.
constexpr int kNoContext = 201;
int WithContext() { return context_depth > 0 ? 0 : kNoContext; }

struct Event {
  int launches;
};

}  // namespace

// As in the CUDA driver's C interface, whose handles are pointers.
extern "C" {

pruner::FakeCudaLog* fake_cuda_log() { return &fake_log; }

int cuInit(unsigned int) { return 0; }
int cuDeviceGetCount(int* count) { return *count = 1, 0; }
int cuDeviceGet(int* device, int) { return *device = 0, 0; }
int cuDeviceGetAttribute(int* value, int, int) { return *value = 8, 0; }
int cuDeviceGetName(char* name, int size, int) {
  std::strncpy(name, "fake", size);
  return 0;
}
int cuDeviceTotalMem_v2(size_t* bytes, int) {
  return *bytes = size_t{1} << 30, 0;
}
int cuDevicePrimaryCtxRetain(void** context, int) {
  return *context = &fake_log, 0;
}
int cuCtxCreate_v2(void** context, unsigned int, int) {
  ++fake_log.own_contexts;
  ++context_depth;
  return *context = &fake_log, 0;
}
int cuCtxDestroy_v2(void*) { return 0; }
int cuCtxGetApiVersion(void*, unsigned int* version) {
  return *version = 12000, 0;
}
int cuCtxGetDevice(int* device) { return *device = 0, 0; }
int cuCtxPushCurrent_v2(void*) { return ++context_depth, 0; }
int cuCtxPopCurrent_v2(void**) { return --context_depth, 0; }
int cuCtxSynchronize() { return WithContext(); }
int cuStreamSynchronize(void*) { return WithContext(); }
int cuProfilerStop() { return 0; }
int cuPointerGetAttribute(void*, int, uint64_t) { return 0; }

int cuModuleLoadDataEx(void** module, const void*, unsigned int count,
                       int* options, void** values) {
  constexpr int kMaxRegisters = 0;
  ++fake_log.modules;
  if (count == 1 && options[0] == kMaxRegisters) {
    fake_log.max_registers =
        static_cast<int>(reinterpret_cast<uintptr_t>(values[0]));
  }
  *module = &fake_log;
  return WithContext();
}
int cuModuleLoadData(void** module, const void* image) {
  return cuModuleLoadDataEx(module, image, 0, nullptr, nullptr);
}
int cuModuleUnload(void*) { return 0; }
int cuModuleGetFunction(void** function, void*, const char*) {
  return *function = &fake_log, 0;
}

int cuMemAlloc_v2(uint64_t* pointer, size_t bytes) {
  if (fake_log.allocation_error != 0) return fake_log.allocation_error;
  *pointer = reinterpret_cast<uintptr_t>(std::malloc(bytes));
  return WithContext();
}
int cuMemFree_v2(uint64_t pointer) {
  std::free(reinterpret_cast<void*>(static_cast<uintptr_t>(pointer)));
  return 0;
}
int cuMemcpyHtoD_v2(uint64_t to, const void* from, size_t bytes) {
  ++fake_log.copies_to_device;
  std::memcpy(reinterpret_cast<void*>(static_cast<uintptr_t>(to)), from, bytes);
  return WithContext();
}
int cuMemcpyDtoH_v2(void* to, uint64_t from, size_t bytes) {
  ++fake_log.copies_to_host;
  std::memcpy(to, reinterpret_cast<void*>(static_cast<uintptr_t>(from)), bytes);
  return WithContext();
}
int cuMemcpyDtoD_v2(uint64_t, uint64_t, size_t) { return 0; }
int cuMemcpyHtoDAsync_v2(uint64_t to, const void* from, size_t bytes, void*) {
  return cuMemcpyHtoD_v2(to, from, bytes);
}
int cuMemcpyDtoHAsync_v2(void* to, uint64_t from, size_t bytes, void*) {
  return cuMemcpyDtoH_v2(to, from, bytes);
}
int cuMemcpyDtoDAsync_v2(uint64_t, uint64_t, size_t, void*) { return 0; }
int cuMemcpy3D_v2(const void*) { return 0; }

int cuLaunchKernel(void*, unsigned int, unsigned int, unsigned int,
                   unsigned int x, unsigned int y, unsigned int z, unsigned int,
                   void*, void**, void**) {
  if (fake_log.launch_error != 0)
    return std::exchange(fake_log.launch_error, 0);
  ++fake_log.launches;
  fake_log.threads = static_cast<int>(x * y * z);
  return WithContext();
}

int cuEventCreate(void** event, unsigned int) {
  *event = new Event();
  return WithContext();
}
int cuEventDestroy_v2(void* event) {
  delete static_cast<Event*>(event);
  return 0;
}
int cuEventRecord(void* event, void*) {
  static_cast<Event*>(event)->launches = fake_log.launches;
  return WithContext();
}
int cuEventSynchronize(void*) { return WithContext(); }
int cuEventElapsedTime(float* milliseconds, void* start, void* stop) {
  *milliseconds = static_cast<float>(static_cast<Event*>(stop)->launches -
                                     static_cast<Event*>(start)->launches);
  return 0;
}

}  // extern "C"
