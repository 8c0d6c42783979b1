// What is known to be bad before anything is compiled.
#ifndef PRUNER_SAMPLE_LIMITS_H_
#define PRUNER_SAMPLE_LIMITS_H_

#include <optional>

#include "pruner/sample/rejection.h"
#include "pruner/schedule/loop_state.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// The first limit of the target that the candidate exceeds. Requires inferred
// bounds.
std::optional<Rejection> CheckLimits(const LoopState& state,
                                     const TargetSpec& target);

}  // namespace pruner

#endif  // PRUNER_SAMPLE_LIMITS_H_
