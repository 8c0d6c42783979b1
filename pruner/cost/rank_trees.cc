#include "pruner/cost/rank_trees.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/log/check.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "pruner/base/status_macros.h"
#include "pruner/cost/booster.h"
#include "pruner/features/feature_rows.h"

namespace pruner {
namespace {

// As XGBoost had it when AutoTVM was made: scores of what is neither good nor
// bad are about this, and below 0 is worse.
constexpr double kBaseScore = 0.5;

// The points' numbers, the highest value first.
std::vector<int> Ranked(absl::Span<const float> values) {
  std::vector<int> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return values[static_cast<size_t>(a)] > values[static_cast<size_t>(b)];
  });
  return order;
}

Booster::Parameters ParametersOf(const RankTreesOptions& options,
                                 bool has_base) {
  return {{"objective", "rank:pairwise"},
          {"booster", "gbtree"},
          {"tree_method", "exact"},
          {"max_depth", absl::StrCat(options.max_depth)},
          {"eta", absl::StrCat(options.learning_rate)},
          {"gamma", absl::StrCat(options.min_split_loss)},
          {"base_score", absl::StrCat(has_base ? 0 : kBaseScore)},
          {"nthread", "1"},
          {"verbosity", "0"}};
}

}  // namespace

double AverageRecall(absl::Span<const float> scores,
                     absl::Span<const float> labels, int count) {
  const std::vector<int> by_score = Ranked(scores);
  const std::vector<int> by_label = Ranked(labels);
  const size_t most = std::min<size_t>(count, scores.size());
  // Of each point in how many of the two lists it has come so far.
  std::vector<int> times(scores.size());
  int both = 0;
  double sum = 0;
  for (size_t k = 0; k < most; ++k) {
    if (++times[static_cast<size_t>(by_score[k])] == 2) ++both;
    if (++times[static_cast<size_t>(by_label[k])] == 2) ++both;
    sum += static_cast<double>(both) / static_cast<double>(k + 1);
  }
  return most == 0 ? 0 : sum / static_cast<double>(most);
}

absl::Status RankTrees::Train(const FeatureRows& points,
                              absl::Span<const float> labels,
                              absl::Span<const float> base) {
  CHECK_EQ(labels.size(), static_cast<size_t>(points.num_rows()));
  const Booster::Parameters parameters = ParametersOf(options_, !base.empty());
  ASSIGN_OR_RETURN(BoosterData data, BoosterData::Create(points, 1));
  RETURN_IF_ERROR(data.SetLabels(labels));
  RETURN_IF_ERROR(data.SetOneGroup(points.num_rows()));
  if (!base.empty()) {
    RETURN_IF_ERROR(data.SetBaseScores(base));
  }
  ASSIGN_OR_RETURN(Booster booster, Booster::Create(data, parameters));
  double best = -1;
  int best_trees = 0;
  for (int round = 0;
       round < options_.max_rounds && round < best_trees + options_.patience;
       ++round) {
    RETURN_IF_ERROR(booster.Update(data, round));
    ASSIGN_OR_RETURN(const absl::Span<const float> scores,
                     booster.TrainingScores(data));
    const double recall = AverageRecall(scores, labels, options_.recall);
    if (recall <= best) continue;
    best = recall;
    best_trees = round + 1;
  }
  ASSIGN_OR_RETURN(booster_, booster.First(best_trees, parameters));
  columns_ = points.columns;
  num_trees_ = best_trees;
  return absl::OkStatus();
}

absl::StatusOr<std::vector<float>> RankTrees::Predict(
    const FeatureRows& points) {
  CHECK(is_trained());
  CHECK_EQ(points.columns, columns_);
  if (points.num_rows() == 0) return std::vector<float>();
  ASSIGN_OR_RETURN(const absl::Span<const float> scores,
                   booster_->Predict(points));
  return std::vector<float>(scores.begin(), scores.end());
}

}  // namespace pruner
