// Tuning without a single measurement: what models alone say of the tasks.
#ifndef PRUNER_TUNE_DRAFT_TASKS_H_
#define PRUNER_TUNE_DRAFT_TASKS_H_

#include <cstdint>
#include <functional>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/base/clock.h"
#include "pruner/record/measure_record.h"
#include "pruner/sample/sampling.h"
#include "pruner/target/target_spec.h"
#include "pruner/tune/tune.h"
#include "pruner/tune/tuning_task.h"

namespace pruner {

struct DraftOptions {
  Sampling sampling = Sampling::kHardware;
  uint64_t seed = 1;
  // In the code, after unrolling. Nothing stops the compiler here, as it is
  // stopped when candidates are measured: of a transposed convolution's 32 best
  // one took it most of a minute.
  int64_t most_statements = 256;
};

// The outcome of no trials: of each task of whose slot nothing was measured
// before, TaskOutcome::drafted is the schedule that the target's draft model
// takes to be the fastest: of the 32 best the first that has no more than
// `most_statements`, or the one that has the fewest. `earlier`, as Tune takes
// them. The same seed gives the same schedules. A task for which a rule fails
// is set aside as in Tune; one whose space has nothing valid has no draft; so
// do those behind an interrupt.
absl::StatusOr<TuningOutcome> DraftTasks(
    absl::Span<const TuningTask> tasks, absl::Span<const MeasureRecord> earlier,
    const TargetSpec& target, const DraftOptions& options, Clock& clock,
    const std::function<bool()>& interrupted);

}  // namespace pruner

#endif  // PRUNER_TUNE_DRAFT_TASKS_H_
