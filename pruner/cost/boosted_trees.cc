#include "pruner/cost/boosted_trees.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "pruner/base/hash.h"
#include "pruner/base/os/files.h"
#include "pruner/base/status_macros.h"
#include "pruner/cost/boosted_trees.pb.h"
#include "pruner/cost/booster.h"
#include "pruner/cost/cost_model.h"
#include "pruner/cost/pack_loss.h"
#include "pruner/cost/varying_columns.h"
#include "pruner/features/feature_rows.h"

namespace pruner {
namespace {

constexpr absl::string_view kMagic = "pruner boosted trees 2";

absl::Status Check(const BoostedTreesOptions& options) {
  const auto in_range = [](absl::string_view name, double value, double low,
                           double high) {
    if (value >= low && value <= high) return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrCat(
        "boosted trees: ", name, " = ", value, " is not in ", low, "..", high));
  };
  RETURN_IF_ERROR(in_range("max_depth", options.max_depth, 1, 30));
  RETURN_IF_ERROR(in_range("min_split_loss", options.min_split_loss, 0, 1e9));
  RETURN_IF_ERROR(
      in_range("min_child_weight", options.min_child_weight, 0, 1e9));
  RETURN_IF_ERROR(in_range("learning_rate", options.learning_rate, 1e-6, 1));
  RETURN_IF_ERROR(in_range("max_rounds", options.max_rounds, 1, 1e6));
  RETURN_IF_ERROR(in_range("patience", options.patience, 1, 1e6));
  RETURN_IF_ERROR(in_range("check_every", options.check_every, 1, 1e6));
  RETURN_IF_ERROR(in_range("min_improvement", options.min_improvement, 0, 0.5));
  RETURN_IF_ERROR(in_range("min_weight", options.loss.min_weight, 0, 1));
  RETURN_IF_ERROR(in_range("row_damping", options.loss.row_damping, 0, 2));
  RETURN_IF_ERROR(in_range("l2", options.l2, 0, 1e9));
  RETURN_IF_ERROR(in_range("column_share", options.column_share, 1e-3, 1));
  RETURN_IF_ERROR(in_range("max_bins", options.max_bins, 2, 65536));
  return in_range("threads", options.threads, 0, 1024);
}

Booster::Parameters ToParameters(const BoostedTreesOptions& options) {
  return {{"tree_method", "hist"},
          {"base_score", "0"},
          {"disable_default_eval_metric", "1"},
          {"verbosity", "0"},
          {"max_depth", absl::StrCat(options.max_depth)},
          {"gamma", absl::StrCat(options.min_split_loss)},
          {"min_child_weight", absl::StrCat(options.min_child_weight)},
          {"eta", absl::StrCat(options.learning_rate)},
          {"lambda", absl::StrCat(options.l2)},
          {"colsample_bynode", absl::StrCat(options.column_share)},
          {"max_bin", absl::StrCat(options.max_bins)},
          {"nthread", absl::StrCat(options.threads)}};
}

// Adds trees until the error on the training data no longer falls; returns how
// many of them had the least error.
absl::StatusOr<int> Boost(const BoostedTreesOptions& options,
                          const FeatureRows& programs,
                          absl::Span<const float> labels,
                          const BoosterData& data, Booster& booster) {
  double least_error = std::numeric_limits<double>::infinity();
  int best_trees = 0;
  RowDerivatives derivatives;
  for (int trees = 0;; ++trees) {
    ASSIGN_OR_RETURN(const absl::Span<const float> row_scores,
                     booster.TrainingScores(data));
    const std::vector<double> scores = SumByProgram(programs, row_scores);
    if (trees % options.check_every == 0 || trees == options.max_rounds) {
      const double error = PackRmse(scores, labels);
      if (error < least_error * (1 - options.min_improvement)) {
        least_error = error;
        best_trees = trees;
      }
    }
    if (trees == options.max_rounds || trees - best_trees >= options.patience) {
      return best_trees;
    }
    PackDerivatives(programs, scores, labels, options.loss, derivatives);
    RETURN_IF_ERROR(booster.Boost(data, absl::MakeSpan(derivatives.gradients),
                                  absl::MakeSpan(derivatives.hessians)));
  }
}

}  // namespace

BoostedTreesOptions FlatTrees() {
  return {.max_depth = 6,
          .max_rounds = 100,
          .loss = {.row_damping = 1},
          .max_bins = 64};
}

