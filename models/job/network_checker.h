// CheckNetwork in a process of its own: what a network's kernels do in there,
// crash or hang, ends that process and not the one that has searched for hours.
#ifndef MODELS_JOB_NETWORK_CHECKER_H_
#define MODELS_JOB_NETWORK_CHECKER_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "models/job/network_check.pb.h"

namespace pruner {

struct NetworkCheckerOptions {
  // Starts it: a program whose main begins with RunIfNetworkChecker, and what
  // tells it that it is the checker (kNetworkCheckerArgument).
  std::vector<std::string> command = {};
  // It has come to no end if it says nothing for so long.
  absl::Duration patience = absl::Minutes(30);
  // Is told what it says.
  std::function<void(const std::string&)> say = [](const std::string&) {};
  // Whether it is to end early; asked several times a second.
  std::function<bool()> interrupted = [] { return false; };
};

inline constexpr char kNetworkCheckerArgument[] = "check-network";

// Errors: CheckNetwork's; Cancelled if it is interrupted, unless that was so
// from the beginning; Internal if the process cannot be started, crashes (the
// text says how) or comes to no end.
absl::StatusOr<proto::NetworkCheckResult> CheckNetworkApart(
    const proto::NetworkCheckRequest& request,
    const NetworkCheckerOptions& options);

// If this process was started to check a network, does so and returns the exit
// code; nullopt at once otherwise.
std::optional<int> RunIfNetworkChecker(int argc, char** argv);

}  // namespace pruner

#endif  // MODELS_JOB_NETWORK_CHECKER_H_
