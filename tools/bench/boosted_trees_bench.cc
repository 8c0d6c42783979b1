// How long boosted trees take to train and to score programs, and how well they
// rank programs of the same tasks that they have not seen. The programs are
// synthetic.
//   bazel run //tools/bench:boosted_trees -- --programs=2000 --json
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "pruner/base/clock.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"
#include "pruner/base/text/json.h"
#include "pruner/base/text/table.h"
#include "pruner/cost/boosted_trees.h"
#include "pruner/cost/ranking_metrics.h"
#include "pruner/cost/synthetic_programs.h"
#include "tools/bench/boosted_trees_bench.pb.h"
#include "tools/common/tool_flags.h"

ABSL_FLAG(int, programs, 2000, "programs to train on");
ABSL_FLAG(int, predicted, 10000, "programs to score");
ABSL_FLAG(int, tasks, 23, "tasks they are of");
ABSL_FLAG(int, columns, 164, "features of a row");
ABSL_FLAG(int, repeats, 3, "trainings, and scorings, of which the best counts");
ABSL_FLAG(int, seed, 1, "seed");
ABSL_FLAG(bool, json, false, "print one JSON object as the last line");

// Options of the model; what is not given is BoostedTreesOptions' default.
ABSL_FLAG(std::optional<int>, max_depth, std::nullopt, "levels of a tree");
ABSL_FLAG(std::optional<int>, max_rounds, std::nullopt, "most trees");
ABSL_FLAG(std::optional<int>, max_bins, std::nullopt, "bins of a column");
ABSL_FLAG(std::optional<double>, learning_rate, std::nullopt, "eta");
ABSL_FLAG(std::optional<double>, min_split_loss, std::nullopt, "gamma");
ABSL_FLAG(std::optional<double>, column_share, std::nullopt,
          "share of the columns that a split chooses among");
ABSL_FLAG(std::optional<double>, l2, std::nullopt, "lambda");
ABSL_FLAG(std::optional<double>, min_improvement, std::nullopt,
          "share by which the error has to fall");
ABSL_FLAG(std::optional<double>, min_weight, std::nullopt,
          "least weight of a program");
ABSL_FLAG(std::optional<double>, row_damping, std::nullopt,
          "power of the number of rows");
ABSL_FLAG(std::optional<int>, threads, std::nullopt, "threads; 0: all cores");

