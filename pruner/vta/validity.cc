#include "pruner/vta/validity.h"

#include <cstddef>
#include <limits>

#include "absl/log/check.h"

namespace pruner {
namespace {

// A padded tensor is filled up at the edges of one image of one block at a
// time.
bool LoadsInOneTransfer(const VtaWorkload& workload, const VtaSpec& spec,
                        const VtaTiling& tiling) {
  if (workload.padding > 0) return tiling.b == 1 && tiling.ci == 1;
  const VtaBox inputs = InputBoxOf(workload, spec, tiling);
  return TransferDimensions(inputs.box, inputs.tensor) <=
         spec.transfer_dimensions;
}

bool StoresInOneTransfer(const VtaWorkload& workload, const VtaSpec& spec,
                         const VtaTiling& tiling) {
  const VtaBox outputs = OutputBoxOf(workload, spec, tiling);
  return TransferDimensions(outputs.box, outputs.tensor) <=
         spec.transfer_dimensions;
}

}  // namespace

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
    case VtaInvalid::kInputTransfer:
      return "input_transfer";
    case VtaInvalid::kOutputTransfer:
      return "output_transfer";
    case VtaInvalid::kAccumulatorDistance:
      return "accumulator_distance";
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

VtaBox InputBoxOf(const VtaWorkload& workload, const VtaSpec& spec,
                  const VtaTiling& tiling) {
  const auto read = [&](int64_t outputs, int64_t kernel) {
    return (outputs - 1) * workload.stride + kernel;
  };
  return {.box = {read(tiling.w, workload.kernel_width),
                  read(tiling.h, workload.kernel_height), tiling.ci, tiling.b},
          .tensor = {workload.width + 2 * workload.padding,
                     workload.height + 2 * workload.padding,
                     workload.in_channels / spec.block_in, workload.batch}};
}

VtaBox OutputBoxOf(const VtaWorkload& workload, const VtaSpec& spec,
                   const VtaTiling& tiling) {
  return {.box = {tiling.w, tiling.h, tiling.co, tiling.b},
          .tensor = {workload.OutWidth(), workload.OutHeight(),
                     workload.out_channels / spec.block_out, workload.batch}};
}

VtaNeeds NeedsOf(const VtaWorkload& workload, const VtaSpec& spec,
                 const VtaTiling& tiling) {
  const int64_t threads = tiling.h_threads * tiling.oc_threads;
  return {
      .input_vectors = threads * InputBoxOf(workload, spec, tiling).Elements(),
      .weight_blocks = threads * tiling.co * tiling.ci *
                       workload.kernel_height * workload.kernel_width,
      .accumulator_vectors =
          threads * OutputBoxOf(workload, spec, tiling).Elements()};
}

int TransferDimensions(absl::Span<const int64_t> box,
                       absl::Span<const int64_t> tensor) {
  CHECK_EQ(box.size(), tensor.size());
  int dimensions = 1;
  // Of the tensor's neighbours, and how far those of the box reach without a
  // gap in the dimension that is being gone through.
  int64_t stride = 1, reach = 1;
  for (size_t d = 0; d < box.size(); ++d) {
    if (box[d] > 1) {
      if (reach != stride) ++dimensions;
      reach = stride * box[d];
    }
    stride *= tensor[d];
  }
  return dimensions;
}

int64_t AccumulatorDistance(const VtaWorkload& workload,
                            const VtaTiling& tiling) {
  const int64_t reduction =
      tiling.ci * workload.kernel_height * workload.kernel_width;
  if (reduction == 1) return std::numeric_limits<int64_t>::max();
  switch (tiling.loop_order) {
    case 1:
      return tiling.b * tiling.h * tiling.w * tiling.co;
    case 2:
      return tiling.w * tiling.co;
    case 3:
      return tiling.co;
    default:
      return 1;
  }
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
  const VtaNeeds needs = NeedsOf(workload, spec, tiling);
  if (needs.input_vectors > spec.InputVectors())
    return VtaInvalid::kInputCapacity;
  if (needs.weight_blocks > spec.WeightBlocks())
    return VtaInvalid::kWeightCapacity;
  if (needs.accumulator_vectors > spec.AccumulatorVectors())
    return VtaInvalid::kAccumulatorCapacity;
  if (!LoadsInOneTransfer(workload, spec, tiling))
    return VtaInvalid::kInputTransfer;
  if (!StoresInOneTransfer(workload, spec, tiling))
    return VtaInvalid::kOutputTransfer;
  if (AccumulatorDistance(workload, tiling) < spec.gemm_latency)
    return VtaInvalid::kAccumulatorDistance;
  return std::nullopt;
}

}  // namespace pruner
