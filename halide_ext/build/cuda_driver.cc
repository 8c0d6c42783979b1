#include "halide_ext/build/cuda_driver.h"

#include <dlfcn.h>

#include <memory>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

absl::Status FromResult(int result, absl::string_view function) {
  if (result == 0) return absl::OkStatus();
  return absl::InternalError(
      absl::StrCat("the CUDA driver's ", function, " returns ", result));
}

// Looks up functions of a library and remembers what was missing.
class Lookup {
 public:
  explicit Lookup(void* library) : library_(library) {}

  template <typename Function>
  void Find(const char* name, Function*& function) {
    function = reinterpret_cast<Function*>(dlsym(library_, name));
    if (function == nullptr) missing_ = name;
  }

  const char* missing() const { return missing_; }

 private:
  void* library_;
  const char* missing_ = nullptr;
};

}  // namespace

absl::StatusOr<CudaDriver> CudaDriver::Load(const std::string& library) {
  // Never closed: drivers start threads that outlive a dlclose(). Global,
  // because Halide's run time takes the functions it finds in the process, and
  // knows the library by another name only, which drivers need not come with.
  void* const handle = dlopen(library.c_str(), RTLD_LAZY | RTLD_GLOBAL);
  if (handle == nullptr) {
    return absl::UnavailableError(
        absl::StrCat("the driver library ", library, " cannot be loaded"));
  }
  CudaDriver driver;
  Functions& f = driver.functions_;
  Lookup lookup(handle);
  lookup.Find("cuInit", f.init);
  lookup.Find("cuDeviceGet", f.device_get);
  lookup.Find("cuDevicePrimaryCtxRetain", f.primary_context_retain);
  lookup.Find("cuCtxPushCurrent_v2", f.context_push);
  lookup.Find("cuCtxPopCurrent_v2", f.context_pop);
  lookup.Find("cuEventCreate", f.event_create);
  lookup.Find("cuEventDestroy_v2", f.event_destroy);
  lookup.Find("cuEventRecord", f.event_record);
  lookup.Find("cuEventSynchronize", f.event_synchronize);
  lookup.Find("cuEventElapsedTime", f.event_elapsed_time);
  if (lookup.missing() != nullptr) {
    return absl::UnavailableError(absl::StrCat(
        "the driver library ", library, " has no function ", lookup.missing()));
  }
  RETURN_IF_ERROR(FromResult(f.init(0), "cuInit"));
  int device = 0;
  RETURN_IF_ERROR(FromResult(f.device_get(&device, 0), "cuDeviceGet"));
  RETURN_IF_ERROR(FromResult(f.primary_context_retain(&driver.context_, device),
                             "cuDevicePrimaryCtxRetain"));
  return driver;
}

const absl::StatusOr<CudaDriver>& CudaDriver::Get() {
  static const auto& driver =
      *new absl::StatusOr<CudaDriver>(Load("libcuda.so.1"));
  return driver;
}

absl::StatusOr<double> CudaDriver::Measure(
    void* start, void* stop,
    const std::function<absl::Status()>& enqueue) const {
  const Functions& f = functions_;
  RETURN_IF_ERROR(FromResult(f.event_record(start, nullptr), "cuEventRecord"));
  RETURN_IF_ERROR(enqueue());
  RETURN_IF_ERROR(FromResult(f.event_record(stop, nullptr), "cuEventRecord"));
  RETURN_IF_ERROR(FromResult(f.event_synchronize(stop), "cuEventSynchronize"));
  float milliseconds = 0;
  RETURN_IF_ERROR(FromResult(f.event_elapsed_time(&milliseconds, start, stop),
                             "cuEventElapsedTime"));
  return milliseconds * 1e-3;
}

absl::StatusOr<double> CudaDriver::SecondsOf(
    const std::function<absl::Status()>& enqueue) const {
  const Functions& f = functions_;
  RETURN_IF_ERROR(FromResult(f.context_push(context_), "cuCtxPushCurrent"));
  const absl::Cleanup pop = [&f] {
    void* old = nullptr;
    f.context_pop(&old);
  };
  void* start = nullptr;
  void* stop = nullptr;
  RETURN_IF_ERROR(FromResult(f.event_create(&start, 0), "cuEventCreate"));
  const absl::Cleanup destroy_start = [&] { f.event_destroy(start); };
  RETURN_IF_ERROR(FromResult(f.event_create(&stop, 0), "cuEventCreate"));
  const absl::Cleanup destroy_stop = [&] { f.event_destroy(stop); };
  return Measure(start, stop, enqueue);
}

}  // namespace pruner