absl::StatusOr<BoostedTrees> BoostedTrees::Create(
    absl::string_view features, const BoostedTreesOptions& options) {
  RETURN_IF_ERROR(Check(options));
  return BoostedTrees(features, options);
}

absl::Status BoostedTrees::Train() {
  trained_programs_ = data_.programs().num_programs();
  columns_ = data_.programs().columns;
  // No tree divides programs by what they all have in common, but training
  // takes time for it.
  used_columns_ = VaryingColumns(data_.programs());
  if (used_columns_.empty()) {
    booster_.reset();
    return absl::OkStatus();
  }
  const FeatureRows programs = PickColumns(data_.programs(), used_columns_);
  const Booster::Parameters parameters = ToParameters(options_);
  ASSIGN_OR_RETURN(const BoosterData data,
                   BoosterData::Create(programs, options_.threads));
  ASSIGN_OR_RETURN(Booster booster, Booster::Create(data, parameters));
  ASSIGN_OR_RETURN(const int trees,
                   Boost(options_, programs, data_.Labels(), data, booster));
  ReleaseBoosterThreads();
  if (trees == 0) {  // Nothing to tell the programs apart by.
    booster_.reset();
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(booster_, booster.First(trees, parameters));
  num_trees_ = trees;
  return absl::OkStatus();
}

absl::Status BoostedTrees::Learn(const FeatureRows& programs,
                                 absl::Span<const ProgramLabel> labels,
                                 const IsUnwanted& /*is_unwanted*/) {
  RETURN_IF_ERROR(data_.Add(programs, labels));
  return data_.programs().num_programs() == trained_programs_ ? absl::OkStatus()
                                                              : Train();
}

absl::StatusOr<std::vector<double>> BoostedTrees::Predict(
    const FeatureRows& programs) {
  if (!is_trained() || programs.num_programs() == 0) {
    return std::vector<double>(programs.ends.size());
  }
  if (programs.columns != columns_) {
    return absl::InvalidArgumentError(
        absl::StrCat("a model of ", columns_, " features cannot score rows of ",
                     programs.columns));
  }
  ASSIGN_OR_RETURN(const absl::Span<const float> row_scores,
                   booster_->Predict(PickColumns(programs, used_columns_)));
  ReleaseBoosterThreads();
  return SumByProgram(programs, row_scores);
}

absl::Status BoostedTrees::Save(const std::string& path) const {
  if (!is_trained()) {
    return absl::FailedPreconditionError(
        "a model that has learned nothing is not saved");
  }
  proto::BoostedTreesFile file;
  file.set_magic(kMagic);
  file.set_features(features_);
  file.set_columns(columns_);
  file.set_trees(num_trees_);
  file.mutable_used_columns()->Add(used_columns_.begin(), used_columns_.end());
  ASSIGN_OR_RETURN(*file.mutable_booster(), booster_->ToBytes());
  file.set_fingerprint(Fingerprint(file.booster()));
  return WriteFileAtomically(path, file.SerializeAsString());
}

absl::StatusOr<BoostedTrees> BoostedTrees::Load(
    const std::string& path, absl::string_view features,
    const BoostedTreesOptions& options) {
  ASSIGN_OR_RETURN(BoostedTrees model, Create(features, options));
  ASSIGN_OR_RETURN(const std::string bytes, ReadFile(path));
  proto::BoostedTreesFile file;
  if (!file.ParseFromString(bytes) || file.magic() != kMagic) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, " is no model of boosted trees"));
  }
  if (file.fingerprint() != Fingerprint(file.booster())) {
    return absl::DataLossError(absl::StrCat("the model ", path, " is damaged"));
  }
  if (file.features() != features) {
    return absl::InvalidArgumentError(
        absl::StrCat("the model ", path, " was trained on features ",
                     file.features(), "; these are ", features));
  }
  ASSIGN_OR_RETURN(model.booster_,
                   Booster::FromBytes(file.booster(), ToParameters(options)),
                   _ << "in " << path);
  model.columns_ = file.columns();
  model.used_columns_.assign(file.used_columns().begin(),
                             file.used_columns().end());
  if (std::any_of(
          model.used_columns_.begin(), model.used_columns_.end(),
          [&](int column) { return column < 0 || column >= model.columns_; })) {
    return absl::DataLossError(absl::StrCat("the model ", path, " is damaged"));
  }
  model.num_trees_ = file.trees();
  return model;
}

}  // namespace pruner
