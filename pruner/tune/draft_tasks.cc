#include "pruner/tune/draft_tasks.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "pruner/base/clock.h"
#include "pruner/base/rng.h"
#include "pruner/draft/draft_model.h"
#include "pruner/draft/make_draft_model.h"
#include "pruner/record/best_records.h"
#include "pruner/record/measure_record.h"
#include "pruner/search/best_unmeasured.h"
#include "pruner/search/policy_inputs.h"
#include "pruner/target/target_key.h"
#include "pruner/target/target_spec.h"
#include "pruner/tune/distinct_tasks.h"
#include "pruner/tune/tune.h"
#include "pruner/tune/tuning_task.h"

namespace pruner {
namespace {

// The slots of which something was measured that runs.
std::set<int> MeasuredSlots(const DistinctTasks& distinct,
                            const BestRecords& records) {
  std::set<int> slots;
  for (const DistinctTask& task : distinct.tasks) {
    if (!records.Of(task.key).best) continue;
    for (const TaskUse& use : task.uses) slots.insert(use.slot);
  }
  return slots;
}

bool IsMeasured(const DistinctTask& task, const std::set<int>& slots) {
  return std::all_of(
      task.uses.begin(), task.uses.end(),
      [&](const TaskUse& use) { return slots.contains(use.slot); });
}

void DraftOne(const DistinctTask& distinct, const TargetSpec& target,
              const DraftOptions& options, const DraftModel& model,
              TaskOutcome& outcome) {
  const PolicyInputs inputs = {.context = ContextOf(*distinct.task, target),
                               .sampling = options.sampling,
                               .draft = &model,
                               .seed = options.seed};
  Rng rng = Rng(options.seed).Fork(distinct.key.workload.value);
  auto best = BestUnmeasured(inputs, 1, rng);
  if (!best.ok()) {
    outcome.problem = best.status();
  } else if (!best->empty()) {
    outcome.drafted =
        DraftedSchedule{.schedule = std::move((*best)[0].proposal.schedule),
                        .seconds = 1 / (*best)[0].score};
  }
}

}  // namespace

absl::StatusOr<TuningOutcome> DraftTasks(
    absl::Span<const TuningTask> tasks, absl::Span<const MeasureRecord> earlier,
    const TargetSpec& target, const DraftOptions& options, Clock& clock,
    const std::function<bool()>& interrupted) {
  if (tasks.empty())
    return absl::InvalidArgumentError("there are no tasks to tune");
  const absl::Duration start = clock.Elapsed();
  const std::unique_ptr<const DraftModel> model = MakeDraftModel(target);
  const DistinctTasks distinct = DistinctTasksOf(tasks, TargetKeyOf(target));
  const BestRecords records(earlier);
  const std::set<int> measured = MeasuredSlots(distinct, records);
  TuningOutcome outcome;
  std::vector<TaskOutcome> found;
  for (const DistinctTask& task : distinct.tasks) {
    TaskOutcome& added = found.emplace_back();
    added.workload = task.key.workload;
    added.records = records.Of(task.key);
    outcome.trials += added.records.trials;
    if (interrupted && interrupted()) outcome.end = TuningEnd::kInterrupted;
    if (outcome.end != TuningEnd::kInterrupted && !IsMeasured(task, measured))
      DraftOne(task, target, options, *model, added);
  }
  for (size_t i = 0; i < tasks.size(); ++i) {
    TaskOutcome& added =
        outcome.tasks.emplace_back(found[distinct.of_given[i]]);
    added.name = tasks[i].workload.name;
    added.weight = tasks[i].weight;
  }
  outcome.network_seconds = NetworkSeconds(distinct.tasks, records);
  outcome.elapsed = outcome.proposing = clock.Elapsed() - start;
  return outcome;
}

}  // namespace pruner
