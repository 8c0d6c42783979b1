// Derivation rules of your own (docs/algorithms.md A3: they come before the
// built-in ones). There is no registry: a list of rules is passed along, and
// //examples has a complete program.
//
//   class MyRule : public SketchRule { … };               // sketch_rule.h
//   const MyRule mine;
//   const SketchRules rules = WithBuiltInRules({&mine}, target);
//   GenerateSketches(context, rules);                     // the sketches, or
//   policy->make({.context = context, .rules = rules});   // a search with them
//
// What a rule may do. The derivation decides the stages from the last to the
// first. At `from.stage` each rule is asked, in order, whether it matches; what
// Apply returns replaces `from`, one sketch for each state in the end. A state
// may
//  * append steps, of any kind and any stage, with Append and the other
//    functions of derivation_steps.h, which keep schedule and state together;
//  * leave lengths of a split open: AppendTile appends the split and states the
//    decision what its lengths are, of which the search draws values with the
//    target in mind. Lengths that the rule writes remain. Other decisions, with
//    domains of their own, are stated by AddDecision (decision.h); all that is
//    open is a decision, and nothing is guessed from steps;
//  * say where a stage is computed: by compute_at, compute_inline or
//    compute_root, and there it stays. Or leave that open: LeaveLocationOpen. A
//    stage of which a rule says neither is computed at the root;
//  * go on with any stage before `from.stage`, and so decide several at once;
//    after a step that inserts a stage, also with `from.stage` itself.
// It looks at stages through `from.dag()`, whose numbers are those of the
// steps; `context.dag` is the task's. About inputs only rules that
// DecidesInputs are asked; unless one takes them from the rest
// (kApplyAndSkipRest), inputs may as well stay as they are.
//
// On CPUs annotations come in the end: the outermost spatial loops of stages at
// the root (up to one at which another stage is computed) are fused and made
// parallel, how many being a decision, and the innermost is vectorized. Where
// the target has threads (TargetSpec::HasThreads), a rule annotates what it
// cuts up, as TileStage and BindBlocks do, and places all it decides; stages at
// the root without a loop over blocks become blocks and threads in the end. So
// a rule is for the one or the other: add it to the rules of targets that it is
// for, or have it match on no other.
//
// Rules are asked again and again, about tasks of every kind: they match what
// they are made for and nothing else, keep no state, and give the same answer
// to the same question. RuleMatch::kApply leaves the stage to later rules as
// well, so that the search chooses; kApplyAndSkipRest takes it from them.
//
// What is checked, after every Apply: the earlier steps are as they were; the
// new ones fit, and make the state that was returned; every hole has a
// decision, and every decision a domain that is not empty; every stage is
// computed where all its readers see it; the derivation comes nearer to its
// end. An error names the rule, the stage and, where it is about one, the step,
// and only the task on which it happens is given up.
#ifndef PRUNER_SKETCH_USER_RULES_H_
#define PRUNER_SKETCH_USER_RULES_H_

#include <vector>

#include "absl/types/span.h"
#include "pruner/sketch/built_in_rules.h"
#include "pruner/sketch/derivation_steps.h"
#include "pruner/sketch/sketch_generator.h"
#include "pruner/sketch/sketch_rule.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// In the order in which they are tried. The rules must outlive it.
using SketchRules = std::vector<const SketchRule*>;

// `rules`, then the built-in ones of the target.
inline SketchRules WithBuiltInRules(absl::Span<const SketchRule* const> rules,
                                    const TargetSpec& target) {
  SketchRules all(rules.begin(), rules.end());
  const absl::Span<const SketchRule* const> built_in = BuiltInRules(target);
  all.insert(all.end(), built_in.begin(), built_in.end());
  return all;
}

}  // namespace pruner

#endif  // PRUNER_SKETCH_USER_RULES_H_
