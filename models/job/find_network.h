// From the folder that tune wrote to a network that can be built again.
#ifndef MODELS_JOB_FIND_NETWORK_H_
#define MODELS_JOB_FIND_NETWORK_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "models/job/network_job.h"
#include "models/ops/tasks.h"
#include "models/runtime/network.h"
#include "models/runtime/tuned_network.h"

namespace pruner {

// The tuned network of the folder that `model` names (as tune was told it, or
// by the name of its file), or the only one if that is empty. `weights` is the
// model's file if it is no longer where it was. Errors name the networks that
// are there; see ReadTunedNetwork for others.
absl::StatusOr<TunedNetwork> FindTunedNetwork(const std::string& directory,
                                              const std::string& model,
                                              const std::string& weights);

// OK if the network was tuned for this target, by name or path as users give
// it, with as many threads; else a sentence with both.
absl::Status CheckTarget(const TunedNetwork& network,
                         const std::string& target);

// The network cut up again: what Network::Build takes.
struct RebuiltNetwork {
  NetworkJob job;
  std::vector<NetworkTask> tasks;  // those that the network uses
  SchedulesByWorkload schedules;
};

// FailedPrecondition, naming the kernel, if this version makes other
// computations of the graph than the one that tuned it.
absl::StatusOr<RebuiltNetwork> RebuildNetwork(const TunedNetwork& network);

}  // namespace pruner

#endif  // MODELS_JOB_FIND_NETWORK_H_
