// Scores of models that learn, which have not seen what they judge.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"
#include "pruner/cost/cost_model.h"
#include "pruner/features/columns.h"
#include "pruner/features/feature_rows.h"
#include "tools/evaluate/data_set.h"
#include "tools/evaluate/scores.h"

namespace pruner {
namespace {

// No programs, of the same columns.
FeatureRows NoneLike(const FeatureRows& rows) {
  return {.columns = rows.columns, .program_columns = rows.program_columns};
}

// By task and program.
using Chosen = std::vector<std::vector<bool>>;

class Judge {
 public:
  Judge(const DataSet& data, const LearnedOptions& options, CostModelMaker make)
      : data_(data),
        make_(make),
        lessons_(ColumnExtractor(options.columns).NoRows()) {
    ColumnExtractor extractor(options.columns);
    for (const DataTask& task : data.tasks) {
      FeatureRows& rows = rows_.emplace_back(extractor.NoRows());
      ForEachProgram(data, task, [&](size_t /*i*/, const Program& program) {
        extractor.Append(program, data.TargetOf(task), rows);
      });
    }
    if (options.lessons != nullptr) AddLessons(*options.lessons, extractor);
  }

  // Adds to `scores` those of the programs that are not to be learned.
  absl::Status ScoreOthers(const Chosen& learned, Scores& scores) const;

 private:
  void AddLessons(const DataSet& lessons, ColumnExtractor& extractor);
  absl::StatusOr<std::unique_ptr<CostModel>> Train(const Chosen& learned) const;

  const DataSet& data_;
  const CostModelMaker make_;
  std::vector<FeatureRows> rows_;  // by task
  // Of tasks that are none of the data's.
  FeatureRows lessons_;
  std::vector<ProgramLabel> lesson_labels_;
};

void Judge::AddLessons(const DataSet& lessons, ColumnExtractor& extractor) {
  for (size_t t = 0; t < lessons.tasks.size(); ++t) {
    const DataTask& task = lessons.tasks[t];
    if (data_.workloads.contains(task.key.workload)) continue;
    AppendPrograms(lessons, task, data_.tasks.size() + t, extractor, lessons_,
                   lesson_labels_);
  }
}

absl::StatusOr<std::unique_ptr<CostModel>> Judge::Train(
    const Chosen& learned) const {
  FeatureRows programs = lessons_;
  std::vector<ProgramLabel> labels = lesson_labels_;
  for (size_t t = 0; t < data_.tasks.size(); ++t) {
    for (size_t i = 0; i < learned[t].size(); ++i) {
      if (!learned[t][i]) continue;
      programs.AppendFrom(rows_[t], static_cast<int>(i));
      labels.push_back(
          {.task = t, .seconds = data_.tasks[t].programs[i].seconds});
    }
  }
  ASSIGN_OR_RETURN(std::unique_ptr<CostModel> model, make_());
  RETURN_IF_ERROR(model->Update(programs, labels));
  return model;
}

absl::Status Judge::ScoreOthers(const Chosen& learned, Scores& scores) const {
  ASSIGN_OR_RETURN(const std::unique_ptr<CostModel> model, Train(learned));
  for (size_t t = 0; t < data_.tasks.size(); ++t) {
    FeatureRows programs = NoneLike(rows_[t]);
    std::vector<size_t> places;
    for (size_t i = 0; i < learned[t].size(); ++i) {
      if (learned[t][i]) continue;
      programs.AppendFrom(rows_[t], static_cast<int>(i));
      places.push_back(i);
    }
    ASSIGN_OR_RETURN(const std::vector<double> predicted,
                     model->Predict(programs));
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

absl::StatusOr<Scores> ScoresOfAll(const DataSet& data,
                                   const LearnedOptions& options,
                                   CostModelMaker make) {
  Scores scores = ForEachOf(data, std::optional<double>());
  RETURN_IF_ERROR(
      Judge(data, options, make).ScoreOthers(ForEachOf(data, false), scores));
  return scores;
}

// Which of `folds` each task is judged in; each fold has some.
std::vector<int> DealTasks(size_t tasks, int folds, uint64_t seed) {
  std::vector<size_t> order(tasks);
  std::iota(order.begin(), order.end(), size_t{0});
  Rng(seed).Shuffle(order);
  std::vector<int> fold_of(tasks);
  for (size_t i = 0; i < tasks; ++i)
    fold_of[order[i]] = static_cast<int>(i) % folds;
  return fold_of;
}

absl::StatusOr<Scores> ScoresByTask(const DataSet& data,
                                    const LearnedOptions& options,
                                    CostModelMaker make) {
  const auto tasks = static_cast<int>(data.tasks.size());
  if (tasks < 2) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--split=task judges a task by a model of the others, and ",
        data.tasks.front().name,
        " is the only one: say --split=programs, or give more logs"));
  }
  const int folds = options.folds == 0 ? tasks : std::min(options.folds, tasks);
  const std::vector<int> fold_of =
      DealTasks(data.tasks.size(), folds, options.seed);
  const Judge judge(data, options, make);
  Scores scores = ForEachOf(data, std::optional<double>());
  for (int fold = 0; fold < folds; ++fold) {
    Chosen learned = ForEachOf(data, true);
    for (size_t t = 0; t < learned.size(); ++t) {
      if (fold_of[t] == fold) learned[t].assign(learned[t].size(), false);
    }
    RETURN_IF_ERROR(judge.ScoreOthers(learned, scores));
  }
  return scores;
}

absl::StatusOr<Scores> ScoresByPrograms(const DataSet& data,
                                        const LearnedOptions& options,
                                        CostModelMaker make) {
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
  RETURN_IF_ERROR(Judge(data, options, make).ScoreOthers(learned, scores));
  return scores;
}

absl::Status CheckLessons(const DataSet& data, const DataSet& lessons) {
  RETURN_IF_ERROR(CheckOneTarget(lessons)) << "in --learn_from";
  for (const DataTask& task : lessons.tasks) {
    if (!data.workloads.contains(task.key.workload)) return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      "--learn_from has no workload but those that are judged");
}

}  // namespace

absl::StatusOr<Scores> LearnedScores(const DataSet& data,
                                     const LearnedOptions& options,
                                     CostModelMaker make) {
  RETURN_IF_ERROR(CheckOneTarget(data));
  if (options.lessons != nullptr) {
    RETURN_IF_ERROR(CheckLessons(data, *options.lessons));
  }
  switch (options.split) {
    case Split::kNone:
      return ScoresOfAll(data, options, make);
    case Split::kTask:
      return ScoresByTask(data, options, make);
    case Split::kPrograms:
      return ScoresByPrograms(data, options, make);
  }
  return absl::InternalError("there is no such split");
}

}  // namespace pruner
