#include "models/job/summary.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "google/protobuf/util/json_util.h"
#include "pruner/base/text/json.h"
#include "pruner/base/text/table.h"
#include "pruner/base/text/units.h"
#include "pruner/measure/measure_policy.h"

namespace pruner {
namespace {

std::string Milliseconds(double ms, int decimals) {
  return ms > 0 ? absl::StrFormat("%.*f", decimals, ms) : "-";
}

// Timed, or else estimated.
double BestGuessMs(const proto::TaskSummary& task) {
  return task.best_ms() > 0 ? task.best_ms() : task.estimated_ms();
}

double SumMs(const proto::Summary& summary) {
  double sum = 0;
  for (const proto::TaskSummary& task : summary.tasks())
    sum += task.weight() * BestGuessMs(task);
  return sum;
}

bool IsEstimated(const proto::Summary& summary) {
  return absl::c_any_of(summary.tasks(), [](const proto::TaskSummary& task) {
    return task.estimated_ms() > 0;
  });
}

// Decimals of all times in the table of tasks.
int TimeDecimals(const proto::Summary& summary) {
  std::vector<double> times;
  for (const proto::TaskSummary& task : summary.tasks()) {
    times.push_back(task.best_ms());
    times.push_back(task.estimated_ms());
    times.push_back(task.default_ms());
    for (const auto& [name, ms] : task.compare_ms()) times.push_back(ms);
  }
  return ColumnDecimals(times);
}

std::string Time(double ms) { return FormatTime(absl::Milliseconds(ms)); }

template <typename Failures>
std::string FailuresText(const Failures& failures) {
  const std::map<std::string, int32_t> sorted(failures.begin(), failures.end());
  if (sorted.empty()) return "-";
  return absl::StrJoin(sorted, " ", absl::PairFormatter(":"));
}

std::string ErrorText(const proto::Summary& summary) {
  return absl::StrFormat(
      "largest error against double precision: %.3g (%.3g of the largest "
      "output)\n",
      summary.max_abs_error(), summary.max_rel_error());
}

std::string TaskTable(const proto::Summary& summary) {
  std::set<std::string> compared;
  for (const proto::TaskSummary& task : summary.tasks()) {
    for (const auto& [name, ms] : task.compare_ms()) compared.insert(name);
    for (const auto& [name, why] : task.compare_failures())
      compared.insert(name);
  }
  using Align = Table::Align;
  std::vector<Table::Column> columns = {{"task", Align::kLeft},
                                        {"count"},
                                        {"best ms"},
                                        {"default ms"},
                                        {"GFLOP/s"},
                                        {"of peak"},
                                        {"share"},
                                        {"trials"},
                                        {"failures", Align::kLeft}};
  const bool is_estimated = IsEstimated(summary);
  if (is_estimated) columns.push_back({"estimated ms"});
  for (const std::string& name : compared) columns.push_back({name + " ms"});
  std::vector<const proto::TaskSummary*> tasks;
  for (const proto::TaskSummary& task : summary.tasks()) tasks.push_back(&task);
  const double total = SumMs(summary);
  std::stable_sort(
      tasks.begin(), tasks.end(), [](const auto* a, const auto* b) {
        return a->weight() * BestGuessMs(*a) > b->weight() * BestGuessMs(*b);
      });
  Table table(columns);
  const int decimals = TimeDecimals(summary);
  for (const proto::TaskSummary* task : tasks) {
    std::vector<std::string> row = {
        task->name(),
        absl::StrCat(task->weight()),
        Milliseconds(task->best_ms(), decimals),
        Milliseconds(task->default_ms(), decimals),
        absl::StrFormat("%.1f", task->gflops()),
        absl::StrFormat("%.1f %%", 100 * task->peak_fraction()),
        total > 0 ? absl::StrFormat("%.1f %%", 100 * task->weight() *
                                                   BestGuessMs(*task) / total)
                  : "-",
        absl::StrCat(task->trials()),
        FailuresText(task->failures())};
    if (is_estimated)
      row.push_back(Milliseconds(task->estimated_ms(), decimals));
    for (const std::string& name : compared) {
      const auto found = task->compare_ms().find(name);
      row.push_back(found == task->compare_ms().end()
                        ? "failed"
                        : Milliseconds(found->second, decimals));
    }
    table.AddRow(std::move(row));
  }
  return table.ToString();
}

// Where the kernels found their constants, by the policy's name.
std::string ConstantsText(const std::string& policy) {
  if (policy == MeasurePolicyName(MeasurePolicy::kLlc))
    return "from the last-level cache";
  return policy == MeasurePolicyName(MeasurePolicy::kMemory) ? "from memory"
                                                             : policy;
}

}  // namespace

std::string SummaryFile(const std::string& network, size_t networks) {
  return networks == 1 ? kSummaryFile
                       : absl::StrCat("summary_", network, ".json");
}

std::string SummaryToJson(const proto::Summary& summary) {
  return ToJson(summary, {.indented = true});
}

absl::StatusOr<proto::Summary> SummaryFromJson(absl::string_view json) {
  proto::Summary summary;
  const absl::Status status =
      google::protobuf::util::JsonStringToMessage(json, &summary);
  if (!status.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("not a summary: ", status.message()));
  }
  return summary;
}

std::string SummaryToText(const proto::Summary& summary) {
  std::string text = TaskTable(summary);
  absl::StrAppendFormat(&text, "\n%s, batch %d, %d threads, %s\n",
                        summary.model(), summary.batch(), summary.threads(),
                        summary.target());
  absl::StrAppendFormat(
      &text, "trials: %d (%d now, %.1f per second), failures: %s\n",
      summary.trials(), summary.new_trials(), summary.trials_per_second(),
      FailuresText(summary.failures()));
  absl::StrAppendFormat(
      &text,
      "time: %.0f s, of which measuring %.1f %%, proposing %.1f %%, training "
      "%.1f %%; afterwards %.0f s\n",
      summary.elapsed_seconds(), 100 * (1 - summary.tuner_overhead()),
      100 * summary.proposing_share(), 100 * summary.training_share(),
      summary.finishing_seconds());
  if (IsEstimated(summary)) {
    absl::StrAppendFormat(&text,
                          "not timed; the draft model expects its kernels to "
                          "take %s together\n",
                          Time(SumMs(summary)));
    if (summary.max_abs_error() > 0) absl::StrAppend(&text, ErrorText(summary));
  }
  if (summary.network_latency_ms() > 0) {
    absl::StrAppendFormat(
        &text,
        "whole network: %s (%.1f GFLOP/s, %.1f %% of the peak of %.0f "
        "GFLOP/s)\n",
        Time(summary.network_latency_ms()), summary.network_gflops(),
        100 * summary.network_peak_fraction(), summary.peak_gflops());
    if (summary.predicted_latency_ms() > 0) {
      absl::StrAppendFormat(
          &text,
          "predicted from its kernels (timed with constants %s): %s, %+.1f "
          "%%\n",
          ConstantsText(summary.measure_policy()),
          Time(summary.predicted_latency_ms()),
          100 * (summary.predicted_latency_ms() / summary.network_latency_ms() -
                 1));
    }
    absl::StrAppendFormat(
        &text, "with default schedules: %s, %.2f times as long\n",
        Time(summary.baseline_latency_ms()),
        summary.baseline_latency_ms() / summary.network_latency_ms());
    if (summary.kept_default()) {
      absl::StrAppend(&text,
                      "the search found nothing faster than the default "
                      "schedules: they are what was written\n");
    }
    absl::StrAppend(&text, ErrorText(summary));
  }
  return text;
}

}  // namespace pruner
