#include "pruner/target/device_available.h"

#include <dlfcn.h>

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace pruner {
namespace {

// An open shared library, never closed: drivers start threads that outlive a
// dlclose().
class Driver {
 public:
  explicit Driver(const std::string& library)
      : handle_(dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL)) {}

  bool loaded() const { return handle_ != nullptr; }

  // nullptr if the library has no function of this name.
  template <typename Function>
  Function* Find(const char* name) const {
    return reinterpret_cast<Function*>(dlsym(handle_, name));
  }

 private:
  void* handle_;
};

absl::Status LacksFunctions(absl::string_view library) {
  return absl::UnavailableError(
      absl::StrCat(library, " is not the driver library it should be"));
}

absl::Status ProbeCuda(const Driver& driver, absl::string_view library) {
  auto* const init = driver.Find<int(unsigned int)>("cuInit");
  auto* const count_devices = driver.Find<int(int*)>("cuDeviceGetCount");
  if (init == nullptr || count_devices == nullptr) {
    return LacksFunctions(library);
  }
  if (const int error = init(0); error != 0) {
    return absl::UnavailableError(absl::StrCat(
        "the CUDA driver does not start (cuInit returns ", error, ")"));
  }
  int devices = 0;
  if (count_devices(&devices) != 0 || devices == 0) {
    return absl::UnavailableError("the CUDA driver finds no device");
  }
  return absl::OkStatus();
}

absl::Status ProbeOpenCl(const Driver& driver, absl::string_view library) {
  // cl_int clGetPlatformIDs(cl_uint, cl_platform_id*, cl_uint*)
  auto* const platforms =
      driver.Find<int32_t(uint32_t, void**, uint32_t*)>("clGetPlatformIDs");
  if (platforms == nullptr) return LacksFunctions(library);
  uint32_t count = 0;
  if (platforms(0, nullptr, &count) != 0 || count == 0) {
    return absl::UnavailableError("OpenCL is installed but has no platform");
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ProbeDriver(Backend backend, const std::string& library) {
  if (backend == Backend::kHost) return absl::OkStatus();
  const Driver driver(library);
  if (!driver.loaded()) {
    return absl::UnavailableError(
        absl::StrCat("the driver library ", library, " cannot be loaded"));
  }
  return backend == Backend::kCuda ? ProbeCuda(driver, library)
                                   : ProbeOpenCl(driver, library);
}

absl::Status DeviceAvailable(const TargetSpec& spec) {
  absl::Status status = ProbeDriver(spec.backend, spec.backend == Backend::kCuda
                                                      ? "libcuda.so.1"
                                                      : "libOpenCL.so.1");
  if (status.ok()) return status;
  return absl::UnavailableError(
      absl::StrCat("programs for target \"", spec.name,
                   "\" cannot run on this machine: ", status.message()));
}

}  // namespace pruner
