// Scores of boosted trees, which have not seen what they judge.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"
#include "pruner/cost/boosted_trees.h"
#include "pruner/cost/cost_model.h"
#include "pruner/features/columns.h"
#include "pruner/features/feature_rows.h"
#include "tools/evaluate/data_set.h"
#include "tools/evaluate/scores.h"

namespace pruner {
namespace {

// By task and program.
using Chosen = std::vector<std::vector<bool>>;

class TreesJudge {
 public:
  TreesJudge(const DataSet& data, ColumnSet columns)
      : data_(data), columns_(columns) {
    ColumnExtractor extractor(columns);
    for (const DataTask& task : data.tasks) {
      FeatureRows& rows = rows_.emplace_back(extractor.NoRows());
      ForEachProgram(data, task, [&](size_t /*i*/, const Program& program) {
        extractor.Append(program, data.TargetOf(task), rows);
      });
    }
  }

  // Adds to `scores` those of the programs that are not to be learned.
  absl::Status ScoreOthers(const Chosen& learned, Scores& scores) const;

 private:
  absl::StatusOr<BoostedTrees> Train(const Chosen& learned) const;

  const DataSet& data_;
  const ColumnSet columns_;
  std::vector<FeatureRows> rows_;  // by task
};

absl::StatusOr<BoostedTrees> TreesJudge::Train(const Chosen& learned) const {
  FeatureRows programs = {.columns = rows_.front().columns};
  std::vector<ProgramLabel> labels;
  for (size_t t = 0; t < data_.tasks.size(); ++t) {
    for (size_t i = 0; i < learned[t].size(); ++i) {
      if (!learned[t][i]) continue;
      programs.Append(rows_[t].rows(static_cast<int>(i)));
      labels.push_back(
          {.task = t, .seconds = data_.tasks[t].programs[i].seconds});
    }
  }
  ASSIGN_OR_RETURN(BoostedTrees trees,
                   BoostedTrees::Create(ColumnSetName(columns_), FlatTrees()));
  RETURN_IF_ERROR(trees.Update(programs, labels));
  return trees;
}

absl::Status TreesJudge::ScoreOthers(const Chosen& learned,
                                     Scores& scores) const {
  ASSIGN_OR_RETURN(BoostedTrees trees, Train(learned));
  for (size_t t = 0; t < data_.tasks.size(); ++t) {
    FeatureRows programs = {.columns = rows_[t].columns};
    std::vector<size_t> places;
    for (size_t i = 0; i < learned[t].size(); ++i) {
      if (learned[t][i]) continue;
      programs.Append(rows_[t].rows(static_cast<int>(i)));
      places.push_back(i);
    }
    ASSIGN_OR_RETURN(const std::vector<double> predicted,
                     trees.Predict(programs));
    for (size_t i = 0; i < places.size(); ++i)
      scores[t][places[i]] = predicted[i];
  }
  return absl::OkStatus();
}

template <typename Value>
std::vector<std::vector<Value>> ForEachOf(const DataSet& data, Value value) {
  std::vector<std::vector<Value>> values;
  for (const DataTask& task : data.tasks)
    values.emplace_back(task.programs.size(), value);
  return values;
}

absl::StatusOr<Scores> ScoresByTask(const DataSet& data,
                                    const TreesOptions& options) {
  if (data.tasks.size() < 2) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--split=task judges a task by trees of the others, and ",
        data.tasks.front().name,
        " is the only one: say --split=programs, or give more logs"));
  }
  const TreesJudge judge(data, options.columns);
  Scores scores = ForEachOf(data, std::optional<double>());
  for (size_t t = 0; t < data.tasks.size(); ++t) {
    Chosen learned = ForEachOf(data, true);
    learned[t].assign(learned[t].size(), false);
    RETURN_IF_ERROR(judge.ScoreOthers(learned, scores));
  }
  return scores;
}

absl::StatusOr<Scores> ScoresByPrograms(const DataSet& data,
                                        const TreesOptions& options) {
  Chosen learned = ForEachOf(data, false);
  for (size_t t = 0; t < data.tasks.size(); ++t) {
    const size_t programs = learned[t].size();
    const auto share = static_cast<size_t>(
        std::round(options.train_share * static_cast<double>(programs)));
    if (share == 0 || share == programs) {
      return absl::InvalidArgumentError(absl::StrCat(
          "--train_share=", options.train_share, " of the ", programs,
          " programs of ", data.tasks[t].name, " are ", share,
          ": some are needed to learn from, and some to judge by"));
    }
    std::vector<size_t> order(programs);
    std::iota(order.begin(), order.end(), size_t{0});
    Rng rng = Rng(options.seed).Fork(data.tasks[t].key.workload.value);
    rng.Shuffle(order);
    for (size_t i = 0; i < share; ++i) learned[t][order[i]] = true;
  }
  Scores scores = ForEachOf(data, std::optional<double>());
  RETURN_IF_ERROR(
      TreesJudge(data, options.columns).ScoreOthers(learned, scores));
  return scores;
}

}  // namespace

absl::StatusOr<Scores> TreesScores(const DataSet& data,
                                   const TreesOptions& options) {
  for (const DataTask& task : data.tasks) {
    if (task.key.target == data.tasks.front().key.target) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("trees are of one target, and the logs are of ",
                     data.TargetOf(data.tasks.front()).name, " and ",
                     data.TargetOf(task).name, ": evaluate the logs of one"));
  }
  return options.split == Split::kTask ? ScoresByTask(data, options)
                                       : ScoresByPrograms(data, options);
}

}  // namespace pruner
