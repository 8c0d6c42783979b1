// How fast schedules are made and looked at: sketches, random schedules,
// mutations, replays and symbols of one convolution, on one core.
//   bazel run -c opt //tools/bench:schedules -- --json
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/log/check.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/time.h"
#include "google/protobuf/util/json_util.h"
#include "halide_ext/analyze/analyze.h"
#include "halide_ext/analyze/sample_pipelines.h"
#include "pruner/analysis/program_symbols.h"
#include "pruner/base/clock.h"
#include "pruner/base/status_macros.h"
#include "pruner/base/text/table.h"
#include "pruner/base/text/units.h"
#include "pruner/program/resolve.h"
#include "pruner/sample/mutate.h"
#include "pruner/sample/sample.h"
#include "pruner/sample/schedule_space.h"
#include "pruner/schedule/replay.h"
#include "pruner/sketch/sketch_generator.h"
#include "pruner/target/load_target_spec.h"
#include "tools/bench/schedules_bench.pb.h"
#include "tools/common/tool_flags.h"

ABSL_FLAG(std::string, target, "host", "whose schedules; as tune takes it");
ABSL_FLAG(int, size, 56, "input height and width");
ABSL_FLAG(int, in, 64, "input channels");
ABSL_FLAG(int, out, 64, "output channels");
ABSL_FLAG(int, kernel, 3, "kernel height and width");
ABSL_FLAG(int, stride, 1, "stride");
ABSL_FLAG(double, seconds, 1, "how long each figure is measured");
ABSL_FLAG(int, seed, 1, "seed");
ABSL_FLAG(bool, json, false, "print one JSON object as the last line");

namespace pruner {
namespace {

constexpr char kSources[] = "tools/bench";

// Schedules that are replayed and mutated in turn.
constexpr int kPoolSize = 256;

// The rate of the quickest tenth of the time: other programs disturb the rest.
double PerSecond(const std::function<void()>& call) {
  constexpr int kParts = 10;
  const absl::Duration part =
      absl::Seconds(absl::GetFlag(FLAGS_seconds)) / kParts;
  double best = 0;
  for (int i = 0; i < kParts; ++i) {
    const absl::Duration start = RealClock().Elapsed();
    absl::Duration elapsed;
    int64_t calls = 0;
    do {
      call();
      ++calls;
      elapsed = RealClock().Elapsed() - start;
    } while (elapsed < part);
    best =
        std::max(best, static_cast<double>(calls) / ToDoubleSeconds(elapsed));
  }
  return best;
}

// What became of draws.
struct DrawCounts {
  int64_t accepted = 0;
  std::map<std::string, int64_t> rejected;

  std::optional<Candidate> Count(absl::StatusOr<CandidateDraw> draw) {
    CHECK_OK(draw);
    if (const auto* rejection = std::get_if<Rejection>(&*draw)) {
      ++rejected[std::string(RejectionName(*rejection))];
      return std::nullopt;
    }
    ++accepted;
    return std::get<Candidate>(*std::move(draw));
  }

