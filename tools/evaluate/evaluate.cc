#include "tools/evaluate/evaluate.h"

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "pruner/base/status_macros.h"
#include "pruner/base/text/find_named.h"
#include "pruner/base/text/flag_range.h"
#include "pruner/draft/cpu_psa.h"
#include "pruner/tune/cost_models.h"
#include "tools/evaluate/ranking.h"
#include "tools/evaluate/scores.h"

namespace pruner {
namespace {

constexpr int kMaxDraft = 1'000'000;

// Scores the data; a model with penalties without these.
using Scorer =
    std::function<absl::StatusOr<Scores>(const std::vector<CpuCost>& without)>;

// `data` outlives what is made. Says in `evaluation` what was learned.
using MakeScorer = absl::StatusOr<Scorer> (*)(const DataSet& data,
                                              const EvaluateOptions& options,
                                              proto::Evaluation& evaluation);

struct ScorerEntry {
  absl::string_view name;
  MakeScorer make;
  bool learns = false;
  bool predicts_labels = false;
  bool has_penalties = false;
};

struct SplitEntry {
  absl::string_view name;
  Split split;
};
constexpr SplitEntry kSplits[] = {{"none", Split::kNone},
                                  {"task", Split::kTask},
                                  {"programs", Split::kPrograms}};

absl::StatusOr<Scorer> MakeDraft(const DataSet& data,
                                 const EvaluateOptions& /*options*/,
                                 proto::Evaluation& /*evaluation*/) {
  return [&data](const std::vector<CpuCost>& without) {
    return DraftScores(data, without);
  };
}

absl::StatusOr<Scorer> MakeFitted(const DataSet& data,
                                  const EvaluateOptions& /*options*/,
                                  proto::Evaluation& evaluation) {
  ASSIGN_OR_RETURN(FittedDraft fitted, FitDraft(data));
  for (const CpuCost cost : AllCpuCosts()) {
    if (cost == CpuCost::kBalance) continue;  // which has no weight
    proto::PenaltyWeight& weight = *evaluation.add_fitted();
    weight.set_penalty(CpuCostName(cost));
    weight.set_weight(fitted.of_all[static_cast<int>(cost)]);
  }
  return
      [&data, fitted = std::move(fitted)](const std::vector<CpuCost>& without) {
        return FittedDraftScores(data, fitted, without);
      };
}

CostModelOptions ModelOf(const EvaluateOptions& options) {
  return {.name = options.scorer,
          .columns = options.columns,
          .branches = options.branches,
          .network_program = options.network_program,
          .training = options.training,
          .epochs = options.epochs,
          .pretrained = options.pretrained,
          .adapt = options.adapt,
          .seed = options.seed};
}

absl::StatusOr<Scorer> MakeLearned(const DataSet& data,
                                   const EvaluateOptions& options,
                                   proto::Evaluation& evaluation) {
  ASSIGN_OR_RETURN(
      const SplitEntry* split,
      FindNamed(absl::MakeConstSpan(kSplits), "split", options.split));
  evaluation.set_columns(options.columns);
  evaluation.set_split(options.split);
  const CostModelOptions model = ModelOf(options);
  const LearnedOptions learned = {.columns = ColumnsOf(model),
                                  .split = split->split,
                                  .folds = options.folds,
                                  .train_share = options.train_share,
                                  .seed = options.seed,
                                  .lessons = options.lessons};
  return [&data, model, learned](const std::vector<CpuCost>& /*without*/) {
    return LearnedScores(data, learned, [&] { return MakeCostModel(model); });
  };
}

absl::StatusOr<Scorer> MakeChance(const DataSet& data,
                                  const EvaluateOptions& options,
                                  proto::Evaluation& /*evaluation*/) {
  return [&data, seed = options.seed](const std::vector<CpuCost>& /*without*/) {
    return RandomScores(data, seed);
  };
}

constexpr ScorerEntry kScorers[] = {
    {.name = "draft", .make = MakeDraft, .has_penalties = true},
    {.name = "fitted", .make = MakeFitted, .has_penalties = true},
    {.name = "gbdt",
     .make = MakeLearned,
     .learns = true,
     .predicts_labels = true},
    {.name = "mlp", .make = MakeLearned, .learns = true},
    {.name = "pacm", .make = MakeLearned, .learns = true},
    {.name = "random", .make = MakeChance},
};

absl::StatusOr<const ScorerEntry*> FindScorer(absl::string_view name) {
  return FindNamed(absl::MakeConstSpan(kScorers), "scorer", name);
}

absl::Status CheckPenalties(const EvaluateOptions& options,
                            const ScorerEntry& scorer) {
  RETURN_IF_ERROR(ParseCpuCosts(options.without).status());
  if (!options.without.empty() && options.ablation) {
    return absl::InvalidArgumentError(
        "--without and --ablation exclude each other: the table has the whole "
        "model without each penalty");
  }
  if (scorer.has_penalties || (options.without.empty() && !options.ablation))
    return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("--without and --ablation are for --scorer=draft and "
                   "fitted; ",
                   scorer.name, " has no penalties"));
}

absl::Status AddAblation(const DataSet& data, const Scorer& score,
                         const RankingOptions& options,
                         proto::Evaluation& evaluation) {
  for (const CpuCost cost : AllCpuCosts()) {
    ASSIGN_OR_RETURN(const Scores scores, score({cost}));
    proto::AblatedModel& model = *evaluation.add_ablation();
    model.set_without(CpuCostName(cost));
    *model.mutable_overall() = RankAll(data, scores, options);
  }
  return absl::OkStatus();
}

void SetWhatIsJudged(const DataSet& data, const EvaluateOptions& options,
                     proto::Evaluation& evaluation) {
  evaluation.set_scorer(options.scorer);
  std::set<std::string> targets;
  for (const DataTask& task : data.tasks)
    targets.insert(data.TargetOf(task).name);
  for (const std::string& target : targets) evaluation.add_targets(target);
  for (const std::string& name : options.without) evaluation.add_without(name);
}

}  // namespace

