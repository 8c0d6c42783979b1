// The networks of a run.
#ifndef MODELS_JOB_NETWORK_JOBS_H_
#define MODELS_JOB_NETWORK_JOBS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "models/job/network_job.h"
#include "models/job/tune_options.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// Those of options.models, to be timed as the options say. Errors: those of
// loading; two networks of one name; too little memory to time them so.
absl::StatusOr<std::vector<NetworkJob>> LoadNetworkJobs(
    const TuneOptions& options, const TargetSpec& target);

// For people: "resnet50: 23 tasks in 40 formulations".
std::string TasksText(const NetworkJob& job);

}  // namespace pruner

#endif  // MODELS_JOB_NETWORK_JOBS_H_
