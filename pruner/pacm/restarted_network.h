// A network in a process that may die: somebody ends it, or the machine is
// short of memory for a moment. A search that has run for hours goes on.
#ifndef PRUNER_PACM_RESTARTED_NETWORK_H_
#define PRUNER_PACM_RESTARTED_NETWORK_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/cost/cost_model.h"
#include "pruner/features/feature_rows.h"
#include "pruner/pacm/network_model.h"

namespace pruner {

// When the process does not answer or has ended, another one is started and
// learns what the first one had learned, from copies that are kept here; its
// scores are the same, as equal options and programs give equal networks. The
// log has a warning of each.
class RestartedNetwork : public NetworkModel {
 public:
  // Makes the same network each time, one that has learned nothing but what its
  // file tells.
  using Start = std::function<absl::StatusOr<std::unique_ptr<NetworkModel>>()>;

  // Errors: those of `start`, which is called once.
  static absl::StatusOr<std::unique_ptr<RestartedNetwork>> Create(Start start);

  bool is_trained() const override { return network_->is_trained(); }
  bool counts_updates() const override { return network_->counts_updates(); }
  bool is_elsewhere() const override { return network_->is_elsewhere(); }
  // Besides what the network says: what became of the last process, if a few in
  // a row die of the same call.
  absl::StatusOr<std::vector<double>> Predict(
      const FeatureRows& programs) override;
  absl::Status Update(const FeatureRows& programs,
                      absl::Span<const ProgramLabel> labels) override;
  absl::Status Save(const std::string& path) const override;

 private:
  RestartedNetwork(Start start, std::unique_ptr<NetworkModel> network)
      : start_(std::move(start)), network_(std::move(network)) {}

  // Asks the network, and the next one if it is gone.
  absl::Status Ask(absl::FunctionRef<absl::Status(NetworkModel&)> ask) const;
  // A network that knows what this one does.
  absl::StatusOr<std::unique_ptr<NetworkModel>> StartAnew() const;

  const Start start_;
  // Saving changes no network, but may need another process.
  mutable std::unique_ptr<NetworkModel> network_;
  // What it has learned, and how many programs there were after each update.
  FeatureRows programs_;
  std::vector<ProgramLabel> labels_;
  std::vector<int> updates_;
};

}  // namespace pruner

#endif  // PRUNER_PACM_RESTARTED_NETWORK_H_