  double Acceptance() const {
    int64_t draws = accepted;
    for (const auto& [reason, count] : rejected) draws += count;
    return static_cast<double>(accepted) / static_cast<double>(draws);
  }
};

std::vector<Candidate> MakePool(ScheduleSpace& space, Rng rng) {
  std::vector<Candidate> pool;
  while (pool.size() < kPoolSize) {
    if (auto candidate = DrawCounts().Count(Sample(space, rng)))
      pool.push_back(*std::move(candidate));
  }
  return pool;
}

// A function that gives 0, 1, … kPoolSize - 1, 0, …
std::function<size_t()> RoundRobin() {
  return [i = size_t{0}]() mutable { return i++ % kPoolSize; };
}

void BenchSampling(ScheduleSpace& space, proto::SchedulesBench& result) {
  Rng rng(absl::GetFlag(FLAGS_seed));
  DrawCounts counts;
  result.set_samples_per_second(PerSecond([&] {
    while (!counts.Count(Sample(space, rng))) {
    }
  }));
  result.set_sample_acceptance(counts.Acceptance());
  result.mutable_sample_rejections()->insert(counts.rejected.begin(),
                                             counts.rejected.end());
}

void BenchMutation(ScheduleSpace& space, std::vector<Candidate> pool,
                   proto::SchedulesBench& result) {
  Rng rng(absl::GetFlag(FLAGS_seed));
  DrawCounts counts;
  const auto next = RoundRobin();
  result.set_mutations_per_second(PerSecond([&] {
    std::optional<Candidate> mutated;
    size_t i = 0;
    do {
      i = next();
      mutated = counts.Count(Mutate(space, pool[i], rng));
    } while (!mutated);
    pool[i] = *std::move(mutated);
  }));
  result.set_mutation_acceptance(counts.Acceptance());
  result.mutable_mutation_rejections()->insert(counts.rejected.begin(),
                                               counts.rejected.end());
}

void BenchAnalysis(const SketchContext& context,
                   const std::vector<Schedule>& pool,
                   proto::SchedulesBench& result) {
  std::vector<Program> programs;
  for (const Schedule& schedule : pool)
    programs.push_back(Resolve(context.dag, schedule, context.target).value());
  const auto next = RoundRobin();
  size_t used = 0;  // so that nothing is optimized away
  ProgramSymbols symbols;
  result.set_replays_per_second(PerSecond([&] {
    used += Replay(context.dag, pool[next()]).value().stages.size();
  }));
  result.set_symbols_per_second(PerSecond([&] {
    ExtractSymbols(programs[next()], symbols);
    used += symbols.stages.size();
  }));
  result.set_replays_with_symbols_per_second(PerSecond([&] {
    const Program program =
        Resolve(context.dag, pool[next()], context.target).value();
    ExtractSymbols(program, symbols);
    used += symbols.stages.size();
  }));
  CHECK_GT(used, 0u);
}

std::string ToText(const proto::SchedulesBench& result) {
  Table rates({{"what", Table::Align::kLeft}, {"per second"}, {"each"}});
  const auto add = [&](const char* what, double per_second) {
    rates.AddRow({what, absl::StrFormat("%.0f", per_second),
                  FormatTime(absl::Seconds(1 / per_second))});
  };
  add("all sketches", 1e3 / result.sketch_generation_ms());
  add("random schedules", result.samples_per_second());
  add("mutations", result.mutations_per_second());
  add("replays", result.replays_per_second());
  add("symbols", result.symbols_per_second());
  add("replays + symbols", result.replays_with_symbols_per_second());
  Table draws({{"draw", Table::Align::kLeft},
               {"outcome", Table::Align::kLeft},
               {"count"}});
  const auto add_rejections = [&](const char* draw, const auto& rejections) {
    for (const auto& [reason, count] :
         std::map<std::string, int64_t>(rejections.begin(), rejections.end())) {
      draws.AddRow({draw, reason, absl::StrCat(count)});
    }
  };
  const auto add_accepted = [&](const char* draw, double share) {
    draws.AddRow({draw, "accepted", absl::StrFormat("%.1f%%", 100 * share)});
  };
  add_accepted("random", result.sample_acceptance());
  add_rejections("random", result.sample_rejections());
  add_accepted("mutation", result.mutation_acceptance());
  add_rejections("mutation", result.mutation_rejections());
  return absl::StrCat(result.task(), " on ", result.target(), ", ",
                      result.sketches(), " sketches\n\n", rates.ToString(),
                      "\n", draws.ToString());
}

std::string ToJson(const proto::SchedulesBench& result) {
  google::protobuf::util::JsonPrintOptions options;
  options.preserve_proto_field_names = true;
  std::string json;
  CHECK_OK(google::protobuf::util::MessageToJsonString(result, &json, options));
  return json;
}

absl::StatusOr<proto::SchedulesBench> Run() {
  const ConvSizes sizes = {.size = absl::GetFlag(FLAGS_size),
                           .in_channels = absl::GetFlag(FLAGS_in),
                           .out_channels = absl::GetFlag(FLAGS_out),
                           .kernel = absl::GetFlag(FLAGS_kernel),
                           .stride = absl::GetFlag(FLAGS_stride)};
  ASSIGN_OR_RETURN(const TargetSpec target,
                   LoadTargetSpec(absl::GetFlag(FLAGS_target)));
  ASSIGN_OR_RETURN(const AnalyzedPipeline analyzed,
                   AnalyzePipeline(ConvBiasReluPipeline(sizes)));
  const SketchContext context = {.dag = analyzed.dag, .target = target};
  proto::SchedulesBench result;
  result.set_task(
      absl::StrFormat("conv %dx%d, %dx%d, %d to %d channels, stride %d",
                      sizes.kernel, sizes.kernel, sizes.size, sizes.size,
                      sizes.in_channels, sizes.out_channels, sizes.stride));
  result.set_target(target.name);
  result.set_sketch_generation_ms(
      1e3 / PerSecond([&] { CHECK_OK(GenerateSketches(context)); }));
  ASSIGN_OR_RETURN(std::vector<Sketch> sketches, GenerateSketches(context));
  result.set_sketches(static_cast<int32_t>(sketches.size()));
  ASSIGN_OR_RETURN(const std::unique_ptr<ScheduleSpace> space,
                   ScheduleSpace::Create(context));
  BenchSampling(*space, result);
  const std::vector<Candidate> pool =
      MakePool(*space, Rng(absl::GetFlag(FLAGS_seed)));
  BenchMutation(*space, pool, result);
  std::vector<Schedule> schedules;
  for (const Candidate& candidate : pool) {
    ASSIGN_OR_RETURN(Schedule schedule, space->ScheduleOf(candidate));
    schedules.push_back(std::move(schedule));
  }
  BenchAnalysis(context, schedules, result);
  return result;
}

int Main() {
  const absl::StatusOr<proto::SchedulesBench> result = Run();
  if (!result.ok()) return ReportError("schedules", result.status());
  std::fputs(ToText(*result).c_str(), stdout);
  if (absl::GetFlag(FLAGS_json)) std::printf("%s\n", ToJson(*result).c_str());
  return kExitOk;
}

}  // namespace
}  // namespace pruner

// NOLINTNEXTLINE(bugprone-exception-escape): what is thrown here ends it.
int main(int argc, char** argv) {
  const std::optional<int> exit = pruner::InitTool(
      argc, argv,
      "Measures how fast schedules are made: sketches, random schedules, "
      "mutations, replays and symbols of a convolution, on one core.",
      pruner::kSources);
  return exit ? *exit : pruner::Main();
}
