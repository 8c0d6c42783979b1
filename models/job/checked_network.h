// A run's networks, checked before the search and after it, each time in a
// process of its own.
#ifndef MODELS_JOB_CHECKED_NETWORK_H_
#define MODELS_JOB_CHECKED_NETWORK_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/job/network_job.h"
#include "models/job/network_outcome.h"
#include "models/job/output_folder.h"
#include "models/job/summary.pb.h"
#include "models/job/tune_options.h"
#include "pruner/tune/tune.h"

namespace pruner {

// Compares each formulation with its operators in double precision, apart from
// the network. What is found is in NetworkTask::error; a formulation that
// cannot be used is left out of job.tasks, and `callbacks` are told why.
// Internal if that leaves a subgraph none. An interrupted check finds nothing.
absl::Status CheckFormulations(const TuneOptions& options,
                               const TuneCallbacks& callbacks,
                               OutputFolder& folder, NetworkJob& job);

// Compiles the network that was found and verifies it; unless there were no
// trials, times it beside the one with default schedules. What is to be handed
// out: `outcome`, or WithDefaults of it if that is the faster one. All that is
// found is in the summary, also where the network is wrong: Internal. Cancelled
// if it is interrupted.
absl::StatusOr<NetworkOutcome> CheckedOutcome(
    const TuneOptions& options, const TuneCallbacks& callbacks,
    OutputFolder& folder, const NetworkJob& job, const NetworkOutcome& outcome,
    absl::Span<const TaskOutcome> found, proto::Summary& summary);

}  // namespace pruner

#endif  // MODELS_JOB_CHECKED_NETWORK_H_
