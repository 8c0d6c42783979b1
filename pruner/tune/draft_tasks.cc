#include "pruner/tune/draft_tasks.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
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
#include "pruner/base/status_macros.h"
#include "pruner/draft/draft_model.h"
#include "pruner/draft/make_draft_model.h"
#include "pruner/program/code_size.h"
#include "pruner/program/program.h"
#include "pruner/program/resolve.h"
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

constexpr size_t kConsidered = 32;  // of the best of a task

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

// The first, which is the best, that is short enough to be compiled soon, or
// the shortest.
absl::StatusOr<ScoredProposal> FirstShort(
    const DistinctTask& distinct, const std::vector<ScoredProposal>& best,
    const TargetSpec& target, int64_t most_statements) {
  const ScoredProposal* shortest = nullptr;
  int64_t fewest = std::numeric_limits<int64_t>::max();
  for (const ScoredProposal& proposal : best) {
    ASSIGN_OR_RETURN(const Program program,
                     Resolve(distinct.task->workload.dag,
                             proposal.proposal.schedule, target));
    const int64_t statements = CountStatements(program);
    if (statements < fewest) {
      fewest = statements;
      shortest = &proposal;
    }
    if (statements <= most_statements) break;
  }
  return *shortest;
}

void DraftOne(const DistinctTask& distinct, const TargetSpec& target,
              const DraftOptions& options, const DraftModel& model,
              TaskOutcome& outcome) {
  const PolicyInputs inputs = {.context = ContextOf(*distinct.task, target),
                               .sampling = options.sampling,
                               .draft = &model,
                               .seed = options.seed};
  Rng rng = Rng(options.seed).Fork(distinct.key.workload.value);
  const auto best = BestUnmeasured(inputs, kConsidered, rng);
  if (!best.ok()) {
    outcome.problem = best.status();
    return;
  }
  if (best->empty()) return;
  auto chosen = FirstShort(distinct, *best, target, options.most_statements);
  if (!chosen.ok()) {
    outcome.problem = chosen.status();
    return;
  }
  outcome.drafted =
      DraftedSchedule{.schedule = std::move(chosen->proposal.schedule),
                      .seconds = 1 / chosen->score};
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
