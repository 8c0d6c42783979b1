// A network put to the test: is it right, and how fast is it?
#ifndef MODELS_JOB_CHECK_NETWORK_H_
#define MODELS_JOB_CHECK_NETWORK_H_

#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "models/job/network_check.pb.h"

namespace pruner {

// Does what the request asks for, in this process: compiles kernels and runs
// them. `say` is told what is about to be done. Errors: those of
// ReadTunedNetwork and RebuildNetwork; what cannot be compiled or run.
absl::StatusOr<proto::NetworkCheckResult> CheckNetwork(
    const proto::NetworkCheckRequest& request,
    const std::function<void(const std::string&)>& say);

}  // namespace pruner

#endif  // MODELS_JOB_CHECK_NETWORK_H_
