// Ansor's cost model: gradient-boosted trees, trained while tuning.
#ifndef PRUNER_COST_BOOSTED_TREES_H_
#define PRUNER_COST_BOOSTED_TREES_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "pruner/cost/booster.h"
#include "pruner/cost/cost_model.h"
#include "pruner/cost/pack_loss.h"
#include "pruner/cost/training_set.h"
#include "pruner/features/feature_rows.h"

namespace pruner {

struct BoostedTreesOptions {
  // Ansor's (docs/algorithms.md A8; numbers: TVM).
  int max_depth = 10;
  double min_split_loss = 0.001;  // gamma
  double min_child_weight = 0;
  double learning_rate = 0.2;
  int max_rounds = 10000;
  // Training ends after so many rounds without a smaller error, which is looked
  // at every so many rounds.
  int patience = 50;
  int check_every = 2;
  // By what share of itself the error has to fall to count as smaller. TVM: 0,
  // with which rounds that gain nothing go on for thousands.
  double min_improvement = 1e-4;
  PackLossShape loss = {};

  // XGBoost's default, which TVM leaves as it is.
  double l2 = 1;
  // The share of the columns, drawn anew, that each split chooses among.
  double column_share = 1;
  // What columns are divided into before trees are fitted.
  int max_bins = 256;

  // 0: one per core. Trees and scores do not depend on it.
  int threads = 0;
};

// Flatter and fewer trees than Ansor's, which rank better what was not seen,
// and steps that do not grow with the rows of a program (docs/algorithms.md
// A8).
BoostedTreesOptions FlatTrees();

// score(program) = sum of f(row) over its rows, where f is a sum of trees
// (XGBoost). Each training starts anew on all programs of all tasks.
// Until the first one all scores are 0. Deterministic: equal options and
// programs give equal scores, bit by bit.
class BoostedTrees : public CostModel {
 public:
  // `features` names what the columns are, with a version, as
  // "statements/1": it goes with the model's file. Errors: an option out of
  // range, by name.
  static absl::StatusOr<BoostedTrees> Create(
      absl::string_view features, const BoostedTreesOptions& options);

  bool is_trained() const override { return booster_.has_value(); }
  absl::StatusOr<std::vector<double>> Predict(
      const FeatureRows& programs) override;

  // Trees of the last training.
  int num_trees() const { return num_trees_; }

  // Writes what Predict needs, not what was learned from. FailedPrecondition if
  // not trained.
  absl::Status Save(const std::string& path) const;
  // A model that predicts, bit by bit, what the saved one does. The first
  // training replaces it. Errors name the file: it is no model; it was trained
  // on other features.
  static absl::StatusOr<BoostedTrees> Load(const std::string& path,
                                           absl::string_view features,
                                           const BoostedTreesOptions& options);

 private:
  absl::Status Learn(const FeatureRows& programs,
                     absl::Span<const ProgramLabel> labels,
                     const IsUnwanted& is_unwanted) override;

  BoostedTrees(absl::string_view features, const BoostedTreesOptions& options)
      : features_(features), options_(options) {}
  absl::Status Train();

  std::string features_;
  BoostedTreesOptions options_;
  TrainingSet data_;
  int trained_programs_ = 0;  // of data_, at the last training
  std::optional<Booster> booster_;
  // Of booster_: what rows have, and what of it the trees know.
  int columns_ = 0;
  std::vector<int> used_columns_;
  int num_trees_ = 0;
};

}  // namespace pruner

#endif  // PRUNER_COST_BOOSTED_TREES_H_
