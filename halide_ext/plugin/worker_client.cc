#include "halide_ext/plugin/worker_client.h"

#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "pruner/base/clock.h"
#include "pruner/base/os/environment.h"
#include "pruner/base/os/files.h"
#include "pruner/base/os/message_child.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

}  // namespace

absl::StatusOr<std::string> FindWorker(const std::string& plugin) {
  if (const std::optional<std::string> named = GetEnv(kWorkerVariable)) {
    if (FileExists(*named)) return *named;
    return absl::NotFoundError(
        absl::StrCat(kWorkerVariable, " names ", *named, ", which is no file"));
  }
  const std::string folder = FolderOf(plugin);
  const std::vector<std::string> places = {
      absl::StrCat(folder, "/", kWorkerName),
      absl::StrCat(folder, "/../bin/", kWorkerName),
      absl::StrCat(plugin, ".runfiles/pruner/halide_ext/plugin/", kWorkerName)};
  for (const std::string& place : places) {
    if (FileExists(place)) return place;
  }
  return absl::NotFoundError(absl::StrCat(
      "there is no ", absl::StrJoin(places, ", nor "), ": keep ", kWorkerName,
      " beside the plugin, or name it in ", kWorkerVariable));
}

absl::StatusOr<proto::ScheduleReply> AskWorker(
    const std::string& worker, const proto::ScheduleRequest& request,
    absl::Duration timeout,
    const std::function<void(const std::string&)>& say) {
  ASSIGN_OR_RETURN(MessageChild child, MessageChild::Start({worker}));
  const absl::Duration end = RealClock().Elapsed() + timeout;
  RETURN_IF_ERROR(child.Send(request.SerializeAsString(), timeout));
  for (;;) {
    ASSIGN_OR_RETURN(const std::string text,
                     child.Receive(end - RealClock().Elapsed()));
    proto::ScheduleReply reply;
    if (!reply.ParseFromString(text))
      return absl::InternalError("the worker's reply is garbage");
    if (reply.progress().empty()) return reply;
    say(reply.progress());
  }
}

}  // namespace pruner
