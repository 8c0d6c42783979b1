#include "tools/initialization/study_statistics.h"

#include <cmath>
#include <vector>

#include "absl/log/check.h"
#include "absl/types/span.h"
#include "pruner/base/median.h"
#include "tools/initialization/study_run.h"

namespace pruner {
TrialsToOptimum StatisticsOf(absl::Span<const StudyRun> runs, int trials) {
  CHECK(!runs.empty());
  const auto count = static_cast<double>(runs.size());
  TrialsToOptimum of;
  std::vector<double> all;
  int num_found = 0;
  for (const StudyRun& run : runs) {
    const bool found = run.trials_to_optimum > 0;
    all.push_back(found ? run.trials_to_optimum : trials);
    of.mean += all.back() / count;
    if (found) ++num_found;
    of.first_valid += run.first_valid / count;
  }
  of.found = num_found / count;
  double squares = 0;
  for (const double each : all) squares += (each - of.mean) * (each - of.mean);
  if (runs.size() > 1)
    of.half_interval = 1.96 * std::sqrt(squares / (count - 1) / count);
  of.median = Median(all);
  of.quartile_range = Quantile(all, 0.75) - Quantile(all, 0.25);
  return of;
}

}  // namespace pruner
