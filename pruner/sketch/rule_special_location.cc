#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "pruner/base/status_macros.h"
#include "pruner/schedule/regions.h"
#include "pruner/sketch/derivation_steps.h"
#include "pruner/sketch/rules.h"

namespace pruner {
namespace {

// More would not stay in a thread's registers.
constexpr int64_t kMaxElements = 64;

// The loop right outside of those that rule unroll_constants unrolled in the
// threads of a stage; none if it did not.
std::optional<int> LoopOutsideConstants(const Derivation& from, int stage) {
  const std::vector<Iterator>& iterators = from.state.stages[stage].iterators;
  const std::vector<Axis>& axes = from.dag().stage(stage).axes;
  for (int i = 1; i < static_cast<int>(iterators.size()); ++i) {
    if (iterators[i].annotation == Annotation::kUnroll &&
        axes[iterators[i].parts[0].axis].selects &&
        iterators[i - 1].annotation == Annotation::kThread) {
      return i - 1;
    }
  }
  return std::nullopt;
}

// Does not inline a stage in the copies of an unrolled body, each of which
// would read and compute the same anew: a thread computes what all of them need
// once, in registers.
class SpecialLocation : public SketchRule {
 public:
  absl::string_view Name() const override { return "special_location"; }

  RuleMatch Match(const SketchContext&, const Derivation& from) const override {
    const Stage& stage = from.dag().stage(from.stage);
    const std::vector<int>& consumers = from.dag().consumers(from.stage);
    if (stage.kind != StageKind::kCompute || stage.is_output || stage.opaque ||
        stage.HasReduction() || from.dag().producers(from.stage).empty() ||
        consumers.size() != 1) {
      return RuleMatch::kNo;
    }
    const std::optional<int> loop = LoopOutsideConstants(from, consumers[0]);
    Regions regions(from.state);
    if (!loop || !regions.ReadersAreInside(from.stage, consumers[0], *loop))
      return RuleMatch::kNo;
    int64_t elements = 1;
    for (int64_t extent : regions.Required(from.stage, consumers[0], *loop))
      elements *= extent;
    return elements <= kMaxElements ? RuleMatch::kApplyAndSkipRest
                                    : RuleMatch::kNo;
  }

  absl::StatusOr<std::vector<Derivation>> Apply(
      const SketchContext&, const Derivation& from) const override {
    const int consumer = from.dag().consumers(from.stage)[0];
    Derivation next = from;
    RETURN_IF_ERROR(Append(
        ComputeAtStep{.stage = from.stage,
                      .target_stage = consumer,
                      .target_iterator = *LoopOutsideConstants(from, consumer)},
        next));
    RETURN_IF_ERROR(Append(
        StoreInStep{.stage = from.stage, .storage = Storage::kRegister}, next));
    const int loops =
        static_cast<int>(next.state.stages[from.stage].iterators.size());
    for (int i = 0; i < loops; ++i) {
      RETURN_IF_ERROR(Annotate(from.stage, i, Annotation::kUnroll, next));
    }
    --next.stage;
    return std::vector<Derivation>{next};
  }
};

}  // namespace

const SketchRule& SpecialLocationRule() {
  static const SpecialLocation kRule;
  return kRule;
}

}  // namespace pruner
