// The program that the plugin asks for schedules, so that whatever happens to
// it happens to nobody else: it gets one request, answers and ends.
#include <iostream>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "halide_ext/plugin/choose_schedule.h"
#include "halide_ext/plugin/plugin.pb.h"
#include "pruner/base/os/message_parent.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

absl::Status Serve(MessageParent& parent) {
  ASSIGN_OR_RETURN(const std::string text, parent.Receive());
  proto::ScheduleRequest request;
  if (!request.ParseFromString(text))
    return absl::InvalidArgumentError("the request is garbage");
  return parent.Send(ChooseSchedule(request).SerializeAsString());
}

}  // namespace
}  // namespace pruner

int main() {
  absl::StatusOr<pruner::MessageParent> parent =
      pruner::MessageParent::FromEnvironment();
  if (!parent.ok()) {
    std::cerr << "this is a part of libautoschedule_pruner.so, which starts "
                 "it; see docs/autoscheduler.md\n";
    return 2;
  }
  const absl::Status status = pruner::Serve(*parent);
  if (status.ok()) return 0;
  std::cerr << status.message() << "\n";
  return 1;
}
