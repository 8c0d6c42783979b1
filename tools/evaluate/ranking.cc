#include "tools/evaluate/ranking.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "pruner/base/median.h"
#include "pruner/cost/ranking_metrics.h"

namespace pruner {
namespace {

constexpr int kRecall = 30;
// A batch of the study of initialization (docs/algorithms.md C2).
constexpr int kBatch = 50;
constexpr int kTops[] = {1, 5};

// What was judged of some tasks.
struct Judged {
  // Labels by the fastest program of all.
  std::vector<TaskRanking> rankings = {};
  // Labels by the fastest of those that were judged: of others no model could
  // have chosen any.
  std::vector<TaskRanking> choices = {};
  int64_t programs = 0, failures = 0;
  std::vector<double> ratios = {};  // of two timings of one program
};

TaskRanking ChoicesOf(TaskRanking ranking) {
  const double best =
      *std::max_element(ranking.labels.begin(), ranking.labels.end());
  ranking.best_seconds /= best;
  for (double& label : ranking.labels) label /= best;
  return ranking;
}

void AddTask(const DataTask& task,
             absl::Span<const std::optional<double>> scores, Judged& judged) {
  TaskRanking ranking = {.best_seconds = *task.best_seconds()};
  for (size_t i = 0; i < scores.size(); ++i) {
    if (!scores[i]) continue;
    const std::optional<double>& seconds = task.programs[i].seconds;
    ranking.scores.push_back(*scores[i]);
    ranking.labels.push_back(seconds ? ranking.best_seconds / *seconds : 0);
    ++judged.programs;
    if (!seconds) ++judged.failures;
  }
  for (const TimedTwice& twice : task.timed_twice) {
    judged.ratios.push_back(std::max(twice.first, twice.second) /
                            std::min(twice.first, twice.second));
  }
  // Where none ran there is nothing to rank.
  const std::vector<double>& labels = ranking.labels;
  if (std::all_of(labels.begin(), labels.end(),
                  [](double label) { return label == 0; }))
    return;
  judged.choices.push_back(ChoicesOf(ranking));
  judged.rankings.push_back(std::move(ranking));
}

proto::NoiseFloor NoiseOf(const std::vector<double>& ratios) {
  proto::NoiseFloor noise;
  noise.set_programs(static_cast<int64_t>(ratios.size()));
  noise.set_median(Median(ratios));
  noise.set_p90(Quantile(ratios, 0.9));
  return noise;
}

std::vector<int> Sizes(const RankingOptions& options) {
  std::vector<int> sizes(std::begin(kTops), std::end(kTops));
  for (const int draft : options.drafts) {
    if (std::find(sizes.begin(), sizes.end(), draft) == sizes.end())
      sizes.push_back(draft);
  }
  return sizes;
}

proto::Ranking FiguresOf(const Judged& judged, const RankingOptions& options) {
  proto::Ranking figures;
  figures.set_programs(judged.programs);
  figures.set_failures(judged.failures);
  figures.set_pairwise_accuracy(PairwiseAccuracy(judged.rankings));
  figures.set_recall_at_30(RecallAtK(judged.rankings, kRecall));
  if (judged.failures > 0) {
    proto::Validity& validity = *figures.mutable_validity();
    validity.set_valid_pairs(
        PairwiseAccuracy(judged.rankings, PairKind::kBothValid));
    validity.set_failed_pairs(
        PairwiseAccuracy(judged.rankings, PairKind::kOneFailed));
    validity.set_precision_at_50(PrecisionAtK(judged.rankings, kBatch));
    validity.set_ndcg_at_50(NdcgAtK(judged.rankings, kBatch));
  }
  if (options.scores_are_labels) {
    figures.set_rmse(Rmse(judged.rankings));
    figures.set_r_squared(RSquared(judged.rankings));
  }
  for (const int size : Sizes(options)) {
    proto::Draft& draft = *figures.add_drafts();
    draft.set_size(size);
    draft.set_best(TopK(judged.choices, size));
    draft.set_random(RandomBestK(judged.choices, size, 1));
  }
  if (!judged.ratios.empty()) *figures.mutable_noise() = NoiseOf(judged.ratios);
  return figures;
}

}  // namespace

std::vector<proto::Ranking> RankTasks(const DataSet& data, const Scores& scores,
                                      const RankingOptions& options) {
  std::vector<proto::Ranking> rankings;
  for (size_t t = 0; t < data.tasks.size(); ++t) {
    Judged judged;
    AddTask(data.tasks[t], scores[t], judged);
    if (judged.rankings.empty()) continue;
    rankings.push_back(FiguresOf(judged, options));
    rankings.back().set_task(data.tasks[t].name);
  }
  return rankings;
}

proto::Ranking RankAll(const DataSet& data, const Scores& scores,
                       const RankingOptions& options) {
  Judged judged;
  for (size_t t = 0; t < data.tasks.size(); ++t)
    AddTask(data.tasks[t], scores[t], judged);
  return FiguresOf(judged, options);
}

}  // namespace pruner
