// Collects a data set; see kUsage.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "halide_ext/runner/worker.h"
#include "models/job/collect_job.h"
#include "models/job/tune_options.h"
#include "pruner/base/os/environment.h"
#include "pruner/base/os/signals.h"
#include "pruner/base/os/terminal.h"
#include "pruner/base/status_macros.h"
#include "pruner/record/log_contents.h"
#include "tools/collect/operator_tasks.h"
#include "tools/common/tool_flags.h"
#include "tools/common/tool_output.h"
#include "tools/records/show_log.h"

ABSL_FLAG(std::string, model, "",
          "networks, with commas between them: names such as resnet50, or "
          "graph files (.txtpb)");
ABSL_FLAG(std::string, operators, "",
          "operators of Ansor's evaluation, with commas between them: gmm for "
          "all of its shapes, gmm_2 for one");
ABSL_FLAG(int, batch, 1,
          "inputs that are computed at once; operators have 1 and 16");
ABSL_FLAG(int64_t, programs, 1200, "distinct random programs of each task");
ABSL_FLAG(int, again, 20,
          "so many of each task's programs, from the fastest to the slowest, "
          "are timed a second time in the end, which tells the noise; 0: none");
ABSL_FLAG(std::string, sampling, "hardware",
          "how tile sizes are drawn: hardware, with the target in mind, or "
          "ansor, uniformly");
ABSL_FLAG(
    std::string, measure_policy, pruner::kAutoPolicy,
    "where programs find a network's constants when they are timed: auto, "
    "where the network leaves them; warm, in the caches; llc, in the "
    "last-level cache; memory");
ABSL_FLAG(std::string, formulations, "direct",
          "ways to compute a network's kernel, each a task: all, or of direct,"
          "winograd_f2,winograd_f4,im2col,nchwc; empty: those that may pay");
ABSL_FLAG(double, max_error, 1e-3,
          "formulations with a larger relative error take no part");
ABSL_FLAG(std::string, target, "host",
          "the machine to measure on: host, or a target file (.txtpb)");
ABSL_FLAG(int, threads, 0, "threads that kernels use; 0: all cores");
ABSL_FLAG(uint64_t, seed, 1, "of everything random");
ABSL_FLAG(std::string, output_dir, "", "folder of the record log");
ABSL_FLAG(absl::Duration, compile_timeout, absl::Seconds(15),
          "a candidate that computes for longer to be compiled has failed");
ABSL_FLAG(bool, fresh, false,
          "start anew: an earlier record log is put aside, not continued");

namespace pruner {
namespace {

constexpr char kUsage[] =
    "Collects a data set: times random programs of a network's kernels, or of "
    "single operators,\n"
    "and keeps them in DIR/records.log.\n\n"
    "  collect --model=resnet50 --output_dir=r50\n"
    "  collect --operators=gmm,c3d,dep,t2d,tbs --sampling=ansor "
    "--output_dir=operators\n\n"
    "A run that was interrupted goes on where it stopped when started again. "
    "Ctrl-C ends it; a\n"
    "second one quits.";

constexpr char kSources[] = "tools/collect/";

std::vector<std::string> ListOf(const std::string& text) {
  return absl::StrSplit(text, ',', absl::SkipEmpty());
}

CollectOptions OptionsFromFlags() {
  CollectOptions options = {.programs = absl::GetFlag(FLAGS_programs),
                            .again = absl::GetFlag(FLAGS_again)};
  TuneOptions& search = options.search;
  search.models = ListOf(absl::GetFlag(FLAGS_model));
  search.batch = absl::GetFlag(FLAGS_batch);
  search.sampling = absl::GetFlag(FLAGS_sampling);
  search.measure_policy = absl::GetFlag(FLAGS_measure_policy);
  search.formulations = absl::GetFlag(FLAGS_formulations);
  search.max_error = absl::GetFlag(FLAGS_max_error);
  search.target = absl::GetFlag(FLAGS_target);
  search.threads = absl::GetFlag(FLAGS_threads);
  search.seed = absl::GetFlag(FLAGS_seed);
  if (const std::string folder = absl::GetFlag(FLAGS_output_dir);
      !folder.empty())
    search.output_dir = ResolveUserPath(folder);
  search.compile_timeout = absl::GetFlag(FLAGS_compile_timeout);
  search.fresh = absl::GetFlag(FLAGS_fresh);
  search.given = GivenFlags(kSources);
  search.terminal = StdoutIsTerminal();
  search.columns = TerminalColumns();
  return options;
}

absl::StatusOr<CollectResult> Collect() {
  const InterruptFlag interrupt;
  RunOutput output("collect");
  ASSIGN_OR_RETURN(
      CollectResult result,
      RunCollectJob(OptionsFromFlags(),
                    [](const TargetSpec& target) {
                      return OperatorTasks(
                          ListOf(absl::GetFlag(FLAGS_operators)),
                          absl::GetFlag(FLAGS_batch), target);
                    },
                    {.say = [&](const std::string& text) { output.Say(text); },
                     .show = [&](absl::string_view text) { output.Show(text); },
                     .interrupted = [&] { return interrupt.raised(); }}));
  ASSIGN_OR_RETURN(const LogContents log, ReadRecordLog(result.log));
  RETURN_IF_ERROR(Print(absl::StrCat(
      "\n", SummaryText(log),
      result.interrupted
          ? "interrupted: the same command goes on where it stopped\n"
          : "")));
  return result;
}

}  // namespace
}  // namespace pruner

int main(int argc, char** argv) {
  using namespace pruner;  // NOLINT: this is the program
  if (const std::optional<int> code = RunIfWorker()) return *code;
  if (const std::optional<int> code = InitTool(argc, argv, kUsage, kSources))
    return *code;
  const absl::StatusOr<CollectResult> result = Collect();
  if (!result.ok()) return ReportError("collect", result.status());
  if (result->nothing_valid.empty()) return kExitOk;
  PrintNote("collect", result->nothing_valid);
  return kExitNothingValid;
}
