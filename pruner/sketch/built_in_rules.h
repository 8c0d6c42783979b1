// Which rules derive the sketches of a target, and in which order they are
// tried.
#ifndef PRUNER_SKETCH_BUILT_IN_RULES_H_
#define PRUNER_SKETCH_BUILT_IN_RULES_H_

#include "absl/types/span.h"
#include "pruner/sketch/sketch_rule.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// As the target's tile structure asks for them: for threads in blocks, or for
// loops over cores.
absl::Span<const SketchRule* const> BuiltInRules(const TargetSpec& target);

// Whether the rule is one of some target's. What these derive is checked by a
// test, and not whenever they are applied.
bool IsBuiltIn(const SketchRule& rule);

}  // namespace pruner

#endif  // PRUNER_SKETCH_BUILT_IN_RULES_H_
