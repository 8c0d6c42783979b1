#include "pruner/pacm/remote_network.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/memory/memory.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "pruner/base/os/message_child.h"
#include "pruner/base/status_macros.h"
#include "pruner/cost/cost_model.h"
#include "pruner/features/feature_rows.h"
#include "pruner/pacm/network_messages.h"
#include "pruner/pacm/network_messages.pb.h"
#include "pruner/pacm/network_model.h"

namespace pruner {
namespace {

// Loading LibTorch from a cold disk takes seconds.
constexpr absl::Duration kTimeToAnswer = absl::Minutes(2);
constexpr absl::Duration kTimeToTrain = absl::Hours(12);

}  // namespace

absl::StatusOr<std::unique_ptr<RemoteNetwork>> RemoteNetwork::Start(
    const std::string& program, const NetworkModelOptions& options) {
  ASSIGN_OR_RETURN(MessageChild child, MessageChild::Start({program}),
                   _ << "to compute a network");
  auto network = absl::WrapUnique(new RemoteNetwork(std::move(child)));
  proto::NetworkRequest request;
  *request.mutable_open() = ToProto(options);
  ASSIGN_OR_RETURN(const proto::NetworkReply reply,
                   network->Ask(request, kTimeToAnswer));
  network->is_trained_ = reply.is_trained();
  network->counts_updates_ = reply.counts_updates();
  return network;
}

absl::StatusOr<std::vector<double>> RemoteNetwork::Predict(
    const FeatureRows& programs) {
  proto::NetworkRequest request;
  *request.mutable_predict() = ToProto(programs);
  ASSIGN_OR_RETURN(const proto::NetworkReply reply,
                   Ask(request, kTimeToAnswer));
  std::vector<double> scores(reply.scores().begin(), reply.scores().end());
  if (scores.size() != programs.ends.size()) {
    return absl::InternalError(
        absl::StrCat("there are ", scores.size(), " scores of ",
                     programs.num_programs(), " programs"));
  }
  return scores;
}

absl::Status RemoteNetwork::Learn(const FeatureRows& programs,
                                  absl::Span<const ProgramLabel> labels,
                                  const IsUnwanted& is_unwanted) {
  if (labels.size() != programs.ends.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("there are ", labels.size(), " labels for ",
                     programs.num_programs(), " programs"));
  }
  proto::NetworkRequest request;
  *request.mutable_update() = ToProto(programs, labels);
  ASSIGN_OR_RETURN(const proto::NetworkReply reply,
                   Ask(request, kTimeToTrain, is_unwanted));
  is_trained_ = reply.is_trained();
  return absl::OkStatus();
}

absl::Status RemoteNetwork::Save(const std::string& path) const {
  proto::NetworkRequest request;
  request.set_save(path);
  return Ask(request, kTimeToAnswer).status();
}

absl::StatusOr<proto::NetworkReply> RemoteNetwork::Ask(
    const proto::NetworkRequest& request, absl::Duration timeout,
    const IsUnwanted& is_unwanted) const {
  RETURN_IF_ERROR(child_.Send(request.SerializeAsString(), timeout));
  const absl::StatusOr<std::string> message =
      child_.Receive(timeout, is_unwanted);
  // It would go on learning while others time their kernels.
  if (absl::IsCancelled(message.status())) child_.Kill();
  RETURN_IF_ERROR(message.status());
  proto::NetworkReply reply;
  if (!reply.ParseFromString(*message))
    return absl::DataLossError("the network's process answers nonsense");
  if (reply.code() != 0) {
    return absl::Status(static_cast<absl::StatusCode>(reply.code()),
                        reply.message());
  }
  return reply;
}

}  // namespace pruner
