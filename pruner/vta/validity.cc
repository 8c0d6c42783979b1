#include "pruner/vta/validity.h"

#include "absl/log/check.h"

namespace pruner {

absl::string_view VtaInvalidName(VtaInvalid reason) {
  switch (reason) {
    case VtaInvalid::kBothThreaded:
      return "both_threaded";
    case VtaInvalid::kUndividedRows:
      return "undivided_rows";
    case VtaInvalid::kUndividedChannels:
      return "undivided_channels";
    case VtaInvalid::kInputCapacity:
      return "input_capacity";
    case VtaInvalid::kWeightCapacity:
      return "weight_capacity";
    case VtaInvalid::kAccumulatorCapacity:
      return "accumulator_capacity";
  }
  return "";
}

VtaTiling VtaTilingAt(const KnobSpace& space, absl::Span<const int> point) {
  CHECK_EQ(space.knobs().size(), 8u);
  CHECK_EQ(point.size(), 8u);
  int k = 0;
  const auto next = [&] {
    const int64_t value = space.knobs()[k].values.at(point[k]);
    ++k;
    return value;
  };
  // Braces evaluate in the order of the knobs.
  return {next(), next(), next(), next(), next(), next(), next(), next()};
}

VtaNeeds NeedsOf(const VtaWorkload& workload, const VtaTiling& tiling) {
  const int64_t threads = tiling.h_threads * tiling.oc_threads;
  const int64_t rows =
      (tiling.h - 1) * workload.stride + workload.kernel_height;
  const int64_t columns =
      (tiling.w - 1) * workload.stride + workload.kernel_width;
  return {.input_vectors = threads * tiling.b * tiling.ci * rows * columns,
          .weight_blocks = threads * tiling.co * tiling.ci *
                           workload.kernel_height * workload.kernel_width,
          .accumulator_vectors =
              threads * tiling.b * tiling.co * tiling.h * tiling.w};
}

std::optional<VtaInvalid> WhyInvalid(const VtaWorkload& workload,
                                     const VtaSpec& spec,
                                     const VtaTiling& tiling) {
  if (tiling.h_threads > 1 && tiling.oc_threads > 1)
    return VtaInvalid::kBothThreaded;
  if (workload.OutHeight() / tiling.h % tiling.h_threads != 0)
    return VtaInvalid::kUndividedRows;
  const int64_t blocks = workload.out_channels / spec.block_out;
  if (blocks / tiling.co % tiling.oc_threads != 0)
    return VtaInvalid::kUndividedChannels;
  const VtaNeeds needs = NeedsOf(workload, tiling);
  if (needs.input_vectors > spec.InputVectors())
    return VtaInvalid::kInputCapacity;
  if (needs.weight_blocks > spec.WeightBlocks())
    return VtaInvalid::kWeightCapacity;
  if (needs.accumulator_vectors > spec.AccumulatorVectors())
    return VtaInvalid::kAccumulatorCapacity;
  return std::nullopt;
}

}  // namespace pruner
