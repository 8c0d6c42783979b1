// The study of hardware-aware initialization; see kUsage.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/types/span.h"
#include "pruner/base/status_macros.h"
#include "pruner/base/text/flag_range.h"
#include "pruner/base/text/table.h"
#include "pruner/search/annealing_search.h"
#include "pruner/vta/vta_spec.h"
#include "pruner/vta/workloads.h"
#include "tools/common/tool_flags.h"
#include "tools/common/tool_output.h"
#include "tools/initialization/study_run.h"
#include "tools/initialization/study_space.h"
#include "tools/initialization/study_statistics.h"
#include "tools/initialization/transfer.h"

ABSL_FLAG(std::string, study, "main",
          "main: beside a random start and transfer learning; parts: selection "
          "or bias alone; ratio: the share of valid points in the first batch; "
          "bonus: what known valid ones have in advance; size: how large the "
          "first batch is; presample: how many points are looked at before");
ABSL_FLAG(std::string, workloads, "",
          "the paper's numbers, separated by commas; all 13 if empty");
ABSL_FLAG(int, seeds, 200, "searches of each workload, each with its seed");
ABSL_FLAG(int, trials, 750, "of a search that does not find the optimum");
ABSL_FLAG(int, threads, 2, "searches at a time; does not change the results");

namespace pruner {
namespace {

constexpr char kUsage[] =
    "How many trials a search needs to the known optimum of the accelerator's "
    "13 workloads,\n"
    "with hardware-aware initialization and without.\n\n"
    "  initialization --study=main --seeds=200\n\n"
    "The accelerator is a model (pruner/vta), not a measurement of the "
    "hardware. Held-out workloads\n"
    "(*) had no part in any choice of a constant. For each way to begin: the "
    "mean of the trials with its\n"
    "interval of 95 percent (and the share of searches that found it, if not "
    "all; the others count as\n"
    "their last trial), median and interquartile range; shares are of a "
    "random start's.";

constexpr char kSources[] = "tools/initialization/";

using Spaces = std::vector<std::unique_ptr<StudySpace>>;

// A way to begin, with the name it has in tables.
struct Arm {
  std::string name;
  Initialization initialization = {};
  // From trees that learned of the other workloads.
  bool transfers = false;
};

absl::StatusOr<std::vector<Arm>> ArmsOf(absl::string_view study) {
  std::vector<Arm> arms = {{"random", AtRandom()}};
  if (study == "main") {
    arms.push_back({"hardware-aware", {}});
    arms.push_back({"transfer", AtRandom(), /*transfers=*/true});
  } else if (study == "parts") {
    arms.push_back({"selection", {.biases = false}});
    arms.push_back({"bias", {.selects = false}});
    arms.push_back({"both", {}});
  } else if (study == "ratio") {
    for (const double share : {0.0, 0.25, 0.5, 0.75, 0.9, 1.0})
      arms.push_back(
          {absl::StrFormat("r = %.2f", share), {.valid_share = share}});
  } else if (study == "bonus") {
    for (const double bonus : {0.0, 0.25, 0.5, 1.0, 2.0})
      arms.push_back(
          {absl::StrFormat("b = %.2f", bonus), {.valid_bonus = bonus}});
  } else if (study == "presample") {
    for (const int points : {4, 10, 20, 40})
      arms.push_back(
          {absl::StrCat("D = ", 50 * points), {.points_per_trial = points}});
  } else if (study == "size") {
    for (const int size : {50, 100, 150, 200})
      arms.push_back({absl::StrCat("n = ", size), {.first_batch = size}});
  } else {
    return absl::InvalidArgumentError(absl::StrCat(
        "--study=", study, ": main, parts, ratio, bonus, size or presample"));
  }
  return arms;
}

absl::StatusOr<Spaces> ChosenSpaces() {
  const VtaSpec spec;
  Spaces spaces;
  const std::string ids = absl::GetFlag(FLAGS_workloads);
  if (ids.empty()) {
    for (const VtaWorkload& workload : VtaWorkloads())
      spaces.push_back(std::make_unique<StudySpace>(workload, spec));
    return spaces;
  }
  for (const absl::string_view id : absl::StrSplit(ids, ',')) {
    int number = 0;
    const VtaWorkload* const workload =
        absl::SimpleAtoi(id, &number) ? FindVtaWorkload(number) : nullptr;
    if (workload == nullptr) {
      std::vector<std::string> known;
      for (const VtaWorkload& each : VtaWorkloads())
        known.push_back(absl::StrCat(each.id));
      return absl::InvalidArgumentError(
          absl::StrCat("--workloads: there is no '", id, "', but ",
                       absl::StrJoin(known, ", ")));
    }
    spaces.push_back(std::make_unique<StudySpace>(*workload, spec));
  }
  return spaces;
}

// Runs of one arm, by workload and seed.
using Runs = std::vector<std::vector<StudyRun>>;

absl::StatusOr<Runs> RunArm(const Spaces& spaces, const Arm& arm,
                            absl::Span<const AnnealingSearch::BaseScores> bases,
                            int seeds) {
  Runs runs(spaces.size(), std::vector<StudyRun>(static_cast<size_t>(seeds)));
  const StudyOptions options = {.trials = absl::GetFlag(FLAGS_trials)};
  std::vector<absl::Status> statuses(
      static_cast<size_t>(absl::GetFlag(FLAGS_threads)));
  std::atomic<size_t> next = 0;
  std::vector<std::thread> threads;
  for (absl::Status& status : statuses) {
    threads.emplace_back([&] {
      const auto count = static_cast<size_t>(seeds);
      for (size_t i; (i = next.fetch_add(1)) < spaces.size() * count;) {
        const size_t workload = i / count;
        Initialization initialization = arm.initialization;
        if (arm.transfers) initialization.base = bases[workload];
        absl::StatusOr<StudyRun> run =
            RunStudy(*spaces[workload], initialization, 1 + i % count, options);
        status.Update(run.status());
        if (run.ok()) runs[workload][i % count] = *std::move(run);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const absl::Status& status : statuses) RETURN_IF_ERROR(status);
  return runs;
}

// What transfer learning knows beforehand, by workload.
absl::StatusOr<std::vector<AnnealingSearch::BaseScores>> LearnBases(
    const Spaces& spaces) {
  constexpr int kSamples = 30000;
  if (spaces.size() < 2) {
    return absl::InvalidArgumentError(
        "--workloads: transfer learning needs more than one");
  }
  const int samples = kSamples / (static_cast<int>(spaces.size()) - 1);
  ASSIGN_OR_RETURN(const TransferLog log,
                   MakeTransferLog(spaces, samples, /*seed=*/1));
  double valid = 0, all = 0;
  std::vector<AnnealingSearch::BaseScores> bases;
  for (size_t i = 0; i < spaces.size(); ++i) {
    valid += static_cast<double>(log.NumValidOthers(spaces, i));
    all += static_cast<double>(log.NumOthers(i));
    ASSIGN_OR_RETURN(bases.emplace_back(), LearnFromOthers(spaces, i, log));
  }
  RETURN_IF_ERROR(Print(absl::StrFormat(
      "transfer: trees of some %d trials of other workloads, of which %.1f %% "
      "ran (paper: 63.04 %%)\n",
      samples * (static_cast<int>(spaces.size()) - 1), 100 * valid / all)));
  return bases;
}

// Means over workloads, all or those that are held out.
double MeanOver(const Spaces& spaces, absl::Span<const double> values,
                bool held_out) {
  double sum = 0;
  int count = 0;
  for (size_t i = 0; i < spaces.size(); ++i) {
    if (held_out && !spaces[i]->workload().held_out) continue;
    sum += values[i];
    ++count;
  }
  return count == 0 ? 0 : sum / count;
}

std::string TextOf(const Spaces& spaces, absl::Span<const Arm> arms,
                   absl::Span<const Runs> runs) {
  const int trials = absl::GetFlag(FLAGS_trials);
  std::vector<Table::Column> columns = {{"workload"}, {"valid"}};
  for (size_t arm = 0; arm < arms.size(); ++arm) {
    columns.push_back({arms[arm].name});
    columns.push_back({"median"});
    columns.push_back({"IQR"});
    if (arm == 0) continue;
    columns.push_back({"mean, share"});
    columns.push_back({"IQR, share"});
  }
  Table table(columns);
  std::vector<std::vector<double>> shares(arms.size());
  for (size_t i = 0; i < spaces.size(); ++i) {
    const StudySpace& space = *spaces[i];
    std::vector<std::string> row = {
        absl::StrCat(space.workload().id,
                     space.workload().held_out ? "*" : " "),
        absl::StrFormat("%.3f", static_cast<double>(space.num_valid()) /
                                    static_cast<double>(space.knobs().size()))};
    const TrialsToOptimum random = StatisticsOf(runs[0][i], trials);
    for (size_t arm = 0; arm < arms.size(); ++arm) {
      const TrialsToOptimum of = StatisticsOf(runs[arm][i], trials);
      row.push_back(absl::StrFormat(
          "%.0f ± %.0f%s", of.mean, of.half_interval,
          of.found < 1 ? absl::StrFormat(" (%.0f %%)", 100 * of.found) : ""));
      row.push_back(absl::StrFormat("%.0f", of.median));
      row.push_back(absl::StrFormat("%.0f", of.quartile_range));
      shares[arm].push_back(of.mean / random.mean);
      if (arm == 0) continue;
      row.push_back(absl::StrFormat("%.1f %%", 100 * shares[arm].back()));
      row.push_back(
          absl::StrFormat("%.2f", of.quartile_range / random.quartile_range));
    }
    table.AddRow(std::move(row));
  }
  std::string text = table.ToString();
  for (size_t arm = 1; arm < arms.size(); ++arm) {
    absl::StrAppendFormat(&text, "%s: %.1f %% of random's trials",
                          arms[arm].name,
                          100 * MeanOver(spaces, shares[arm], false));
    const double held_out = MeanOver(spaces, shares[arm], true);
    if (held_out > 0)
      absl::StrAppendFormat(&text, ", %.1f %% of the held-out ones'",
                            100 * held_out);
    text += '\n';
  }
  return text;
}

absl::Status CheckFlags() {
  RETURN_IF_ERROR(CheckFlagRange("seeds", absl::GetFlag(FLAGS_seeds), 1, 1e6));
  RETURN_IF_ERROR(
      CheckFlagRange("trials", absl::GetFlag(FLAGS_trials), 1, 1e6));
  return CheckFlagRange("threads", absl::GetFlag(FLAGS_threads), 1, 1024);
}

absl::Status Run() {
  RETURN_IF_ERROR(CheckFlags());
  ASSIGN_OR_RETURN(const std::vector<Arm> arms,
                   ArmsOf(absl::GetFlag(FLAGS_study)));
  ASSIGN_OR_RETURN(const Spaces spaces, ChosenSpaces());
  std::vector<AnnealingSearch::BaseScores> bases;
  std::vector<Runs> runs;
  for (const Arm& arm : arms) {
    if (arm.transfers) {
      ASSIGN_OR_RETURN(bases, LearnBases(spaces));
    }
    ASSIGN_OR_RETURN(runs.emplace_back(),
                     RunArm(spaces, arm, bases, absl::GetFlag(FLAGS_seeds)));
  }
  return Print(TextOf(spaces, arms, runs));
}

}  // namespace
}  // namespace pruner

int main(int argc, char** argv) {
  using namespace pruner;  // NOLINT: this is the program
  if (const std::optional<int> code = InitTool(argc, argv, kUsage, kSources))
    return *code;
  const absl::Status status = Run();
  return status.ok() ? kExitOk : ReportError("initialization", status);
}
