// What a compiled pipeline is called with: made from its metadata, for outputs
// of the estimated or another size.
#ifndef TOOLS_BENCH_PIPELINES_ARGUMENTS_H_
#define TOOLS_BENCH_PIPELINES_ARGUMENTS_H_

#include <cstdint>
#include <functional>
#include <list>
#include <string>
#include <vector>

#include "HalideBuffer.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/bench/pipelines/registered.h"

namespace pruner {

// Another extent for a dimension that is as long as that.
using Resize = std::function<int64_t(int64_t extent)>;

class PipelineArguments {
 public:
  // Dimensions of outputs of 32 and more are resized; so are those of inputs
  // that go with them. Inputs are as large as `pipeline` asks for and hold what
  // looks like noise; numbers are their estimates times `factor`, integers
  // rounded up. Error: what is not estimated; what the pipeline reports.
  static absl::StatusOr<PipelineArguments> Make(
      const CompiledPipeline& pipeline, const Resize& resize,
      double factor = 1);

  // Runs another schedule of the same pipeline, on a device until that is done;
  // inputs stay there. Error: what it reports.
  absl::Status Run(const CompiledPipeline& pipeline);

  // From now on computes only so much of each long dimension of the outputs,
  // from the middle on, of the same inputs.
  void CropOutputs(const Resize& resize);

  // What the last run has written.
  std::vector<Halide::Runtime::Buffer<>> CopyOutputs();

  // Whether there are any beside buffers.
  bool HasNumbers() const { return !numbers_.empty(); }

  // "1536x2560x3", of the first output.
  std::string Size() const;

 private:
  PipelineArguments() = default;

  absl::Status AddArgument(const halide_filter_argument_t& argument,
                           const Resize& resize, double factor);
  absl::Status Call(const CompiledPipeline& pipeline);

  std::list<Halide::Runtime::Buffer<>> buffers_;
  std::list<halide_scalar_value_t> numbers_;
  std::vector<void*> pointers_;  // by argument
  std::vector<Halide::Runtime::Buffer<>*> inputs_, outputs_;
};

// As a share of the largest value: sums of floats come in another order, and
// that of squares is what is left of large numbers.
inline constexpr double kMaxError = 1e-3;

struct Difference {
  // The largest where there is an actual value, as a share of the largest
  // value. Infinite where one is no number and the other is.
  double largest = 0;
  int64_t elements = 0;  // that differ by more than kMaxError
};

// Integers may be off by one, as they are rounded floats.
Difference DifferenceOf(const std::vector<Halide::Runtime::Buffer<>>& actual,
                        const std::vector<Halide::Runtime::Buffer<>>& expected);

}  // namespace pruner

#endif  // TOOLS_BENCH_PIPELINES_ARGUMENTS_H_
