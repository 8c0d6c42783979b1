// The tuning loop: rounds of proposing, measuring and learning over the tasks
// of a network, until the trials or the time are used up
// (docs/algorithms.md A10).
#ifndef PRUNER_TUNE_TUNE_H_
#define PRUNER_TUNE_TUNE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "pruner/base/clock.h"
#include "pruner/measure/measurer.h"
#include "pruner/record/best_records.h"
#include "pruner/record/measure_record.h"
#include "pruner/record/record_log.h"
#include "pruner/record/run_info.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/search/search_policy.h"
#include "pruner/target/target_spec.h"
#include "pruner/tune/learner.h"
#include "pruner/tune/task_scheduler.h"
#include "pruner/tune/tuning_options.h"
#include "pruner/tune/tuning_progress.h"
#include "pruner/tune/tuning_task.h"
#include "pruner/workload/workload_key.h"

namespace pruner {

// Makes the search of one task (of ContextOf), which outlives it.
using PolicyFactory =
    std::function<absl::StatusOr<std::unique_ptr<SearchPolicy>>(
        const TuningTask&)>;

// What a run works with. Everything referred to must outlive it.
struct TuningTools {
  const TargetSpec& target;
  Measurer& measurer;
  TaskScheduler& scheduler;
  PolicyFactory make_policy;
  Clock& clock;
  int workers = 1;           // of the measurer that compile at the same time
  RecordLog* log = nullptr;  // nullptr: results are not kept
  // Trains the model that the policies share; nullptr: they have none.
  Learner* learner = nullptr;
  // What the log is to say of the run; seed and time are filled in.
  RunInfo run = {};
  TuningListener* listener = nullptr;  // nullptr: nobody is told
  // Asked by the measurer's threads too; empty: never.
  std::function<bool()> interrupted = {};
};

// A schedule that nobody has timed, and what a model expects of it.
struct DraftedSchedule {
  Schedule schedule = {};
  double seconds = 0;
};

struct TaskOutcome {
  std::string name = {};
  WorkloadKey workload = {};
  double weight = 1;
  // Earlier runs included: trials, failures by kind, the best record or none.
  WorkloadRecords records = {};
  // The cost of the default schedule, in the race if it was there; none if it
  // failed or was not measured.
  std::optional<double> default_seconds = std::nullopt;
  // Of DraftTasks alone.
  std::optional<DraftedSchedule> drafted = std::nullopt;
  bool exhausted = false;
  // Not OK: a bug in a rule or a mutation, because of which the task was set
  // aside.
  absl::Status problem = absl::OkStatus();
  RejectionCounts rejections = {};
};

// kPlateau: the scheduler takes no further trial to be worth its time.
enum class TuningEnd {
  kTrialsDone,
  kExhausted,
  kPlateau,
  kTimeLimit,
  kInterrupted
};

struct TuningOutcome {
  std::vector<TaskOutcome> tasks = {};  // in the order given
  TuningEnd end = TuningEnd::kTrialsDone;
  int64_t trials = 0;      // earlier runs included
  int64_t new_trials = 0;  // of this run
  absl::Duration elapsed = absl::ZeroDuration();
  // As in TuningProgress.
  std::optional<double> network_seconds = std::nullopt;
  // Parts of `elapsed`: in the measurer, the race included; in the policies;
  // in training their model.
  absl::Duration measuring = absl::ZeroDuration();
  absl::Duration proposing = absl::ZeroDuration();
  absl::Duration training = absl::ZeroDuration();
};

// Tunes the tasks. `earlier` are the records found when the log was opened:
// they count as done trials and are observed before anything is proposed; those
// of other workloads, targets or measuring policies are passed over. Every
// result is in the log before the next candidate starts; the run and a workload
// are before their first result. Once the run is interrupted or its time is
// over, the search ends; the candidate being measured is not waited for.
//
// Unless it was interrupted, a race follows, also where no trials were left to
// do: the best record of a task is then its winner, and the network's time the
// sum of winners' times. Races are recorded, but are no trials and nothing that
// a search learns from. A task whose candidates all fail then keeps its best
// trial; an interrupt ends the race. Second
// timings follow, and are recorded as races are.
//
// Tasks of the same computation, of one network or of several, are one: it is
// measured once, with their joint weight, has its turns in the first one's slot
// and counts in all of theirs. Each has the same outcome but for name and
// weight.
//
// Candidates that fail, tasks all of whose candidates fail, and exhausted tasks
// are part of the outcome. Errors: the measurer or the log cannot go on; no
// tasks; options out of range. What was recorded before an error remains.
//
// The randomness of a round depends on the seed, the task's computation and how
// many trials the task has: other tasks do not matter. A run that was
// interrupted, also in the middle of a round, goes on as if it had not been:
// the policy sees none of an unfinished round's results until it has proposed
// that round again, and what is left of it is measured before the scheduler is
// asked. So it is for all policies whose proposals depend on what they observed
// alone.
absl::StatusOr<TuningOutcome> Tune(absl::Span<const TuningTask> tasks,
                                   absl::Span<const MeasureRecord> earlier,
                                   const TuningTools& tools,
                                   const TuningOptions& options);

}  // namespace pruner

#endif  // PRUNER_TUNE_TUNE_H_
