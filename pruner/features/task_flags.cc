#include "pruner/features/task_flags.h"

#include <algorithm>
#include <array>
#include <vector>

#include "absl/strings/match.h"
#include "pruner/dag/body.h"
#include "pruner/dag/compute_dag.h"

namespace pruner {
namespace {

enum Flag {
  kMax,
  kMin,
  kAdd,
  kConv2d,
  kWinograd,
  kDepthwise,
  kDense,
  kSoftmax,
  kBatchMatmul,
};

// Of an image, its results have so many dimensions: the batch's, two of the
// image, the channels'.
constexpr int kImageRank = 4;

template <typename Predicate>
bool AnyOp(const Stage& stage, const Predicate& predicate) {
  return std::any_of(stage.definitions.begin(), stage.definitions.end(),
                     [&](const Definition& definition) {
                       return std::any_of(
                           definition.ops.begin(), definition.ops.end(),
                           [&](const Op& op) { return predicate(op); });
                     });
}

// Of values; indices are no floating-point numbers.
bool HasFloat(const Stage& stage, OpKind kind) {
  return AnyOp(stage, [&](const Op& op) {
    return op.kind == kind && op.type.IsFloat();
  });
}

bool HasExponential(const Stage& stage) {
  return AnyOp(stage, [](const Op& op) {
    return op.kind == OpKind::kCall && absl::StartsWith(op.function, "exp_");
  });
}

// As a bias, or a shortcut.
bool AddsTensors(const ComputeDag& dag, int s) {
  const Stage& stage = dag.stage(s);
  return !stage.HasReduction() && dag.producers(s).size() > 1 &&
         HasFloat(stage, OpKind::kAdd);
}

template <typename Predicate>
bool AnyIndex(const Access& access, const Predicate& predicate) {
  return std::any_of(access.indices.begin(), access.indices.end(), predicate);
}

// Whether all that is multiplied varies with the axis; not so with its
// remainder alone, as the weights of a transposed convolution do.
bool IsInBoth(const Stage& stage, int axis) {
  return std::all_of(stage.reads.begin(), stage.reads.end(),
                     [&](const Access& access) {
                       return AnyIndex(access, [&](const IndexExpr& index) {
                         return index.modulus == 0 && index.VariesWith(axis);
                       });
                     });
}

// Whether the axis moves a window over the image: some index varies with it and
// with a place in the image, which only one of the two operands has.
bool IsInWindow(const Stage& stage, int axis) {
  const auto is_place = [&](const IndexTerm& term) {
    return stage.axes[term.axis].kind == AxisKind::kSpatial &&
           !IsInBoth(stage, term.axis);
  };
  return std::any_of(
      stage.reads.begin(), stage.reads.end(), [&](const Access& access) {
        return AnyIndex(access, [&](const IndexExpr& index) {
          return index.VariesWith(axis) &&
                 std::any_of(index.terms.begin(), index.terms.end(), is_place);
        });
      });
}

bool IsProduct(const Stage& stage) {
  return stage.HasReduction() && stage.reduction == ReductionKind::kSum &&
         stage.reads.size() == 2 &&
         stage.reads[0].stage != stage.reads[1].stage &&
         stage.ops.float_mul + stage.ops.int_mul > 0;
}

Flag ProductKind(const Stage& stage, bool transformed) {
  if (transformed) return kWinograd;
  bool windows = false, channels = false, pairs = false;
  for (int axis = 0; axis < static_cast<int>(stage.axes.size()); ++axis) {
    const bool is_spatial = stage.axes[axis].kind == AxisKind::kSpatial;
    pairs |= is_spatial && IsInBoth(stage, axis);
    if (is_spatial || stage.axes[axis].extent == 1) continue;
    (IsInWindow(stage, axis) ? windows : channels) = true;
  }
  if (windows) return channels ? kConv2d : kDepthwise;
  if (pairs) return kBatchMatmul;
  return stage.SpatialRank() >= kImageRank ? kConv2d : kDense;
}

bool SumsExponentials(const ComputeDag& dag, int s) {
  const Stage& stage = dag.stage(s);
  if (!stage.HasReduction() || stage.reduction != ReductionKind::kSum)
    return false;
  const std::vector<int>& producers = dag.producers(s);
  return HasExponential(stage) ||
         std::any_of(producers.begin(), producers.end(), [&](int producer) {
           return HasExponential(dag.stage(producer));
         });
}

}  // namespace

std::array<bool, kTaskFlags> TaskFlagsOf(const ComputeDag& dag) {
  std::array<bool, kTaskFlags> flags = {};
  const bool transformed =
      std::any_of(dag.stages().begin(), dag.stages().end(),
                  [](const Stage& stage) { return stage.HasSelectingAxes(); });
  for (int s = 0; s < dag.size(); ++s) {
    const Stage& stage = dag.stage(s);
    flags[kMax] |= HasFloat(stage, OpKind::kMax);
    flags[kMin] |= HasFloat(stage, OpKind::kMin);
    flags[kAdd] |= AddsTensors(dag, s);
    flags[kSoftmax] |= SumsExponentials(dag, s);
    if (IsProduct(stage)) flags[ProductKind(stage, transformed)] = true;
  }
  return flags;
}

}  // namespace pruner
