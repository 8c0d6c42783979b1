#include "halide_ext/build/kernel_argument.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

// The most elements of a tensor: Halide's indices are 32 bits wide.
constexpr int64_t kMaxElements = std::numeric_limits<int32_t>::max();

absl::StatusOr<KernelArgument> MakeArgument(const std::string& name,
                                            const Region& region,
                                            Halide::Type type) {
  KernelArgument argument{.name = name, .shape = {}, .min = {}, .type = type};
  int64_t elements = 1;
  for (size_t d = region.size(); d-- > 0;) {
    argument.shape.push_back(region[d].Extent());
    argument.min.push_back(region[d].min);
    elements *= std::min(region[d].Extent(), kMaxElements + 1);
    elements = std::min(elements, kMaxElements + 1);
  }
  if (elements > kMaxElements) {
    return absl::InvalidArgumentError(absl::StrCat(
        "'", name, "' of shape ", absl::StrJoin(argument.shape, "x"),
        " has more than ", kMaxElements,
        " elements, which Halide's indices do not count: make it smaller"));
  }
  return argument;
}

}  // namespace

int64_t KernelArgument::NumElements() const {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1},
                         std::multiplies<>());
}

std::vector<halide_dimension_t> KernelArgument::Dimensions() const {
  std::vector<halide_dimension_t> dimensions;
  int64_t stride = 1;
  for (size_t d = shape.size(); d-- > 0;) {
    dimensions.emplace_back(static_cast<int32_t>(min[d]),
                            static_cast<int32_t>(shape[d]),
                            static_cast<int32_t>(stride));
    stride *= shape[d];
    if (stride == rows.length && !rows.IsDense()) stride = rows.pitch;
  }
  return dimensions;
}

absl::StatusOr<std::vector<KernelArgument>> InputArguments(
    const PipelineRegions& regions) {
  std::vector<KernelArgument> arguments;
  for (const std::string& name : regions.inputs) {
    if (regions.images.contains(name)) continue;
    ASSIGN_OR_RETURN(arguments.emplace_back(),
                     MakeArgument(name, regions.regions.at(name),
                                  regions.input_types.at(name)));
  }
  return arguments;
}

absl::StatusOr<std::vector<KernelArgument>> OutputArguments(
    const Halide::Pipeline& pipeline, const PipelineRegions& regions) {
  std::set<std::string> outputs;
  for (const Halide::Func& output : pipeline.outputs())
    outputs.insert(output.name());
  std::vector<KernelArgument> arguments;
  for (const Halide::Internal::Function& function : regions.functions) {
    if (!outputs.contains(function.name())) continue;
    if (function.outputs() != 1) {
      return absl::UnimplementedError(
          absl::StrCat("output '", function.name(),
                       "' is a tuple: make each of its values an output of "
                       "its own"));
    }
    ASSIGN_OR_RETURN(
        arguments.emplace_back(),
        MakeArgument(function.name(), regions.regions.at(function.name()),
                     function.output_types()[0]));
  }
  return arguments;
}

}  // namespace pruner
