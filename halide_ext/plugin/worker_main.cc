// The program that the plugin asks for schedules, so that whatever happens to
// it happens to nobody else: it gets one request, answers and ends. With
// kMeasureArgument it compiles and times the candidates of another one, with
// kCheckArgument it looks at one of them.
#include <iostream>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "halide_ext/plugin/choose_schedule.h"
#include "halide_ext/plugin/plugin.pb.h"
#include "halide_ext/plugin/schedule_check.h"
#include "halide_ext/plugin/tune_pipeline.h"
#include "halide_ext/runner/worker.h"
#include "pruner/base/os/message_parent.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

absl::Status Serve(MessageParent& parent) {
  ASSIGN_OR_RETURN(const std::string text, parent.Receive());
  proto::ScheduleRequest request;
  if (!request.ParseFromString(text))
    return absl::InvalidArgumentError("the request is garbage");
  const auto say = [&](absl::string_view text) {
    proto::ScheduleReply progress;
    progress.set_progress(text);
    // Whoever does not listen any more will end this process.
    parent.Send(progress.SerializeAsString()).IgnoreError();
  };
  return parent.Send(ChooseSchedule(request, say).SerializeAsString());
}

}  // namespace
}  // namespace pruner

int main(int argc, char** argv) {
  if (argc > 1 && absl::string_view(argv[1]) == pruner::kMeasureArgument)
    return pruner::RunIfWorker().value_or(2);
  if (argc > 1 && absl::string_view(argv[1]) == pruner::kCheckArgument)
    return pruner::RunScheduleCheck();
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
