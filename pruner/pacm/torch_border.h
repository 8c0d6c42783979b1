// Where LibTorch's exceptions end, and the threads it may use.
#ifndef PRUNER_PACM_TORCH_BORDER_H_
#define PRUNER_PACM_TORCH_BORDER_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace pruner {

// The exception that is being handled, as an error that says what was being
// done. To be called where there is one.
absl::Status TorchError(absl::string_view doing);

// What the function returns, an absl::Status, or the exception that it threw.
template <typename Function>
absl::Status CatchTorch(absl::string_view doing, Function&& function) {
  try {
    return function();
  } catch (...) {
    return TorchError(doing);
  }
}

// While it lives, what this thread computes with LibTorch runs on so many
// threads; 0: as many as LibTorch takes. They end with it: left alone, they
// would spin for milliseconds, on cores where something else is to be timed.
class TorchThreads {
 public:
  explicit TorchThreads(int threads);
  ~TorchThreads();
  TorchThreads(const TorchThreads&) = delete;
  TorchThreads& operator=(const TorchThreads&) = delete;

 private:
  int before_;
};

}  // namespace pruner

#endif  // PRUNER_PACM_TORCH_BORDER_H_
