// AutoTVM's cost model: boosted trees that rank the points of a space by their
// knobs (docs/algorithms.md C2).
#ifndef PRUNER_COST_RANK_TREES_H_
#define PRUNER_COST_RANK_TREES_H_

#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/cost/booster.h"
#include "pruner/features/feature_rows.h"

namespace pruner {

struct RankTreesOptions {
  // AutoTVM's, of XGBoost's loss rank:pairwise.
  int max_depth = 3;
  double learning_rate = 0.3;
  double min_split_loss = 1e-4;  // gamma
  int max_rounds = 8000;
  // It ends after so many trees that do not rank the rows it learns from
  // better, by AverageRecall of the first so many.
  int patience = 20;
  int recall = 100;
};

// The mean over k from 1 to `count` of the share of the k highest labels that
// are among the k highest scores; of fewer rows, over those that there are.
// Equal ones in the order of the rows.
double AverageRecall(absl::Span<const float> scores,
                     absl::Span<const float> labels, int count);

// A point is one row. Deterministic: equal options, rows and labels give equal
// scores, bit by bit. Not thread-safe.
class RankTrees {
 public:
  explicit RankTrees(const RankTreesOptions& options) : options_(options) {}

  bool is_trained() const { return booster_.has_value(); }
  // Trees of the last training.
  int num_trees() const { return num_trees_; }

  // Starts anew. A label for each row, higher is better, at least one row. With
  // `base`, one for each row, the trees learn what is to be added to it.
  // Errors: XGBoost's, as for numbers that are not finite; what was learned
  // before is kept.
  absl::Status Train(const FeatureRows& points, absl::Span<const float> labels,
                     absl::Span<const float> base = {});

  // A score for each row, without any base: higher is better. The points have
  // the columns of those trained on (checked).
  absl::StatusOr<std::vector<float>> Predict(const FeatureRows& points);

 private:
  const RankTreesOptions options_;
  std::optional<Booster> booster_;
  int columns_ = 0;
  int num_trees_ = 0;
};

}  // namespace pruner

#endif  // PRUNER_COST_RANK_TREES_H_
