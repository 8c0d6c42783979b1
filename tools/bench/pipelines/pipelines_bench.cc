// Run times of pipelines of image processing by who scheduled them, in turns.
// Each turn is a process of its own, as applications are: how long a schedule
// takes to get its memory depends on what was allocated and freed before.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/time/time.h"
#include "pruner/base/clock.h"
#include "pruner/base/median.h"
#include "pruner/base/os/environment.h"
#include "pruner/base/os/subprocess.h"
#include "pruner/base/status_macros.h"
#include "tools/bench/pipelines/arguments.h"
#include "tools/bench/pipelines/registered.h"
#include "tools/common/tool_flags.h"

ABSL_FLAG(std::string, pipelines, "",
          "those whose names are given, with commas between them; empty: all");
ABSL_FLAG(std::string, of, "pruner",
          "whose speed beside others' the last columns have: pruner, or tuned, "
          "which is in tuned_pipelines");
ABSL_FLAG(std::string, beside, "adams2019",
          "beside whose speed the last column has it");
ABSL_FLAG(int, rounds, 5, "how often all schedules have their turn");
ABSL_FLAG(int, threads, 2, "of each pipeline");
ABSL_FLAG(std::string, schedule, "",
          "no table: a turn of this schedule of one pipeline, the seconds of "
          "its fastest run");
ABSL_FLAG(absl::Duration, turn, absl::Seconds(1),
          "how long a schedule runs in its turn, once at least; the C library "
          "learns in the first runs which memory to keep");

namespace pruner {
namespace {

constexpr char kUsage[] =
    "Run times of pipelines in ms, scheduled by hand, by Pruner and by "
    "Halide's autoschedulers:\n"
    "the median of the rounds' fastest runs. Checks what they compute.\n\n"
    "  pipelines --pipelines=blur,unsharp";

constexpr char kSources[] = "tools/bench/pipelines/";
constexpr char kByHand[] = "hand";

using Schedules = std::map<std::string, CompiledPipeline>;

// By schedule: seconds of each round, or what is wrong.
struct Timings {
  std::map<std::string, std::vector<double>> seconds;
  std::map<std::string, std::string> wrong;
};

absl::StatusOr<PipelineArguments> EstimatedArguments(
    const Schedules& schedules) {
  return PipelineArguments::Make(schedules.at(kByHand),
                                 [](int64_t extent) { return extent; });
}

// What a process does in its turn.
absl::StatusOr<double> FastestRun(const Schedules& schedules,
                                  const CompiledPipeline& pipeline) {
  ASSIGN_OR_RETURN(PipelineArguments arguments, EstimatedArguments(schedules));
  Clock& clock = RealClock();
  double fastest = std::numeric_limits<double>::infinity();
  const absl::Duration end = clock.Elapsed() + absl::GetFlag(FLAGS_turn);
  do {
    const absl::Duration start = clock.Elapsed();
    RETURN_IF_ERROR(arguments.Run(pipeline));
    fastest = std::min(fastest, absl::ToDoubleSeconds(clock.Elapsed() - start));
  } while (clock.Elapsed() < end);
  return fastest;
}

// In a process of its own.
absl::StatusOr<double> Turn(const std::string& pipeline,
                            const std::string& schedule) {
  ASSIGN_OR_RETURN(
      const CommandResult result,
      RunCommand({"/proc/self/exe", absl::StrCat("--pipelines=", pipeline),
                  absl::StrCat("--schedule=", schedule),
                  absl::StrCat("--threads=", absl::GetFlag(FLAGS_threads)),
                  absl::StrCat("--turn=", absl::GetFlag(FLAGS_turn))},
                 {.process = {}, .timeout = absl::Minutes(5)}));
  double seconds = 0;
  if (result.ok() && absl::SimpleAtod(result.stdout_text, &seconds))
    return seconds;
  return absl::InternalError(
      absl::StrCat(pipeline, " by ", schedule, ": ", result.stderr_text));
}

absl::StatusOr<Timings> Time(const std::string& name_of_pipeline,
                             const Schedules& schedules) {
  const CompiledPipeline& reference = schedules.at(kByHand);
  ASSIGN_OR_RETURN(PipelineArguments arguments, EstimatedArguments(schedules));
  RETURN_IF_ERROR(arguments.Run(reference));
  const auto expected = arguments.CopyOutputs();
  Timings timings;
  for (const auto& [name, pipeline] : schedules) {
    if (const absl::Status status = arguments.Run(pipeline); !status.ok()) {
      timings.wrong[name] = status.message();
      continue;
    }
    const Difference difference =
        DifferenceOf(arguments.CopyOutputs(), expected);
    if (difference.largest > kMaxError) {
      timings.wrong[name] =
          absl::StrFormat("wrong by %.1e, %d elements", difference.largest,
                          difference.elements);
    }
  }
  for (int round = 0; round < absl::GetFlag(FLAGS_rounds); ++round) {
    for (const auto& [name, compiled] : schedules) {
      if (timings.wrong.contains(name)) continue;
      ASSIGN_OR_RETURN(const double seconds, Turn(name_of_pipeline, name));
      timings.seconds[name].push_back(seconds);
    }
  }
  return timings;
}

std::string Cell(double ratio) {
  return std::isnan(ratio) ? "-" : absl::StrFormat("%.2f", ratio);
}

std::string Cell(const Timings& timings, const std::string& name) {
  if (timings.wrong.contains(name)) return "-";
  const auto found = timings.seconds.find(name);
  if (found == timings.seconds.end()) return "-";
  return absl::StrFormat("%.2f", 1e3 * Median(found->second));
}

// Median ratio of the rounds: how many times as long `b` took.
double Ratio(const Timings& timings, const std::string& a,
             const std::string& b) {
  const auto first = timings.seconds.find(a), second = timings.seconds.find(b);
  if (first == timings.seconds.end() || second == timings.seconds.end())
    return std::nan("");
  std::vector<double> ratios;
  for (size_t i = 0; i < first->second.size(); ++i)
    ratios.push_back(second->second[i] / first->second[i]);
  return Median(ratios);
}

class GeometricMean {
 public:
  void Add(double ratio) {
    if (std::isnan(ratio)) return;
    logs_ += std::log(ratio);
    ++count_;
  }
  std::string ToString() const {
    return absl::StrFormat("%.2f of %d", std::exp(logs_ / std::max(1, count_)),
                           count_);
  }

