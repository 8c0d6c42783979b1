#include "models/job/network_checker.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "models/job/check_network.h"
#include "pruner/base/clock.h"
#include "pruner/base/os/message_child.h"
#include "pruner/base/os/message_parent.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

proto::NetworkCheckReply ToReply(
    absl::StatusOr<proto::NetworkCheckResult> result) {
  proto::NetworkCheckReply reply;
  if (result.ok()) {
    *reply.mutable_result() = *std::move(result);
  } else {
    reply.mutable_error()->set_code(static_cast<int>(result.status().code()));
    reply.mutable_error()->set_message(std::string(result.status().message()));
  }
  return reply;
}

absl::Status Broken(const absl::Status& status) {
  return absl::InternalError(absl::StrCat(
      "the process that compiles, checks and times the network has failed: ",
      status.message()));
}

// The next reply.
absl::StatusOr<proto::NetworkCheckReply> Next(
    const NetworkCheckerOptions& options, bool may_be_interrupted,
    MessageChild& child) {
  const absl::StatusOr<std::string> message = child.Receive(
      options.patience,
      [&] { return may_be_interrupted && options.interrupted(); });
  if (absl::IsCancelled(message.status()))
    return absl::CancelledError("interrupted");
  if (absl::IsDeadlineExceeded(message.status())) {
    return Broken(absl::DeadlineExceededError(absl::StrCat(
        "it has said nothing for ", absl::FormatDuration(options.patience),
        "; its last words: ", child.output())));
  }
  if (!message.ok()) return Broken(message.status());
  proto::NetworkCheckReply reply;
  if (reply.ParseFromString(*message)) return reply;
  return Broken(absl::DataLossError("it answers nonsense"));
}

}  // namespace

absl::StatusOr<proto::NetworkCheckResult> CheckNetworkApart(
    const proto::NetworkCheckRequest& request,
    const NetworkCheckerOptions& options) {
  const bool may_be_interrupted = !options.interrupted();
  absl::StatusOr<MessageChild> child = MessageChild::Start(options.command);
  if (!child.ok()) return Broken(child.status());
  if (const absl::Status sent =
          child->Send(request.SerializeAsString(), absl::Seconds(30));
      !sent.ok()) {
    return Broken(sent);
  }
  for (;;) {
    ASSIGN_OR_RETURN(proto::NetworkCheckReply reply,
                     Next(options, may_be_interrupted, *child));
    switch (reply.kind_case()) {
      case proto::NetworkCheckReply::kSay:
        options.say(reply.say());
        break;
      case proto::NetworkCheckReply::kResult:
        return std::move(*reply.mutable_result());
      case proto::NetworkCheckReply::kError:
        return absl::Status(static_cast<absl::StatusCode>(reply.error().code()),
                            reply.error().message());
      case proto::NetworkCheckReply::KIND_NOT_SET:
        return Broken(absl::DataLossError("it answers nothing"));
    }
  }
}

std::optional<int> RunIfNetworkChecker(int argc, char** argv) {
  if (argc != 2 || absl::string_view(argv[1]) != kNetworkCheckerArgument)
    return std::nullopt;
  absl::StatusOr<MessageParent> parent = MessageParent::FromEnvironment();
  if (!parent.ok()) return std::nullopt;
  const absl::StatusOr<std::string> message = parent->Receive();
  if (!message.ok()) return 0;
  proto::NetworkCheckRequest request;
  if (!request.ParseFromString(*message)) return 1;
  const auto say = [&](const std::string& text) {
    proto::NetworkCheckReply reply;
    reply.set_say(text);
    // A parent that is gone ends this process.
    parent->Send(reply.SerializeAsString()).IgnoreError();
  };
  parent->Send(ToReply(CheckNetwork(request, say)).SerializeAsString())
      .IgnoreError();
  return 0;
}

}  // namespace pruner
