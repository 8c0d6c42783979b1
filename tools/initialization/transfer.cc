#include "tools/initialization/transfer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"
#include "pruner/cost/rank_trees.h"
#include "pruner/features/feature_rows.h"
#include "pruner/sketch/candidate.h"
#include "tools/initialization/study_run.h"
#include "tools/initialization/study_space.h"

namespace pruner {

int64_t TransferLog::NumOthers(size_t workload) const {
  int64_t count = 0;
  for (size_t i = 0; i < points.size(); ++i)
    count += i == workload ? 0 : static_cast<int64_t>(points[i].size());
  return count;
}

int64_t TransferLog::NumValidOthers(
    absl::Span<const std::unique_ptr<StudySpace>> spaces,
    size_t workload) const {
  int64_t count = 0;
  for (size_t i = 0; i < points.size(); ++i) {
    if (i == workload) continue;
    const absl::Span<const double> throughputs = spaces[i]->throughputs();
    count +=
        std::count_if(points[i].begin(), points[i].end(), [&](int64_t point) {
          return throughputs[static_cast<size_t>(point)] > 0;
        });
  }
  return count;
}

absl::StatusOr<TransferLog> MakeTransferLog(
    absl::Span<const std::unique_ptr<StudySpace>> spaces, int samples,
    uint64_t seed) {
  TransferLog log;
  Rng rng(seed);
  for (const std::unique_ptr<StudySpace>& space : spaces) {
    std::vector<int64_t>& points = log.points.emplace_back();
    while (points.size() < static_cast<size_t>(samples)) {
      StudyOptions options = {.ends_at_optimum = false};
      options.trials =
          std::min(options.trials, samples - static_cast<int>(points.size()));
      ASSIGN_OR_RETURN(const StudyRun run,
                       RunStudy(*space, AtRandom(), rng.Next(), options));
      points.insert(points.end(), run.points.begin(), run.points.end());
    }
  }
  return log;
}

absl::StatusOr<AnnealingSearch::BaseScores> LearnFromOthers(
    absl::Span<const std::unique_ptr<StudySpace>> spaces, size_t workload,
    const TransferLog& log) {
  FeatureRows rows = {.columns = StudySpace::kContextColumns};
  std::vector<float> labels;
  for (size_t i = 0; i < spaces.size(); ++i) {
    if (i == workload) continue;
    const StudySpace& space = *spaces[i];
    for (const int64_t point : log.points[i]) {
      rows.Append(space.ContextOf(point));
      labels.push_back(static_cast<float>(
          space.throughputs()[static_cast<size_t>(point)] / space.best()));
    }
  }
  RankTrees trees({});
  RETURN_IF_ERROR(trees.Train(rows, labels));
  // Searches ask for most of them, again and again.
  const StudySpace& space = *spaces[workload];
  FeatureRows all = {.columns = StudySpace::kContextColumns};
  for (int64_t i = 0; i < space.knobs().size(); ++i)
    all.Append(space.ContextOf(i));
  ASSIGN_OR_RETURN(std::vector<float> scores, trees.Predict(all));
  return [&space,
          scores = std::move(scores)](absl::Span<const Candidate> candidates)
             -> absl::StatusOr<std::vector<float>> {
    std::vector<float> found;
    found.reserve(candidates.size());
    for (const Candidate& candidate : candidates)
      found.push_back(scores[static_cast<size_t>(space.IndexOf(candidate))]);
    return found;
  };
}

}  // namespace pruner
