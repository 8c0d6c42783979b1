// What a kernel reads and writes: the tensors of a pipeline, their shapes and
// the order in which they are passed.
#ifndef HALIDE_EXT_BUILD_KERNEL_ARGUMENT_H_
#define HALIDE_EXT_BUILD_KERNEL_ARGUMENT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "halide_ext/analyze/regions.h"
#include "pruner/base/row_layout.h"

namespace pruner {

// A tensor that a kernel reads or writes, dense unless `rows` says otherwise.
struct KernelArgument {
  std::string name;
  std::vector<int64_t> shape;  // outermost first
  // The pipeline's index of the first element, per dimension as in `shape`.
  std::vector<int64_t> min;
  Halide::Type type = Halide::Float(32);
  // Where it is a part of a larger tensor. A row is whole dimensions, the
  // innermost ones.
  RowLayout rows{};

  int64_t NumElements() const;
  int64_t Bytes() const { return NumElements() * type.bytes(); }

  // As Halide wants them, innermost first.
  std::vector<halide_dimension_t> Dimensions() const;
};

// Inputs and outputs in the order of the DAG. Errors: a tuple as an output; a
// tensor with more elements than Halide's indices count.
absl::StatusOr<std::vector<KernelArgument>> InputArguments(
    const PipelineRegions& regions);
absl::StatusOr<std::vector<KernelArgument>> OutputArguments(
    const Halide::Pipeline& pipeline, const PipelineRegions& regions);

}  // namespace pruner

#endif  // HALIDE_EXT_BUILD_KERNEL_ARGUMENT_H_
