// From steps to loops: applies a schedule's steps to the naive nests of its
// DAG.
#ifndef PRUNER_SCHEDULE_REPLAY_H_
#define PRUNER_SCHEDULE_REPLAY_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "pruner/dag/compute_dag.h"
#include "pruner/schedule/loop_state.h"
#include "pruner/schedule/transform_step.h"

namespace pruner {

// Every stage at the root, one loop per axis. `dag` must outlive the result.
LoopState NaiveState(const ComputeDag& dag);

// Applies schedule.steps[i]; the steps before it must have been applied. An
// error says which step does not fit and leaves `state` unspecified.
absl::Status ApplyStep(const Schedule& schedule, int i, LoopState& state);

// All steps, without the extents of attached stages: for schedules with holes.
absl::StatusOr<LoopState> ReplayStructure(const ComputeDag& dag,
                                          const Schedule& schedule);

// All steps, then InferBounds. Errors: a step that does not fit, a hole, a
// stage attached where one of its readers cannot see it.
absl::StatusOr<LoopState> Replay(const ComputeDag& dag,
                                 const Schedule& schedule);

}  // namespace pruner

#endif  // PRUNER_SCHEDULE_REPLAY_H_