absl::Status CheckEvaluateOptions(const EvaluateOptions& options) {
  ASSIGN_OR_RETURN(const ScorerEntry* scorer, FindScorer(options.scorer));
  RETURN_IF_ERROR(CheckPenalties(options, *scorer));
  RETURN_IF_ERROR(CheckWhatIsRead(ModelOf(options)));
  ASSIGN_OR_RETURN(
      const SplitEntry* split,
      FindNamed(absl::MakeConstSpan(kSplits), "split", options.split));
  if (!(options.train_share > 0 && options.train_share < 1)) {
    return absl::InvalidArgumentError(
        absl::StrCat("--train_share=", options.train_share,
                     " is not between 0 and 1: write 0.9"));
  }
  if (options.lessons != nullptr && !scorer->learns) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--learn_from is for models that learn; ", scorer->name, " does not"));
  }
  if (split->split == Split::kNone && options.pretrained == kNoPretrained &&
      options.lessons == nullptr) {
    return absl::InvalidArgumentError(
        "--split=none judges by what was learned elsewhere: say where, with "
        "--learn_from=DATA or --pretrained=FILE");
  }
  RETURN_IF_ERROR(CheckFlagRange("folds", options.folds, 0, 1'000'000));
  if (scorer->learns) {
    RETURN_IF_ERROR(CheckCostModel(ModelOf(options)));
    RETURN_IF_ERROR(CheckNetworkProgram(ModelOf(options)));
  }
  for (const int draft : options.drafts)
    RETURN_IF_ERROR(CheckFlagRange("drafts", draft, 1, kMaxDraft));
  return absl::OkStatus();
}

absl::StatusOr<proto::Evaluation> Evaluate(const DataSet& data,
                                           const EvaluateOptions& options) {
  RETURN_IF_ERROR(CheckEvaluateOptions(options));
  ASSIGN_OR_RETURN(const ScorerEntry* scorer, FindScorer(options.scorer));
  ASSIGN_OR_RETURN(const std::vector<CpuCost> without,
                   ParseCpuCosts(options.without));
  proto::Evaluation evaluation;
  SetWhatIsJudged(data, options, evaluation);
  ASSIGN_OR_RETURN(const Scorer score, scorer->make(data, options, evaluation));
  ASSIGN_OR_RETURN(const Scores scores, score(without));
  const RankingOptions ranking = {.drafts = options.drafts,
                                  .scores_are_labels = scorer->predicts_labels};
  for (proto::Ranking& task : RankTasks(data, scores, ranking))
    *evaluation.add_tasks() = std::move(task);
  if (evaluation.tasks().empty()) {
    return absl::InvalidArgumentError(
        "none of the programs that are left to judge ran: give more logs");
  }
  *evaluation.mutable_overall() = RankAll(data, scores, ranking);
  if (options.ablation) {
    RETURN_IF_ERROR(AddAblation(data, score, ranking, evaluation));
  }
  return evaluation;
}

}  // namespace pruner
