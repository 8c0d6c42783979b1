// What the search has found for one network.
#ifndef MODELS_JOB_NETWORK_OUTCOME_H_
#define MODELS_JOB_NETWORK_OUTCOME_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/job/network_job.h"
#include "models/job/summary.pb.h"
#include "models/job/tune_options.h"
#include "models/ops/tasks.h"
#include "models/runtime/network.h"
#include "models/runtime/tuned_network.h"
#include "pruner/tune/tune.h"
#include "pruner/tune/tuning_task.h"

namespace pruner {

// The tasks of the networks, one after the other; `outcome.tasks` of their
// search has the same order.
std::vector<TuningTask> TuningTasks(absl::Span<const NetworkJob> jobs);

struct NetworkOutcome {
  // The formulations that the network uses: one of each subgraph.
  std::vector<NetworkTask> winners;
  // Of all tasks: the best ones, and those that each began with. What has no
  // valid candidate has its default schedule in both.
  SchedulesByWorkload best;
  SchedulesByWorkload defaults;
};

// `found` are the outcomes of job.tasks.
absl::StatusOr<NetworkOutcome> OutcomeOf(const NetworkJob& job,
                                         absl::Span<const TaskOutcome> found);

// The network that nobody has tuned: direct formulations, default schedules.
NetworkOutcome WithDefaults(const NetworkJob& job,
                            const NetworkOutcome& outcome);

// What runs as `outcome` says; times are those that were found of it.
TunedNetwork ToTunedNetwork(const NetworkJob& job,
                            const NetworkOutcome& outcome,
                            absl::Span<const TaskOutcome> found);

// All of the summary that is known before the network has run.
proto::Summary SummaryOf(const TuneOptions& options, const NetworkJob& job,
                         const NetworkOutcome& outcome,
                         absl::Span<const TaskOutcome> found,
                         const TuningOutcome& whole);

// The same of a single pipeline.
proto::Summary SummaryOfPipeline(const TuneOptions& options,
                                 const TargetSpec& target,
                                 const TuningTask& task,
                                 const TuningOutcome& outcome);

}  // namespace pruner

#endif  // MODELS_JOB_NETWORK_OUTCOME_H_
