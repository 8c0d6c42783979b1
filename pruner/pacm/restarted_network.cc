#include "pruner/pacm/restarted_network.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/log/log.h"
#include "absl/memory/memory.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/base/status_macros.h"
#include "pruner/cost/cost_model.h"
#include "pruner/features/feature_rows.h"
#include "pruner/pacm/network_model.h"

namespace pruner {
namespace {

// Processes that are asked the same in a row.
constexpr int kTries = 3;

// Whether it is the process that failed, not what was asked of it.
bool IsGone(const absl::Status& status) {
  return absl::IsUnavailable(status) || absl::IsDataLoss(status) ||
         absl::IsDeadlineExceeded(status);
}

}  // namespace

absl::StatusOr<std::unique_ptr<RestartedNetwork>> RestartedNetwork::Create(
    Start start) {
  ASSIGN_OR_RETURN(std::unique_ptr<NetworkModel> network, start());
  return absl::WrapUnique(
      new RestartedNetwork(std::move(start), std::move(network)));
}

absl::StatusOr<std::unique_ptr<NetworkModel>> RestartedNetwork::StartAnew()
    const {
  ASSIGN_OR_RETURN(std::unique_ptr<NetworkModel> network, start_());
  if (updates_.empty()) return network;
  const absl::Span<const ProgramLabel> labels(labels_);
  if (!network->counts_updates()) {
    RETURN_IF_ERROR(network->Update(programs_, labels));
    return network;
  }
  int begin = 0;
  for (const int end : updates_) {
    RETURN_IF_ERROR(network->Update(programs_.Slice(begin, end),
                                    labels.subspan(begin, end - begin)));
    begin = end;
  }
  return network;
}

absl::Status RestartedNetwork::Ask(
    absl::FunctionRef<absl::Status(NetworkModel&)> ask) const {
  absl::Status status = ask(*network_);
  for (int tries = 1; IsGone(status) && tries < kTries; ++tries) {
    LOG(WARNING) << "The learned model is started anew: " << status.message();
    absl::StatusOr<std::unique_ptr<NetworkModel>> next = StartAnew();
    status = next.status();
    if (!next.ok()) continue;
    network_ = *std::move(next);
    status = ask(*network_);
  }
  return status;
}

absl::StatusOr<std::vector<double>> RestartedNetwork::Predict(
    const FeatureRows& programs) {
  std::vector<double> scores;
  RETURN_IF_ERROR(Ask([&](NetworkModel& network) -> absl::Status {
    ASSIGN_OR_RETURN(scores, network.Predict(programs));
    return absl::OkStatus();
  }));
  return scores;
}

absl::Status RestartedNetwork::Update(const FeatureRows& programs,
                                      absl::Span<const ProgramLabel> labels) {
  RETURN_IF_ERROR(Ask(
      [&](NetworkModel& network) { return network.Update(programs, labels); }));
  if (programs.num_programs() == 0) return absl::OkStatus();
  if (updates_.empty()) {
    programs_ = programs;
  } else {
    for (int i = 0; i < programs.num_programs(); ++i)
      programs_.AppendFrom(programs, i);
  }
  labels_.insert(labels_.end(), labels.begin(), labels.end());
  updates_.push_back(programs_.num_programs());
  return absl::OkStatus();
}

absl::Status RestartedNetwork::Save(const std::string& path) const {
  return Ask([&](NetworkModel& network) { return network.Save(path); });
}

}  // namespace pruner
