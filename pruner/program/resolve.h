// The one way from a schedule to the program that runs.
#ifndef PRUNER_PROGRAM_RESOLVE_H_
#define PRUNER_PROGRAM_RESOLVE_H_

#include "absl/status/statusor.h"
#include "pruner/dag/compute_dag.h"
#include "pruner/program/program.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// The DAG must outlive the program. Error: a step that does not fit, a hole in
// a split, or a stage that is computed where not all of its readers are.
absl::StatusOr<Program> Resolve(const ComputeDag& dag, const Schedule& schedule,
                                const TargetSpec& target);

}  // namespace pruner

#endif  // PRUNER_PROGRAM_RESOLVE_H_