 private:
  double logs_ = 0;
  int count_ = 0;
};

absl::Status PrintTurn() {
  const std::string name = absl::GetFlag(FLAGS_pipelines);
  const std::string schedule = absl::GetFlag(FLAGS_schedule);
  const auto pipeline = RegisteredPipelines().find(name);
  if (pipeline == RegisteredPipelines().end() ||
      !pipeline->second.contains(schedule)) {
    return absl::InvalidArgumentError(
        absl::StrCat("there is no schedule --schedule=", schedule,
                     " of --pipelines=", name, " in this program"));
  }
  ASSIGN_OR_RETURN(const double seconds,
                   FastestRun(pipeline->second, pipeline->second.at(schedule)));
  std::cout << seconds << std::endl;
  return absl::OkStatus();
}

absl::Status PrintTable() {
  const std::vector<std::string> chosen =
      absl::StrSplit(absl::GetFlag(FLAGS_pipelines), ',', absl::SkipEmpty());
  std::vector<std::string> names;
  for (const auto& [pipeline, schedules] : RegisteredPipelines()) {
    for (const auto& [name, compiled] : schedules) {
      if (std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
    }
  }
  const std::string ours = absl::GetFlag(FLAGS_of);
  const std::string beside_whom = absl::GetFlag(FLAGS_beside);
  if (std::find(names.begin(), names.end(), ours) == names.end()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "there is no schedule --of=", ours, " in this program; there are ",
        absl::StrJoin(names, ", ")));
  }
  std::cout << "| pipeline |";
  for (const std::string& name : names) std::cout << " " << name << " |";
  std::cout << " beside hand | beside " << beside_whom << " |\n|---|";
  for (size_t i = 0; i < names.size() + 2; ++i) std::cout << "---|";
  std::cout << std::endl;
  GeometricMean hand, beside;
  std::string notes;
  for (const auto& [pipeline, schedules] : RegisteredPipelines()) {
    if (!chosen.empty() &&
        std::find(chosen.begin(), chosen.end(), pipeline) == chosen.end()) {
      continue;
    }
    ASSIGN_OR_RETURN(const Timings timings, Time(pipeline, schedules),
                     _ << "while timing " << pipeline);
    std::cout << "| " << pipeline << " |";
    for (const std::string& name : names)
      std::cout << " " << Cell(timings, name) << " |";
    const double by_hand = Ratio(timings, ours, kByHand);
    const double by_other = Ratio(timings, ours, beside_whom);
    hand.Add(by_hand);
    beside.Add(by_other);
    std::cout << " " << Cell(by_hand) << " | " << Cell(by_other) << " |"
              << std::endl;
    for (const auto& [name, wrong] : timings.wrong)
      absl::StrAppend(&notes, "- ", pipeline, " by ", name, ": ", wrong, "\n");
  }
  std::cout << "speed of " << ours << " beside hand schedules "
            << hand.ToString() << ", beside " << beside_whom << " "
            << beside.ToString() << " (geometric means)\n"
            << notes;
  return absl::OkStatus();
}

}  // namespace
}  // namespace pruner

int main(int argc, char** argv) {
  using namespace pruner;  // NOLINT: this is the program
  if (const std::optional<int> code = InitTool(argc, argv, kUsage, kSources))
    return *code;
  // Halide's run time reads it before it starts its threads.
  SetEnv("HL_NUM_THREADS", absl::StrCat(absl::GetFlag(FLAGS_threads)));
  const absl::Status status =
      absl::GetFlag(FLAGS_schedule).empty() ? PrintTable() : PrintTurn();
  return status.ok() ? kExitOk : ReportError("pipelines", status);
}
