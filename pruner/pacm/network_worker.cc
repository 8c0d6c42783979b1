// Computes a ranking network for the process that started it: LibTorch takes
// half a second and 300 MB, which only those who want a network should pay.
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "pruner/base/os/message_parent.h"
#include "pruner/base/status_macros.h"
#include "pruner/features/feature_rows.h"
#include "pruner/pacm/make_network_model.h"
#include "pruner/pacm/network_messages.h"
#include "pruner/pacm/network_messages.pb.h"
#include "pruner/pacm/network_model.h"

namespace pruner {
namespace {

class Session {
 public:
  proto::NetworkReply Answer(const std::string& message) {
    proto::NetworkReply reply;
    const absl::Status status = Do(message, reply);
    reply.set_code(static_cast<int>(status.code()));
    reply.set_message(std::string(status.message()));
    if (model_ != nullptr) {
      reply.set_is_trained(model_->is_trained());
      reply.set_counts_updates(model_->counts_updates());
    }
    return reply;
  }

 private:
  absl::Status Do(const std::string& message, proto::NetworkReply& reply) {
    proto::NetworkRequest request;
    if (!request.ParseFromString(message))
      return absl::InvalidArgumentError("this is no request");
    if (request.has_open()) return Open(request.open());
    if (model_ == nullptr)
      return absl::FailedPreconditionError("no network was opened");
    if (request.has_predict()) return Predict(request.predict(), reply);
    if (request.has_update()) return Update(request.update());
    if (request.has_save()) return model_->Save(request.save());
    return absl::InvalidArgumentError("this request asks for nothing");
  }

  absl::Status Open(const proto::OpenNetwork& open) {
    ASSIGN_OR_RETURN(const NetworkModelOptions options, FromProto(open));
    ASSIGN_OR_RETURN(model_, MakeNetworkModel(options));
    return absl::OkStatus();
  }

  absl::Status Predict(const proto::RankedRows& rows,
                       proto::NetworkReply& reply) {
    ASSIGN_OR_RETURN(const FeatureRows programs, RowsFromProto(rows));
    ASSIGN_OR_RETURN(const auto scores, model_->Predict(programs));
    reply.mutable_scores()->Add(scores.begin(), scores.end());
    return absl::OkStatus();
  }

  absl::Status Update(const proto::RankedRows& rows) {
    ASSIGN_OR_RETURN(const FeatureRows programs, RowsFromProto(rows));
    return model_->Update(programs, LabelsFromProto(rows));
  }

  std::unique_ptr<NetworkModel> model_;
};

int Main() {
  absl::StatusOr<MessageParent> parent = MessageParent::FromEnvironment();
  if (!parent.ok()) {
    std::cerr << "network_worker: " << parent.status().message()
              << "\nIt is started by tune and others, not by hand.\n";
    return 2;
  }
  Session session;
  for (;;) {
    const absl::StatusOr<std::string> request = parent->Receive();
    if (!request.ok()) return 0;
    if (!parent->Send(session.Answer(*request).SerializeAsString()).ok())
      return 0;
  }
}

}  // namespace
}  // namespace pruner

int main() { return pruner::Main(); }
