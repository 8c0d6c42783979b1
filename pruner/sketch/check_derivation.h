// What is demanded of every state that a user's rule derives; see
// user_rules.h. The built-in rules' are checked by a test.
#ifndef PRUNER_SKETCH_CHECK_DERIVATION_H_
#define PRUNER_SKETCH_CHECK_DERIVATION_H_

#include "absl/status/status.h"
#include "pruner/sketch/sketch_rule.h"

namespace pruner {

// OK if `next` follows from `from` by steps that fit, whose holes are all
// decided, and decides a stage more.
// The error says what is wrong and not which rule did it.
absl::Status CheckDerivation(const SketchContext& context,
                             const Derivation& from, const Derivation& next);

}  // namespace pruner

#endif  // PRUNER_SKETCH_CHECK_DERIVATION_H_
