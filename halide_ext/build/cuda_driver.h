// What Halide's run time does not offer of the CUDA driver: timing by events.
// The driver is loaded when it is first asked for; nothing here needs CUDA to
// compile or to link.
#ifndef HALIDE_EXT_BUILD_CUDA_DRIVER_H_
#define HALIDE_EXT_BUILD_CUDA_DRIVER_H_

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace pruner {

// The first device's primary context (which other libraries of this process
// share) and its default stream.
class CudaDriver {
 public:
  // Loads a driver, starts it and takes its first device. Error: one sentence
  // that says what is missing.
  static absl::StatusOr<CudaDriver> Load(const std::string& library);

  // The machine's driver, or why there is none; found out once in a process.
  static const absl::StatusOr<CudaDriver>& Get();

  // The CUcontext.
  void* context() const { return context_; }

  // What the device needs for everything that `enqueue` puts into the default
  // stream; returns when that is done. Errors: those of `enqueue` and of the
  // driver.
  absl::StatusOr<double> SecondsOf(
      const std::function<absl::Status()>& enqueue) const;

 private:
  // Handles and results (0 is success) as the driver's C interface has them.
  struct Functions {
    int (*init)(unsigned int);
    int (*device_get)(int*, int);
    int (*primary_context_retain)(void**, int);
    int (*context_push)(void*);
    int (*context_pop)(void**);
    int (*event_create)(void**, unsigned int);
    int (*event_destroy)(void*);
    int (*event_record)(void*, void*);
    int (*event_synchronize)(void*);
    int (*event_elapsed_time)(float*, void*, void*);
  };

  CudaDriver() = default;
  absl::StatusOr<double> Measure(
      void* start, void* stop,
      const std::function<absl::Status()>& enqueue) const;

  Functions functions_ = {};
  void* context_ = nullptr;
};

}  // namespace pruner

#endif  // HALIDE_EXT_BUILD_CUDA_DRIVER_H_
