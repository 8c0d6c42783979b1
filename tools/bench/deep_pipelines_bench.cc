// How long the tuner takes over pipelines of a hundred stages; see kUsage.
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/time.h"
#include "halide_ext/analyze/analyze.h"
#include "pruner/base/clock.h"
#include "pruner/base/os/memory.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"
#include "pruner/base/text/flag_range.h"
#include "pruner/base/text/json.h"
#include "pruner/base/text/table.h"
#include "pruner/base/text/units.h"
#include "pruner/sample/default_schedule.h"
#include "pruner/sample/sample.h"
#include "pruner/sample/schedule_space.h"
#include "pruner/target/load_target_spec.h"
#include "tools/bench/deep_pipelines.h"
#include "tools/bench/deep_pipelines_bench.pb.h"
#include "tools/common/tool_flags.h"

ABSL_FLAG(std::string, only, "", "the pipelines whose names contain this");
ABSL_FLAG(std::string, target, "host", "whose schedules; as tune takes it");
ABSL_FLAG(int, width, 1536, "of the image, at least 512");
ABSL_FLAG(int, height, 2560, "of the image, at least 512");
ABSL_FLAG(int, draws, 1000, "random schedules of each pipeline");
ABSL_FLAG(int, seed, 1, "of the schedules");
ABSL_FLAG(bool, json, false, "end with the results as one line of JSON");

namespace pruner {
namespace {

constexpr char kUsage[] =
    "How long sketches, the default schedule and random schedules of pipelines "
    "of a hundred stages take, on one core, and how much memory.\n\n"
    "  deep_pipelines --only=residuals --draws=1000";
constexpr char kSources[] = "tools/bench/deep_pipelines_bench";

// Milliseconds since it was made, or since it was last asked.
class Stopwatch {
 public:
  double Lap() {
    const absl::Duration now = RealClock().Elapsed();
    return absl::ToDoubleMilliseconds(now - std::exchange(start_, now));
  }

 private:
  absl::Duration start_ = RealClock().Elapsed();
};

absl::Status Draw(ScheduleSpace& space, proto::DeepPipeline& result) {
  Rng rng(absl::GetFlag(FLAGS_seed));
  const int draws = absl::GetFlag(FLAGS_draws);
  int accepted = 0;
  for (int i = 0; i < draws; ++i) {
    ASSIGN_OR_RETURN(const CandidateDraw draw, Sample(space, rng));
    if (const auto* rejection = std::get_if<Rejection>(&draw)) {
      ++(*result.mutable_rejections())[RejectionName(*rejection)];
    } else {
      ++accepted;
    }
  }
  result.set_draws(draws);
  result.set_acceptance(static_cast<double>(accepted) / draws);
  return absl::OkStatus();
}

absl::StatusOr<proto::DeepPipeline> Measure(const StencilCase& c,
                                            const TargetSpec& target) {
  const Halide::Pipeline pipeline = c.make();
  proto::DeepPipeline result;
  result.set_name(c.name);
  ResetPeakMemory();
  Stopwatch stopwatch;
  ASSIGN_OR_RETURN(const AnalyzedPipeline analyzed, AnalyzePipeline(pipeline));
  result.set_analysis_ms(stopwatch.Lap());
  result.set_stages(analyzed.dag.size());
  const SketchContext context = {.dag = analyzed.dag, .target = target};
  ASSIGN_OR_RETURN(const std::unique_ptr<ScheduleSpace> space,
                   ScheduleSpace::Create(context));
  result.set_sketches_ms(stopwatch.Lap());
  RETURN_IF_ERROR(DefaultSchedule(context).status());
  result.set_default_schedule_ms(stopwatch.Lap());
  RETURN_IF_ERROR(Draw(*space, result));
  result.set_draws_ms(stopwatch.Lap());
  result.set_sketches(space->num_sketches());
  result.set_total_ms(result.sketches_ms() + result.default_schedule_ms() +
                      result.draws_ms());
  result.set_peak_memory_mb(static_cast<double>(PeakMemoryBytes()) / 1e6);
  return result;
}

std::string ToText(const proto::DeepPipelines& results) {
  Table table({{"pipeline", Table::Align::kLeft},
               {"stages"},
               {"analysis"},
               {"sketches"},
               {"in"},
               {"default"},
               {"draws"},
               {"in"},
               {"accepted"},
               {"all but analysis"},
               {"peak MB"}});
  const auto time = [](double ms) {
    return FormatTime(absl::Milliseconds(ms));
  };
  std::string rejections;
  for (const proto::DeepPipeline& p : results.pipelines()) {
    table.AddRow(
        {p.name(), absl::StrCat(p.stages()), time(p.analysis_ms()),
         absl::StrCat(p.sketches()), time(p.sketches_ms()),
         time(p.default_schedule_ms()), absl::StrCat(p.draws()),
         time(p.draws_ms()), absl::StrFormat("%.1f%%", 100 * p.acceptance()),
         time(p.total_ms()), absl::StrFormat("%.0f", p.peak_memory_mb())});
    for (const auto& [reason, count] : std::map<std::string, int>(
             p.rejections().begin(), p.rejections().end())) {
      absl::StrAppend(&rejections, "  ", p.name(), ": ", reason, " ", count,
                      "\n");
    }
  }
  return absl::StrCat(table.ToString(), "Rejected:\n", rejections);
}

absl::StatusOr<proto::DeepPipelines> Run() {
  proto::DeepPipelines results;
  results.set_width(absl::GetFlag(FLAGS_width));
  results.set_height(absl::GetFlag(FLAGS_height));
  RETURN_IF_ERROR(CheckFlagRange("width", results.width(), 512, 1 << 14));
  RETURN_IF_ERROR(CheckFlagRange("height", results.height(), 512, 1 << 14));
  RETURN_IF_ERROR(
      CheckFlagRange("draws", absl::GetFlag(FLAGS_draws), 1, 1 << 20));
  ASSIGN_OR_RETURN(const TargetSpec target,
                   LoadTargetSpec(absl::GetFlag(FLAGS_target)));
  results.set_target(target.name);
  for (const StencilCase& c : DeepCases(results.width(), results.height())) {
    if (!absl::StrContains(c.name, absl::GetFlag(FLAGS_only))) continue;
    ASSIGN_OR_RETURN(*results.add_pipelines(), Measure(c, target));
  }
  return results;
}

int Main() {
  const absl::StatusOr<proto::DeepPipelines> results = Run();
  if (!results.ok()) return ReportError("deep_pipelines", results.status());
  std::fputs(ToText(*results).c_str(), stdout);
  if (absl::GetFlag(FLAGS_json)) std::printf("%s\n", ToJson(*results).c_str());
  return kExitOk;
}

}  // namespace
}  // namespace pruner

// NOLINTNEXTLINE(bugprone-exception-escape): what is thrown here ends it.
int main(int argc, char** argv) {
  const std::optional<int> exit =
      pruner::InitTool(argc, argv, pruner::kUsage, pruner::kSources);
  return exit ? *exit : pruner::Main();
}
