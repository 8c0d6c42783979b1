#include "halide_ext/tests/fuzz_cases.h"

#include <memory>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "halide_ext/tests/fuzz_reference.h"
#include "pruner/base/status_macros.h"
#include "pruner/schedule/replay.h"
#include "pruner/schedule/schedule_text.h"

namespace pruner {
absl::StatusOr<proto::FuzzCrasher> MakeCrasher(const FuzzCase& fuzz_case,
                                               FuzzMode mode) {
  proto::FuzzCrasher crasher;
  ASSIGN_OR_RETURN(FuzzSubject subject,
                   FuzzSubject::Create(fuzz_case.pipeline_seed, mode,
                                       *crasher.mutable_about()));
  ASSIGN_OR_RETURN(const std::optional<Schedule> schedule,
                   subject.Draw(fuzz_case.schedule));
  crasher.set_pipeline(subject.workload().pipeline);
  crasher.set_schedule(PrintSchedule(schedule.value_or(Schedule())));
  crasher.set_seed(fuzz_case.pipeline_seed);
  crasher.set_opencl(mode.backend != Backend::kHost);
  crasher.set_any_size(mode.any_size);
  return crasher;
}

absl::Status RunCrasher(const proto::FuzzCrasher& crasher) {
  const FuzzMode mode = {
      .backend = crasher.opencl() ? Backend::kOpenCl : Backend::kHost,
      .any_size = crasher.any_size()};
  ASSIGN_OR_RETURN(
      const std::unique_ptr<FuzzReference> reference,
      FuzzReference::Make(crasher.pipeline(), crasher.seed(), mode));
  ASSIGN_OR_RETURN(const Schedule schedule, ParseSchedule(crasher.schedule()));
  // What replay refuses by now is as good as what is right, if that is known: a
  // replay that refused everything would make all of them good.
  const absl::Status replayed = Replay(reference->dag(), schedule).status();
  if (replayed.ok() == crasher.refused()) {
    return absl::FailedPreconditionError(
        replayed.ok() ? "replay does not refuse it any more"
                      : absl::StrCat("replay refuses it: ", replayed.message(),
                                     "; say `refused: true` if it should"));
  }
  if (crasher.refused()) return absl::OkStatus();
  return reference->Check(schedule, /*on_compiled=*/[] {});
}

void RunFuzzCases(uint64_t pipeline_seed, int first, int last, FuzzMode mode,
                  const FuzzCallbacks& callbacks) {
  FuzzCase at = {.pipeline_seed = pipeline_seed, .schedule = -1};
  callbacks.on_start(at);
  std::string text;
  absl::StatusOr<FuzzSubject> subject =
      FuzzSubject::Create(pipeline_seed, mode, text);
  absl::StatusOr<std::unique_ptr<FuzzReference>> reference =
      subject.ok() ? FuzzReference::Make(subject->workload().pipeline,
                                         pipeline_seed, mode)
                   : subject.status();
  if (subject.ok() && absl::IsFailedPrecondition(reference.status())) return;
  if (!reference.ok()) {
    callbacks.on_failure(
        at, absl::StrCat(reference.status().message(), "\n", text));
    return;
  }
  for (at.schedule = first; at.schedule <= last; ++at.schedule) {
    callbacks.on_start(at);
    absl::StatusOr<std::optional<Schedule>> schedule =
        subject->Draw(at.schedule);
    if (!schedule.ok()) {
      callbacks.on_failure(
          at, absl::StrCat("no schedule: ", schedule.status().message(), "\n",
                           text));
      continue;
    }
    if (!schedule->has_value()) continue;
    const absl::Status status =
        (*reference)->Check(**schedule, [&] { callbacks.on_compiled(at); });
    callbacks.on_checked(at);
    if (status.ok()) continue;
    callbacks.on_failure(at, absl::StrCat(status.message(), "\n", text, "\n",
                                          PrintSchedule(**schedule)));
  }
}

}  // namespace pruner
