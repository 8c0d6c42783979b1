// The interface of a derivation rule (Ansor, section 4.1;
// docs/algorithms.md A3). A rule decides the structure of one stage: how it is
// tiled and where it is computed. One rule per file; sketch_generator.cc lists
// them in the order in which they are tried.
#ifndef PRUNER_SKETCH_SKETCH_RULE_H_
#define PRUNER_SKETCH_SKETCH_RULE_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "pruner/dag/compute_dag.h"
#include "pruner/schedule/loop_state.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/sketch/decision.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// What the rules may look at. All of it must outlive the derivation.
struct SketchContext {
  // The task's. Rules look at stages through Derivation::dag(), which has those
  // that earlier rules inserted.
  const ComputeDag& dag;
  const TargetSpec& target;
  // Inputs, by name, that come from memory when the program runs, as a
  // network's weights do.
  absl::Span<const std::string> cold_inputs = {};
  // The search times candidates, and compares what they compute. Then there is
  // also what models say little of the cost of: stages that slide over loops,
  // loops over SeparateAxes outside of those of tiles.
  bool timed = false;
};

// A state of the derivation: stages from `stage` + 1 on are decided.
struct Derivation {
  Schedule schedule = {};
  LoopState state = {};
  int stage = 0;
  // By number of the stage: for every tiled stage, the split step of each
  // spatial axis; -1 where the axis is not split. Consumers follow them.
  std::map<int, std::vector<int>> spatial_splits = {};
  // What the steps so far leave open, as derivation_steps.h states it; where
  // the values are is said in the end.
  std::vector<Decision> decisions = {};

  // Whether loops over SeparateAxes are outside of those of tiles.
  bool separate_first = false;

  const ComputeDag& dag() const { return *state.dag; }
};

enum class RuleMatch {
  kNo,
  kApply,             // later rules may apply as well, to the same state
  kApplyAndSkipRest,  // no later rule is tried
};

class SketchRule {
 public:
  virtual ~SketchRule() = default;

  // Of letters, digits and '_': sketches are known by the names of their rules.
  virtual absl::string_view Name() const = 0;
  // Whether it is asked about inputs as well, and not only about stages that
  // compute something.
  virtual bool DecidesInputs() const { return false; }
  virtual RuleMatch Match(const SketchContext& context,
                          const Derivation& from) const = 0;
  // The states that the rule leads to. Requires that it matches. An error is a
  // bug of the rule: its steps do not fit.
  virtual absl::StatusOr<std::vector<Derivation>> Apply(
      const SketchContext& context, const Derivation& from) const = 0;
};

}  // namespace pruner

#endif  // PRUNER_SKETCH_SKETCH_RULE_H_
