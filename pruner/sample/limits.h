// What is known to be bad before anything is compiled.
#ifndef PRUNER_SAMPLE_LIMITS_H_
#define PRUNER_SAMPLE_LIMITS_H_

#include <optional>

#include "pruner/analysis/program_symbols.h"
#include "pruner/program/program.h"
#include "pruner/sample/rejection.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// The first limit of the target that the program exceeds; `symbols` are its.
std::optional<Rejection> CheckLimits(const Program& program,
                                     const ProgramSymbols& symbols,
                                     const TargetSpec& target);
std::optional<Rejection> CheckLimits(const Program& program,
                                     const TargetSpec& target);

// Whether there are more statements in its code than the limits allow, where
// they say so.
bool HasTooManyStatements(const Program& program, const Limits& limits);

}  // namespace pruner

#endif  // PRUNER_SAMPLE_LIMITS_H_
