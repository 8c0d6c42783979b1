// Crashes on the pages around tensors, told apart from others: before the
// process ends it says which tensor it was, and where.
#ifndef HALIDE_EXT_RUNNER_GUARD_REPORT_H_
#define HALIDE_EXT_RUNNER_GUARD_REPORT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "halide_ext/runner/guarded_memory.h"

namespace pruner {

// While it exists, a segmentation fault in a page around one of the tensors
// writes a line to stderr before the process ends as it would have. One at a
// time; the memory outlives it, and is not moved.
class GuardReport {
 public:
  struct Tensor {
    const GuardedMemory* memory = nullptr;
    std::string name = {};
  };
  explicit GuardReport(std::vector<Tensor> tensors);
  ~GuardReport();
  GuardReport(const GuardReport&) = delete;
  GuardReport& operator=(const GuardReport&) = delete;

 private:
  std::vector<Tensor> tensors_;
};

// "the candidate touched byte 68 of 'out', beyond its ends"; `place` as
// GuardedMemory has it.
std::string OutOfBoundsText(absl::string_view tensor, int64_t place);

// That sentence, in what a process wrote before it ended.
std::optional<std::string> FindOutOfBounds(absl::string_view output);

}  // namespace pruner

#endif  // HALIDE_EXT_RUNNER_GUARD_REPORT_H_
