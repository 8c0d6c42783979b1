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
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "pruner/base/retry.h"
#include "pruner/base/status_macros.h"
#include "pruner/cost/cost_model.h"
#include "pruner/features/feature_rows.h"
#include "pruner/pacm/network_model.h"
#include "pruner/pacm/update_history.h"

namespace pruner {
namespace {

// Whether it is the process that failed, not what was asked of it.
bool IsGone(const absl::Status& status) {
  return absl::IsUnavailable(status) || absl::IsDataLoss(status) ||
         absl::IsDeadlineExceeded(status);
}

// All that the network was told, at once.
absl::Status TellTogether(const UpdateHistory& history,
                          const CostModel::IsUnwanted& is_unwanted,
                          NetworkModel& network) {
  FeatureRows all;
  std::vector<ProgramLabel> all_labels;
  RETURN_IF_ERROR(history.ForEach(
      [&](const FeatureRows& programs, absl::Span<const ProgramLabel> labels) {
        if (all_labels.empty()) {
          all = programs;
        } else {
          all.AppendAll(programs);
        }
        all_labels.insert(all_labels.end(), labels.begin(), labels.end());
        return absl::OkStatus();
      }));
  return network.Update(all, all_labels, is_unwanted);
}

}  // namespace

absl::StatusOr<std::unique_ptr<RestartedNetwork>> RestartedNetwork::Create(
    Start start, absl::Duration patience) {
  ASSIGN_OR_RETURN(std::unique_ptr<NetworkModel> network, start());
  ASSIGN_OR_RETURN(UpdateHistory history, UpdateHistory::Create());
  return absl::WrapUnique(new RestartedNetwork(
      std::move(start), patience, std::move(network), std::move(history)));
}

absl::StatusOr<std::unique_ptr<NetworkModel>> RestartedNetwork::StartAnew(
    const IsUnwanted& is_unwanted) const {
  ASSIGN_OR_RETURN(std::unique_ptr<NetworkModel> network, start_());
  if (history_.empty()) return network;
  if (network->counts_updates()) {
    RETURN_IF_ERROR(
        history_.ForEach([&](const FeatureRows& programs,
                             absl::Span<const ProgramLabel> labels) {
          return network->Update(programs, labels, is_unwanted);
        }));
  } else {
    RETURN_IF_ERROR(TellTogether(history_, is_unwanted, *network));
  }
  return network;
}

absl::Status RestartedNetwork::Ask(
    absl::FunctionRef<absl::Status(NetworkModel&)> ask,
    const IsUnwanted& is_unwanted) const {
  absl::Status status = ask(*network_);
  for (Retry retry; IsGone(status) && retry.Again(patience_);) {
    LOG(WARNING) << "The learned model is started anew: " << status.message();
    absl::StatusOr<std::unique_ptr<NetworkModel>> next = StartAnew(is_unwanted);
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

absl::Status RestartedNetwork::Learn(const FeatureRows& programs,
                                     absl::Span<const ProgramLabel> labels,
                                     const IsUnwanted& is_unwanted) {
  RETURN_IF_ERROR(Ask(
      [&](NetworkModel& network) {
        return network.Update(programs, labels, is_unwanted);
      },
      is_unwanted));
  if (programs.num_programs() == 0) return absl::OkStatus();
  return history_.Add(programs, labels);
}

absl::Status RestartedNetwork::Save(const std::string& path) const {
  return Ask([&](NetworkModel& network) { return network.Save(path); });
}

}  // namespace pruner
