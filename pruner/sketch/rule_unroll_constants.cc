#include <cstdint>
#include <utility>
#include <vector>

#include "pruner/base/status_macros.h"
#include "pruner/dag/node_analysis.h"
#include "pruner/sketch/derivation_steps.h"
#include "pruner/sketch/rules.h"

namespace pruner {
namespace {

// So many vectors at most in the body of an unrolled loop.
constexpr int64_t kMaxVectors = 4;

std::vector<int> SelectingAxes(const Stage& stage, bool selects) {
  std::vector<int> axes;
  for (size_t a = 0; a < stage.axes.size(); ++a) {
    if (stage.axes[a].selects == selects) axes.push_back(static_cast<int>(a));
  }
  return axes;
}

// Has the loops whose iterations choose between constants inside of the others,
// and unrolled: a small matrix' elements are numbers then, most of them 0 and
// 1. (Ansor has tasks name these axes; here the analysis finds them.)
class UnrollConstants : public SketchRule {
 public:
  explicit UnrollConstants(bool in_threads) : in_threads_(in_threads) {}

  absl::string_view Name() const override { return "unroll_constants"; }

  RuleMatch Match(const SketchContext& context,
                  const Derivation& from) const override {
    const Stage& stage = from.dag().stage(from.stage);
    if (!stage.HasSelectingAxes() || stage.opaque || stage.reads.empty() ||
        !IsUntouched(from, from.stage) ||
        SelectingAxes(stage, /*selects=*/false).empty() ||
        IsEpilogue(from.dag(), from.stage)) {
      return RuleMatch::kNo;
    }
    const bool can = in_threads_ || HasVectorAxis(context.target, stage);
    return can ? RuleMatch::kApplyAndSkipRest : RuleMatch::kNo;
  }

  absl::StatusOr<std::vector<Derivation>> Apply(
      const SketchContext& context, const Derivation& from) const override {
    const Stage& stage = from.dag().stage(from.stage);
    Derivation next = from;
    if (in_threads_) {
      RETURN_IF_ERROR(UnrollInThreads(from.stage, next));
    } else {
      RETURN_IF_ERROR(UnrollAroundVectors(
          from.stage, SelectingAxes(stage, /*selects=*/true),
          LanesToCut(context.target, stage), next));
      LeaveLocationOpen(from.stage, next);
    }
    --next.stage;
    return std::vector<Derivation>{next};
  }

 private:
  // Whether vectors along the innermost axis are few, or can be cut off.
  static bool HasVectorAxis(const TargetSpec& target, const Stage& stage) {
    const int64_t lanes = target.units.simd_lanes;
    const Axis& innermost = stage.axes.back();
    return !innermost.selects && (innermost.extent % lanes == 0 ||
                                  innermost.extent <= kMaxVectors * lanes);
  }

  // Of the innermost axis; 0: all of it is one or a few vectors.
  static int64_t LanesToCut(const TargetSpec& target, const Stage& stage) {
    const int64_t lanes = target.units.simd_lanes;
    const int64_t extent = stage.axes.back().extent;
    return extent > lanes && extent % lanes == 0 ? lanes : 0;
  }

  static absl::Status UnrollInThreads(int stage, Derivation& next) {
    const Stage& s = next.dag().stage(stage);
    const std::vector<int> outer = SelectingAxes(s, /*selects=*/false);
    const auto others = static_cast<int>(outer.size());
    const std::vector<int> selecting = SelectingAxes(s, /*selects=*/true);
    std::vector<int64_t> order(outer.begin(), outer.end());
    order.insert(order.end(), selecting.begin(), selecting.end());
    RETURN_IF_ERROR(
        Append(ReorderStep{.stage = stage, .order = std::move(order)}, next));
    for (int i = 0; i < static_cast<int>(selecting.size()); ++i) {
      RETURN_IF_ERROR(Annotate(stage, others + i, Annotation::kUnroll, next));
    }
    return CutIntoBlocks(stage, others, next);
  }

  const bool in_threads_;
};

}  // namespace

const SketchRule& UnrollConstantsRule() {
  static const UnrollConstants kRule(/*in_threads=*/false);
  return kRule;
}

const SketchRule& UnrollConstantsInThreadsRule() {
  static const UnrollConstants kRule(/*in_threads=*/true);
  return kRule;
}

}  // namespace pruner
