// Compiled code that takes tensors of any size, run on tensors of several.
#ifndef HALIDE_EXT_TESTS_ANY_SIZE_H_
#define HALIDE_EXT_TESTS_ANY_SIZE_H_

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "halide_ext/analyze/regions.h"

namespace pruner {

// What an element holds, whatever its type.
using Element = long double;
static_assert(std::numeric_limits<Element>::digits >= 64);

// Keeps the checks that Halide makes of what it is called with.
class AnySizeKernel {
 public:
  // Inputs are those that Halide infers, in its order. For a device the
  // lowering passes are added that its kernels need. Error: what Halide
  // refuses.
  static absl::StatusOr<AnySizeKernel> Compile(Halide::Pipeline pipeline,
                                               const Halide::Target& target);

  // What the compiled code says that it needs of the inputs for outputs of
  // these regions. `numbers` are those that it is given, by name.
  absl::StatusOr<std::vector<Region>> InputsFor(
      absl::Span<const Region> outputs,
      const std::map<std::string, int64_t>& numbers) const;

  // The elements of all outputs, one after the other; no numbers where nothing
  // was written, of integers unlikely ones. Those of the inputs are integers
  // that depend on the seed and on where they are: any of an integer type,
  // small ones of a float. Memory faults at the ends of tensors
  // and of what is allocated for stages. Error: what the compiled code reports,
  // or that it has written beside what it allocated.
  absl::StatusOr<std::vector<Element>> Run(
      absl::Span<const Region> outputs, absl::Span<const Region> inputs,
      const std::map<std::string, int64_t>& numbers, uint64_t seed) const;

 private:
  class Tensor;

  AnySizeKernel() = default;

  static std::vector<std::unique_ptr<Tensor>> TensorsOf(
      absl::Span<const Region> regions, absl::Span<const Halide::Type> types);
  absl::Status Call(absl::Span<const std::unique_ptr<Tensor>> inputs,
                    absl::Span<const std::unique_ptr<Tensor>> outputs,
                    const std::map<std::string, int64_t>& numbers) const;

  Halide::Callable callable_;
  std::vector<Halide::Argument> arguments_;  // but for the outputs
  std::vector<int> input_ranks_;
  std::vector<Halide::Type> input_types_;
  std::vector<Halide::Type> output_types_;
};

}  // namespace pruner

#endif  // HALIDE_EXT_TESTS_ANY_SIZE_H_
