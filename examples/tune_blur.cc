// Tunes a blur on this machine, without and with a derivation rule of its own:
//   bazel run -c opt //examples:tune_blur -- --trials=100
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "examples/blur.h"
#include "examples/strips_rule.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/runner/worker.h"
#include "halide_ext/runner/worker_measurer.h"
#include "pruner/base/clock.h"
#include "pruner/base/os/files.h"
#include "pruner/base/status_macros.h"
#include "pruner/base/text/units.h"
#include "pruner/schedule/replay.h"
#include "pruner/search/policy_inputs.h"
#include "pruner/search/policy_table.h"
#include "pruner/sketch/user_rules.h"
#include "pruner/target/load_target_spec.h"
#include "pruner/tune/policy_models.h"
#include "pruner/tune/task_scheduler.h"
#include "pruner/tune/tune.h"

ABSL_FLAG(int, width, 1920, "columns of the image");
ABSL_FLAG(int, height, 1088, "rows of the image");
ABSL_FLAG(int64_t, trials, 100, "candidates to measure, each time");
ABSL_FLAG(
    std::string, scratch, "",
    "an existing folder of one's own for the workers; a new one if empty");

namespace pruner {
namespace {

// The best schedule that a search in the space of these rules finds.
absl::StatusOr<MeasureRecord> TuneWith(const SketchRules& rules,
                                       const TuningTask& task,
                                       const TargetSpec& target,
                                       const std::string& scratch) {
  ASSIGN_OR_RETURN(
      const std::unique_ptr<WorkerMeasurer> measurer,
      WorkerMeasurer::Create({.target = target,
                              .threads = static_cast<int>(target.units.cores),
                              .scratch_directory = scratch}));
  ASSIGN_OR_RETURN(const PolicyEntry* policy, FindPolicy(kDefaultPolicy));
  ASSIGN_OR_RETURN(const std::unique_ptr<PolicyModels> models,
                   PolicyModels::For(*policy, target));
  RoundRobinScheduler scheduler;
  const TuningTools tools = {.target = target,
                             .measurer = *measurer,
                             .scheduler = scheduler,
                             .make_policy =
                                 [&](const TuningTask& tuned) {
                                   PolicyInputs inputs = {
                                       .context = ContextOf(tuned, target),
                                       .rules = rules};
                                   models->AddTo(inputs);
                                   return policy->make(inputs);
                                 },
                             .clock = RealClock(),
                             .learner = models->learner()};
  ASSIGN_OR_RETURN(
      const TuningOutcome outcome,
      Tune({task}, {}, tools, {.trials = absl::GetFlag(FLAGS_trials)}));
  const TaskOutcome& found = outcome.tasks[0];
  // A rule that errs is a problem of the task.
  RETURN_IF_ERROR(found.problem);
  if (!found.records.best) return absl::InternalError("all candidates failed");
  return *found.records.best;
}

absl::Status Run() {
  ASSIGN_OR_RETURN(
      Workload workload,
      MakeWorkload("blur", BlurPipeline(absl::GetFlag(FLAGS_width),
                                        absl::GetFlag(FLAGS_height))));
  const TuningTask task = {.workload = std::move(workload)};
  ASSIGN_OR_RETURN(const TargetSpec target, LoadTargetSpec("host"));
  const StripsRule strips;
  const std::pair<const char*, SketchRules> cases[] = {
      {"built-in rules", WithBuiltInRules({}, target)},
      {"with strips", WithBuiltInRules({&strips}, target)}};
  // What is in it is taken to be true: nobody else may write there.
  ASSIGN_OR_RETURN(const TempDirectory own, TempDirectory::Create());
  const std::string given = absl::GetFlag(FLAGS_scratch);
  for (const auto& [name, rules] : cases) {
    ASSIGN_OR_RETURN(
        const MeasureRecord best,
        TuneWith(rules, task, target, given.empty() ? own.path() : given));
    ASSIGN_OR_RETURN(const LoopState loops,
                     Replay(task.workload.dag, best.schedule));
    std::printf("%s: %s\n%s\n", name,
                FormatTime(absl::Seconds(Cost(best.result))).c_str(),
                loops.ToString().c_str());
  }
  return absl::OkStatus();
}

}  // namespace
}  // namespace pruner

int main(int argc, char** argv) {
  // Candidates are compiled and timed by further processes of this program.
  if (const std::optional<int> code = pruner::RunIfWorker()) return *code;
  absl::ParseCommandLine(argc, argv);
  const absl::Status status = pruner::Run();
  if (status.ok()) return 0;
  std::fprintf(stderr, "tune_blur: %s\n",
               std::string(status.message()).c_str());
  return 1;
}
