// What autoschedulers take to schedule pipelines of many stages; see kUsage.
#include <sys/resource.h>

#include <cstdint>
#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/time/time.h"
#include "halide_ext/analyze/analyze.h"
#include "pruner/base/clock.h"
#include "pruner/base/os/memory.h"
#include "pruner/base/os/program_path.h"
#include "pruner/base/os/subprocess.h"
#include "pruner/base/status_macros.h"
#include "pruner/base/text/table.h"
#include "tools/bench/deep_pipelines.h"
#include "tools/bench/stencil_pipelines.h"
#include "tools/common/tool_flags.h"
#include "tools/cpp/runfiles/runfiles.h"

ABSL_FLAG(std::string, only, "", "the pipelines whose names contain this");
ABSL_FLAG(absl::Duration, timeout, absl::Minutes(1),
          "for which each autoscheduler is waited for");
ABSL_FLAG(std::string, autoscheduler, "",
          "this one alone, of the first pipeline, in this process: prints what "
          "it took");

namespace pruner {
namespace {

using bazel::tools::cpp::runfiles::Runfiles;

constexpr char kUsage[] =
    "What Pruner, without trials, and Halide's autoschedulers take to schedule "
    "pipelines of up to a hundred stages: seconds, and megabytes of memory, of "
    "a process for each; what it starts counts.\n\n"
    "  scheduling --only=chain";
constexpr char kSources[] = "tools/bench/scheduling_bench";

constexpr int kWidth = 1536;
constexpr int kHeight = 2560;

struct Autoscheduler {
  const char* name;
  const char* plugin;
};
constexpr Autoscheduler kAutoschedulers[] = {
    {"Pruner", "pruner/halide_ext/plugin/libautoschedule_pruner.so"},
    {"Adams2019", "halide/halide/lib64/libautoschedule_adams2019.so"},
    {"Li2018", "halide/halide/lib64/libautoschedule_li2018.so"},
    {"Mullapudi2016", "halide/halide/lib64/libautoschedule_mullapudi2016.so"}};

std::vector<StencilCase> Cases() {
  std::vector<StencilCase> cases;
  for (const auto& all :
       {StencilCases(kWidth, kHeight), DeepCases(kWidth, kHeight)}) {
    for (const StencilCase& c : all) {
      if (absl::StrContains(c.name, absl::GetFlag(FLAGS_only)))
        cases.push_back(c);
    }
  }
  return cases;
}

int64_t PeakMemoryOfChildren() {
  rusage usage = {};
  getrusage(RUSAGE_CHILDREN, &usage);
  return int64_t{usage.ru_maxrss} * 1024;
}

// Seconds and megabytes, as a line of stdout.
absl::Status ScheduleHere(const std::string& name) {
  std::string error;
  const std::unique_ptr<Runfiles> runfiles(
      Runfiles::Create(ProgramPath(), &error));
  if (runfiles == nullptr) return absl::InternalError(error);
  const std::vector<StencilCase> cases = Cases();
  if (cases.empty()) return absl::NotFoundError("there is no such pipeline");
  Halide::Pipeline pipeline = cases.front().make();
  for (Halide::Func output : pipeline.outputs()) {
    const std::vector<Halide::Var> args = output.args();
    output.set_estimate(args[0], 0, kWidth).set_estimate(args[1], 0, kHeight);
  }
  for (const Autoscheduler& autoscheduler : kAutoschedulers) {
    if (name != autoscheduler.name) continue;
    Halide::load_plugin(runfiles->Rlocation(autoscheduler.plugin));
    const absl::Duration start = RealClock().Elapsed();
    pipeline.apply_autoscheduler(
        Halide::Target("x86-64-linux-avx-avx2-f16c-fma-sse41"),
        {name, {{"parallelism", "2"}}});
    std::printf(
        "%.9g %.9g\n", absl::ToDoubleSeconds(RealClock().Elapsed() - start),
        static_cast<double>(PeakMemoryBytes() + PeakMemoryOfChildren()) / 1e6);
    return absl::OkStatus();
  }
  return absl::NotFoundError(absl::StrCat("there is no autoscheduler ", name));
}

// In a process of its own, whose memory nobody else has used.
absl::StatusOr<std::string> Schedule(const std::string& pipeline,
                                     const std::string& autoscheduler) {
  ASSIGN_OR_RETURN(const CommandResult result,
                   RunCommand({ProgramPath(), absl::StrCat("--only=", pipeline),
                               absl::StrCat("--autoscheduler=", autoscheduler)},
                              {.timeout = absl::GetFlag(FLAGS_timeout)}));
  if (result.timed_out) return "no end";
  if (!result.ok()) {
    std::cerr << pipeline << ", " << autoscheduler << ": " << result.stderr_text
              << "\n";
    return "failed";
  }
  double seconds = 0, megabytes = 0;
  const std::vector<std::string> words =
      absl::StrSplit(result.stdout_text, absl::ByAnyChar(" \n"));
  if (words.size() < 2 || !absl::SimpleAtod(words[0], &seconds) ||
      !absl::SimpleAtod(words[1], &megabytes))
    return absl::InternalError(absl::StrCat("said ", result.stdout_text));
  return absl::StrFormat("%.2f s, %.0f MB", seconds, megabytes);
}

absl::Status ScheduleAll() {
  std::vector<Table::Column> columns = {{"pipeline", Table::Align::kLeft},
                                        {"stages"}};
  for (const Autoscheduler& autoscheduler : kAutoschedulers)
    columns.push_back({autoscheduler.name});
  Table table(columns);
  for (const StencilCase& c : Cases()) {
    ASSIGN_OR_RETURN(const AnalyzedPipeline analyzed,
                     AnalyzePipeline(c.make()));
    std::vector<std::string> row = {c.name, absl::StrCat(analyzed.dag.size())};
    for (const Autoscheduler& autoscheduler : kAutoschedulers) {
      ASSIGN_OR_RETURN(row.emplace_back(),
                       Schedule(c.name, autoscheduler.name));
    }
    table.AddRow(row);
  }
  std::cout << table.ToString();
  return absl::OkStatus();
}

int Main() {
  const std::string name = absl::GetFlag(FLAGS_autoscheduler);
  const absl::Status done = name.empty() ? ScheduleAll() : ScheduleHere(name);
  return done.ok() ? kExitOk : ReportError("scheduling", done);
}

}  // namespace
}  // namespace pruner

// NOLINTNEXTLINE(bugprone-exception-escape): what is thrown here ends it.
int main(int argc, char** argv) {
  const std::optional<int> exit =
      pruner::InitTool(argc, argv, pruner::kUsage, pruner::kSources);
  return exit ? *exit : pruner::Main();
}
