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
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "pruner/cost/cost_model.h"
#include "pruner/features/feature_rows.h"
#include "pruner/pacm/network_model.h"
#include "pruner/pacm/update_history.h"

namespace pruner {

// When the process does not answer or has ended, another one is started and
// learns what the first one had learned, from a file that is kept here; its
// scores are the same, as equal options and programs give equal networks. The
// log has a warning of each.
class RestartedNetwork : public NetworkModel {
 public:
  // Makes the same network each time, one that has learned nothing but what its
  // file tells.
  using Start = std::function<absl::StatusOr<std::unique_ptr<NetworkModel>>()>;

  // Processes that end are replaced for so long as `patience` (Retry) while
  // they are asked the same. Errors: those of `start`, which is called once;
  // the temporary directory cannot be written.
  static absl::StatusOr<std::unique_ptr<RestartedNetwork>> Create(
      Start start, absl::Duration patience = absl::Seconds(30));

  bool is_trained() const override { return network_->is_trained(); }
  bool counts_updates() const override { return network_->counts_updates(); }
  bool is_elsewhere() const override { return network_->is_elsewhere(); }
  // Besides what the network says: what became of the last process, if all die
  // of the same call; what it learns from cannot be kept.
  absl::StatusOr<std::vector<double>> Predict(
      const FeatureRows& programs) override;
  absl::Status Save(const std::string& path) const override;

 private:
  absl::Status Learn(const FeatureRows& programs,
                     absl::Span<const ProgramLabel> labels,
                     const IsUnwanted& is_unwanted) override;

  RestartedNetwork(Start start, absl::Duration patience,
                   std::unique_ptr<NetworkModel> network, UpdateHistory history)
      : start_(std::move(start)),
        patience_(patience),
        network_(std::move(network)),
        history_(std::move(history)) {}

  // Asks the network, and the next one if it is gone, for which this may not be
  // wanted.
  absl::Status Ask(absl::FunctionRef<absl::Status(NetworkModel&)> ask,
                   const IsUnwanted& is_unwanted = {}) const;
  // A network that knows what this one does.
  absl::StatusOr<std::unique_ptr<NetworkModel>> StartAnew(
      const IsUnwanted& is_unwanted) const;

  const Start start_;
  const absl::Duration patience_;
  // Saving changes no network, but may need another process.
  mutable std::unique_ptr<NetworkModel> network_;
  UpdateHistory history_;
};

}  // namespace pruner

#endif  // PRUNER_PACM_RESTARTED_NETWORK_H_