namespace pruner {
namespace {

constexpr char kSources[] = "tools/bench";

BoostedTreesOptions Options() {
  BoostedTreesOptions options;
  const auto set = [](const auto& flag, auto& option) {
    option = absl::GetFlag(flag).value_or(option);
  };
  set(FLAGS_max_depth, options.max_depth);
  set(FLAGS_max_rounds, options.max_rounds);
  set(FLAGS_max_bins, options.max_bins);
  set(FLAGS_learning_rate, options.learning_rate);
  set(FLAGS_min_split_loss, options.min_split_loss);
  set(FLAGS_column_share, options.column_share);
  set(FLAGS_l2, options.l2);
  set(FLAGS_min_improvement, options.min_improvement);
  set(FLAGS_min_weight, options.loss.min_weight);
  set(FLAGS_row_damping, options.loss.row_damping);
  set(FLAGS_threads, options.threads);
  return options;
}

// The tasks' programs that are scored, which are the last of `labels`.
std::vector<TaskRanking> Rankings(const std::vector<ProgramLabel>& all_labels,
                                  const std::vector<double>& scores) {
  std::map<uint64_t, TaskRanking> tasks;
  for (const ProgramLabel& label : all_labels) {
    if (!label.seconds.has_value()) continue;
    double& best = tasks[label.task].best_seconds;
    best = best == 0 ? *label.seconds : std::min(best, *label.seconds);
  }
  const auto labels = absl::MakeConstSpan(all_labels)
                          .subspan(all_labels.size() - scores.size());
  for (size_t i = 0; i < labels.size(); ++i) {
    if (!labels[i].seconds.has_value()) continue;
    TaskRanking& task = tasks[labels[i].task];
    task.scores.push_back(scores[i]);
    task.labels.push_back(task.best_seconds / *labels[i].seconds);
  }
  std::vector<TaskRanking> result;
  for (auto& [_, task] : tasks) {
    if (!task.scores.empty()) result.push_back(std::move(task));
  }
  return result;
}

void Print(const proto::BoostedTreesBench& result) {
  Table table({{"what", Table::Align::kLeft}, {"figure"}});
  table.AddRow(
      {"training, s", absl::StrFormat("%.3f", result.training_seconds())});
  table.AddRow({"trees", absl::StrCat(result.trees())});
  table.AddRow(
      {"prediction, s", absl::StrFormat("%.3f", result.prediction_seconds())});
  table.AddRow({"RMSE", absl::StrFormat("%.3f", result.rmse())});
  table.AddRow({"R²", absl::StrFormat("%.3f", result.r_squared())});
  table.AddRow({"pairwise accuracy",
                absl::StrFormat("%.3f", result.pairwise_accuracy())});
  table.AddRow({"recall@30", absl::StrFormat("%.3f", result.recall_at_30())});
  std::printf(
      "%d programs of %d rows of %d features to train on, %d to score\n\n%s",
      result.programs(), result.rows(), result.columns(),
      result.predicted_programs(), table.ToString().c_str());
}

absl::Status Run() {
  const int count = absl::GetFlag(FLAGS_programs);
  const SyntheticPrograms all = MakeSyntheticPrograms(
      count + absl::GetFlag(FLAGS_predicted), absl::GetFlag(FLAGS_tasks),
      absl::GetFlag(FLAGS_columns),
      Rng(static_cast<uint64_t>(absl::GetFlag(FLAGS_seed))));
  SyntheticPrograms known = {.programs = {.columns = all.programs.columns}};
  SyntheticPrograms unknown = known;
  for (int i = 0; i < all.programs.num_programs(); ++i) {
    SyntheticPrograms& part = i < count ? known : unknown;
    part.programs.Append(all.programs.rows(i));
    part.labels.push_back(all.labels[static_cast<size_t>(i)]);
  }
  proto::BoostedTreesBench result;
  result.set_programs(count);
  result.set_rows(known.programs.num_rows());
  result.set_columns(known.programs.columns);
  result.set_predicted_programs(unknown.programs.num_programs());
  std::vector<double> scores;
  for (int i = 0; i < absl::GetFlag(FLAGS_repeats); ++i) {
    ASSIGN_OR_RETURN(BoostedTrees model,
                     BoostedTrees::Create("synthetic/1", Options()));
    const auto keep_least = [i](double seconds, double least) {
      return i == 0 ? seconds : std::min(seconds, least);
    };
    absl::Duration start = RealClock().Elapsed();
    RETURN_IF_ERROR(model.Update(known.programs, known.labels));
    result.set_training_seconds(
        keep_least(ToDoubleSeconds(RealClock().Elapsed() - start),
                   result.training_seconds()));
    result.set_trees(model.num_trees());
    start = RealClock().Elapsed();
    ASSIGN_OR_RETURN(scores, model.Predict(unknown.programs));
    result.set_prediction_seconds(
        keep_least(ToDoubleSeconds(RealClock().Elapsed() - start),
                   result.prediction_seconds()));
  }
  const std::vector<TaskRanking> tasks = Rankings(all.labels, scores);
  result.set_rmse(Rmse(tasks));
  result.set_r_squared(RSquared(tasks));
  result.set_pairwise_accuracy(PairwiseAccuracy(tasks));
  result.set_recall_at_30(RecallAtK(tasks, 30));
  Print(result);
  if (absl::GetFlag(FLAGS_json)) std::printf("%s\n", ToJson(result).c_str());
  return absl::OkStatus();
}

int Main() {
  const absl::Status status = Run();
  return status.ok() ? kExitOk : ReportError("boosted_trees", status);
}

}  // namespace
}  // namespace pruner

// NOLINTNEXTLINE(bugprone-exception-escape): what is thrown here ends it.
int main(int argc, char** argv) {
  const std::optional<int> exit =
      pruner::InitTool(argc, argv,
                       "Measures how long boosted trees take to train and to "
                       "score programs, and "
                       "how well they rank programs that they have not seen.",
                       pruner::kSources);
  return exit ? *exit : pruner::Main();
}
