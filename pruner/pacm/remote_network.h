// A ranking network that another process computes, so that this one needs no
// LibTorch.
#ifndef PRUNER_PACM_REMOTE_NETWORK_H_
#define PRUNER_PACM_REMOTE_NETWORK_H_

#include <sys/types.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "pruner/base/os/message_child.h"
#include "pruner/cost/cost_model.h"
#include "pruner/features/feature_rows.h"
#include "pruner/pacm/network_messages.pb.h"
#include "pruner/pacm/network_model.h"

namespace pruner {

// Between calls the process sleeps. It ends with this object.
class RemoteNetwork : public NetworkModel {
 public:
  // Starts `program`, which is network_worker. Errors: it does not start or
  // does not answer; MakeNetworkModel's.
  static absl::StatusOr<std::unique_ptr<RemoteNetwork>> Start(
      const std::string& program, const NetworkModelOptions& options);

  pid_t pid() const { return child_.pid(); }

  bool is_trained() const override { return is_trained_; }
  bool counts_updates() const override { return counts_updates_; }
  bool is_elsewhere() const override { return true; }
  // Besides what the network says, Unavailable if the process has ended, with
  // the end of its output, and DeadlineExceeded if it does not answer. Update
  // is Cancelled if it is unwanted; the process is ended.
  absl::StatusOr<std::vector<double>> Predict(
      const FeatureRows& programs) override;
  absl::Status Save(const std::string& path) const override;

 private:
  explicit RemoteNetwork(MessageChild child) : child_(std::move(child)) {}

  absl::Status Learn(const FeatureRows& programs,
                     absl::Span<const ProgramLabel> labels,
                     const IsUnwanted& is_unwanted) override;

  absl::StatusOr<proto::NetworkReply> Ask(
      const proto::NetworkRequest& request, absl::Duration timeout,
      const IsUnwanted& is_unwanted = {}) const;

  // Saving changes no network.
  mutable MessageChild child_;
  bool is_trained_ = false;
  bool counts_updates_ = false;
};

}  // namespace pruner

#endif  // PRUNER_PACM_REMOTE_NETWORK_H_
