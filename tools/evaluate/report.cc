#include "tools/evaluate/report.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "pruner/base/text/csv.h"
#include "pruner/base/text/table.h"

namespace pruner {
namespace {

// In place of what says nothing, as the draft is all that there is.
constexpr char kAll[] = "-";

std::string Share(double value) { return absl::StrFormat("%.3f", value); }

std::string DraftTitle(int size) {
  return size <= 5 ? absl::StrCat("top-", size)
                   : absl::StrCat("best-1 of ", size);
}

void AddDraftColumns(const proto::Ranking& ranking,
                     std::vector<Table::Column>& columns) {
  for (const proto::Draft& draft : ranking.drafts())
    columns.push_back({DraftTitle(draft.size())});
}

// How many of the tasks have no more programs than that.
int WholeTasks(const proto::Evaluation& evaluation, int size) {
  return static_cast<int>(std::count_if(
      evaluation.tasks().begin(), evaluation.tasks().end(),
      [&](const proto::Ranking& task) { return size >= task.programs(); }));
}

void AddDrafts(const proto::Ranking& task, std::vector<std::string>& cells) {
  for (const proto::Draft& draft : task.drafts()) {
    cells.push_back(draft.size() >= task.programs() ? kAll
                                                    : Share(draft.best()));
  }
}

// Of a ranking of all tasks.
void AddDrafts(const proto::Evaluation& evaluation,
               const proto::Ranking& overall,
               double (proto::Draft::*figure)() const,
               std::vector<std::string>& cells) {
  for (const proto::Draft& draft : overall.drafts()) {
    const bool says_nothing =
        WholeTasks(evaluation, draft.size()) == evaluation.tasks_size();
    cells.push_back(says_nothing ? kAll : Share((draft.*figure)()));
  }
}

std::string RankingTable(const proto::Evaluation& evaluation) {
  const proto::Ranking& overall = evaluation.overall();
  const bool has_errors = overall.has_rmse();
  std::vector<Table::Column> columns = {{"task", Table::Align::kLeft},
                                        {"programs"},
                                        {"failed"},
                                        {"pairs"},
                                        {"recall@30"}};
  if (has_errors) columns.insert(columns.end(), {{"RMSE"}, {"R²"}});
  AddDraftColumns(overall, columns);
  Table table(std::move(columns));
  const auto add = [&](const std::string& name, const proto::Ranking& ranking) {
    std::vector<std::string> cells = {name, absl::StrCat(ranking.programs()),
                                      absl::StrCat(ranking.failures()),
                                      Share(ranking.pairwise_accuracy()),
                                      Share(ranking.recall_at_30())};
    if (has_errors) {
      cells.push_back(Share(ranking.rmse()));
      cells.push_back(Share(ranking.r_squared()));
    }
    AddDrafts(ranking, cells);
    table.AddRow(std::move(cells));
  };
  for (const proto::Ranking& task : evaluation.tasks()) add(task.task(), task);
  add(absl::StrCat("all ", evaluation.tasks_size()), overall);
  std::vector<std::string> random = {"random draws", "", "", Share(0.5), ""};
  if (has_errors) random.insert(random.end(), {"", ""});
  AddDrafts(evaluation, overall, &proto::Draft::random, random);
  table.AddRow(std::move(random));
  return table.ToString();
}

// Where programs failed.
std::string ValidityTable(const proto::Evaluation& evaluation) {
  Table table({{"task", Table::Align::kLeft},
               {"failed"},
               {"pairs of valid"},
               {"of valid and failed"},
               {"precision@50"},
               {"nDCG@50"}});
  const auto add = [&](const std::string& name, const proto::Ranking& ranking) {
    if (!ranking.has_validity()) return;
    const proto::Validity& validity = ranking.validity();
    table.AddRow({name, absl::StrCat(ranking.failures()),
                  Share(validity.valid_pairs()), Share(validity.failed_pairs()),
                  Share(validity.precision_at_50()),
                  Share(validity.ndcg_at_50())});
  };
  for (const proto::Ranking& task : evaluation.tasks()) add(task.task(), task);
  add(absl::StrCat("all ", evaluation.tasks_size()), evaluation.overall());
  return table.ToString();
}

std::string AblationTable(const proto::Evaluation& evaluation) {
  std::vector<Table::Column> columns = {
      {"without", Table::Align::kLeft}, {"pairs"}, {"recall@30"}};
  AddDraftColumns(evaluation.overall(), columns);
  Table table(std::move(columns));
  const auto add = [&](const std::string& name, const proto::Ranking& ranking) {
    std::vector<std::string> cells = {name, Share(ranking.pairwise_accuracy()),
                                      Share(ranking.recall_at_30())};
    AddDrafts(evaluation, ranking, &proto::Draft::best, cells);
    table.AddRow(std::move(cells));
  };
  add("nothing", evaluation.overall());
  for (const proto::AblatedModel& model : evaluation.ablation())
    add(model.without(), model.overall());
  return table.ToString();
}

// What is judged, in a line.
std::string FirstLine(const proto::Evaluation& evaluation) {
  std::string text = absl::StrCat(evaluation.scorer(), " on ",
                                  absl::StrJoin(evaluation.targets(), ", "));
  if (!evaluation.without().empty()) {
    absl::StrAppend(&text, ", without ",
                    absl::StrJoin(evaluation.without(), ", "));
  }
  if (!evaluation.split().empty()) {
    absl::StrAppend(&text, ", columns ", evaluation.columns(),
                    ", what is judged left out of what is learned by ",
                    evaluation.split());
  }
  return text;
}

std::string WholeTasksText(const proto::Evaluation& evaluation) {
  std::string text;
  for (const proto::Draft& draft : evaluation.overall().drafts()) {
    const int whole = WholeTasks(evaluation, draft.size());
    if (whole == 0) continue;
    absl::StrAppend(&text, "a draft of ", draft.size(),
                    " is all that there is of ", whole,
                    " of the tasks, and says nothing of them\n");
  }
  return text;
}

std::string CsvNumber(double value) { return absl::StrFormat("%.6g", value); }

}  // namespace

std::string EvaluationText(const proto::Evaluation& evaluation) {
  std::string text =
      absl::StrCat(FirstLine(evaluation), "\n\n", RankingTable(evaluation),
                   "\n", WholeTasksText(evaluation));
  if (evaluation.overall().has_noise()) {
    const proto::NoiseFloor& noise = evaluation.overall().noise();
    absl::StrAppendFormat(
        &text,
        "noise floor: of two timings of one program the longer is %.3f times "
        "the shorter (median), %.3f times (90th percentile), of %d\n",
        noise.median(), noise.p90(), noise.programs());
  }
  if (evaluation.overall().has_validity())
    absl::StrAppend(&text, "\n", ValidityTable(evaluation));
  if (!evaluation.ablation().empty())
    absl::StrAppend(&text, "\n", AblationTable(evaluation));
  if (!evaluation.fitted().empty()) {
    absl::StrAppend(
        &text, "\nweights that fit all tasks: ",
        absl::StrJoin(evaluation.fitted(), ", ",
                      [](std::string* out, const proto::PenaltyWeight& weight) {
                        absl::StrAppendFormat(out, "%s %.3g", weight.penalty(),
                                              weight.weight());
                      }),
        "\n");
  }
  return text;
}

std::string EvaluationCsv(const proto::Evaluation& evaluation) {
  std::string text =
      "task,programs,failures,pairwise_accuracy,recall_at_30,rmse,r_squared";
  for (const proto::Draft& draft : evaluation.overall().drafts()) {
    absl::StrAppend(&text, ",best_1_of_", draft.size(), ",random_1_of_",
                    draft.size());
  }
  absl::StrAppend(&text,
                  ",timed_twice,noise_median,noise_p90,valid_pairs,"
                  "failed_pairs,precision_at_50,ndcg_at_50\n");
  for (const proto::Ranking& task : evaluation.tasks()) {
    std::vector<std::string> cells = {
        CsvField(task.task()),
        absl::StrCat(task.programs()),
        absl::StrCat(task.failures()),
        CsvNumber(task.pairwise_accuracy()),
        CsvNumber(task.recall_at_30()),
        task.has_rmse() ? CsvNumber(task.rmse()) : "",
        task.has_r_squared() ? CsvNumber(task.r_squared()) : ""};
    for (const proto::Draft& draft : task.drafts()) {
      cells.push_back(CsvNumber(draft.best()));
      cells.push_back(CsvNumber(draft.random()));
    }
    const proto::NoiseFloor& noise = task.noise();
    cells.push_back(absl::StrCat(noise.programs()));
    cells.push_back(task.has_noise() ? CsvNumber(noise.median()) : "");
    cells.push_back(task.has_noise() ? CsvNumber(noise.p90()) : "");
    const proto::Validity& validity = task.validity();
    for (const double figure :
         {validity.valid_pairs(), validity.failed_pairs(),
          validity.precision_at_50(), validity.ndcg_at_50()})
      cells.push_back(task.has_validity() ? CsvNumber(figure) : "");
    absl::StrAppend(&text, absl::StrJoin(cells, ","), "\n");
  }
  return text;
}

}  // namespace pruner
