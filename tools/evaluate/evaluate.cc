#include "tools/evaluate/evaluate.h"

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
#include "pruner/features/columns.h"
#include "tools/evaluate/ranking.h"
#include "tools/evaluate/scores.h"

namespace pruner {
namespace {

constexpr int kMaxDraft = 1'000'000;

using ScoreData = absl::StatusOr<Scores> (*)(const DataSet&,
                                             const EvaluateOptions&);

struct ScorerEntry {
  absl::string_view name;
  ScoreData score;
  bool learns = false;  // then scores are labels
  bool has_penalties = false;
};

struct ColumnsEntry {
  absl::string_view name;
  ColumnSet columns;
};
constexpr ColumnsEntry kColumns[] = {{"all", ColumnSet::kAll},
                                     {"compat", ColumnSet::kCompat}};

struct SplitEntry {
  absl::string_view name;
  Split split;
};
constexpr SplitEntry kSplits[] = {{"task", Split::kTask},
                                  {"programs", Split::kPrograms}};

absl::StatusOr<Scores> ScoreByDraft(const DataSet& data,
                                    const EvaluateOptions& options) {
  ASSIGN_OR_RETURN(const std::vector<CpuCost> without,
                   ParseCpuCosts(options.without));
  return DraftScores(data, without);
}

absl::StatusOr<Scores> ScoreByTrees(const DataSet& data,
                                    const EvaluateOptions& options) {
  ASSIGN_OR_RETURN(
      const ColumnsEntry* columns,
      FindNamed(absl::MakeConstSpan(kColumns), "columns", options.columns));
  ASSIGN_OR_RETURN(
      const SplitEntry* split,
      FindNamed(absl::MakeConstSpan(kSplits), "split", options.split));
  return TreesScores(data, {.columns = columns->columns,
                            .split = split->split,
                            .train_share = options.train_share,
                            .seed = options.seed});
}

absl::StatusOr<Scores> ScoreByChance(const DataSet& data,
                                     const EvaluateOptions& options) {
  return RandomScores(data, options.seed);
}

constexpr ScorerEntry kScorers[] = {
    {"draft", ScoreByDraft, /*learns=*/false, /*has_penalties=*/true},
    {"trees", ScoreByTrees, /*learns=*/true},
    {"random", ScoreByChance},
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
      absl::StrCat("--without and --ablation are for --scorer=draft; ",
                   scorer.name, " has no penalties"));
}

absl::Status AddAblation(const DataSet& data, const RankingOptions& options,
                         proto::Evaluation& evaluation) {
  for (const CpuCost cost : AllCpuCosts()) {
    ASSIGN_OR_RETURN(const Scores scores, DraftScores(data, {cost}));
    proto::AblatedModel& model = *evaluation.add_ablation();
    model.set_without(CpuCostName(cost));
    *model.mutable_overall() = RankAll(data, scores, options);
  }
  return absl::OkStatus();
}

void SetWhatIsJudged(const DataSet& data, const EvaluateOptions& options,
                     const ScorerEntry& scorer, proto::Evaluation& evaluation) {
  evaluation.set_scorer(scorer.name);
  std::set<std::string> targets;
  for (const DataTask& task : data.tasks)
    targets.insert(data.TargetOf(task).name);
  for (const std::string& target : targets) evaluation.add_targets(target);
  for (const std::string& name : options.without) evaluation.add_without(name);
  if (!scorer.learns) return;
  evaluation.set_columns(options.columns);
  evaluation.set_split(options.split);
}

}  // namespace

absl::Status CheckEvaluateOptions(const EvaluateOptions& options) {
  ASSIGN_OR_RETURN(const ScorerEntry* scorer, FindScorer(options.scorer));
  RETURN_IF_ERROR(CheckPenalties(options, *scorer));
  RETURN_IF_ERROR(
      FindNamed(absl::MakeConstSpan(kColumns), "columns", options.columns)
          .status());
  RETURN_IF_ERROR(
      FindNamed(absl::MakeConstSpan(kSplits), "split", options.split).status());
  if (!(options.train_share > 0 && options.train_share < 1)) {
    return absl::InvalidArgumentError(
        absl::StrCat("--train_share=", options.train_share,
                     " is not between 0 and 1: write 0.9"));
  }
  for (const int draft : options.drafts)
    RETURN_IF_ERROR(CheckFlagRange("drafts", draft, 1, kMaxDraft));
  return absl::OkStatus();
}

absl::StatusOr<proto::Evaluation> Evaluate(const DataSet& data,
                                           const EvaluateOptions& options) {
  RETURN_IF_ERROR(CheckEvaluateOptions(options));
  ASSIGN_OR_RETURN(const ScorerEntry* scorer, FindScorer(options.scorer));
  ASSIGN_OR_RETURN(const Scores scores, scorer->score(data, options));
  const RankingOptions ranking = {.drafts = options.drafts,
                                  .scores_are_labels = scorer->learns};
  proto::Evaluation evaluation;
  SetWhatIsJudged(data, options, *scorer, evaluation);
  for (proto::Ranking& task : RankTasks(data, scores, ranking))
    *evaluation.add_tasks() = std::move(task);
  if (evaluation.tasks().empty()) {
    return absl::InvalidArgumentError(
        "none of the programs that are left to judge ran: give more logs");
  }
  *evaluation.mutable_overall() = RankAll(data, scores, ranking);
  if (options.ablation) {
    RETURN_IF_ERROR(AddAblation(data, ranking, evaluation));
  }
  return evaluation;
}

}  // namespace pruner
