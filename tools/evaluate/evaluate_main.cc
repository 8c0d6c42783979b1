// Judges a model by data sets; see kUsage.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "pruner/base/os/environment.h"
#include "pruner/base/os/files.h"
#include "pruner/base/os/program_path.h"
#include "pruner/base/status_macros.h"
#include "pruner/base/text/json.h"
#include "pruner/tune/cost_models.h"
#include "tools/common/companion_files.h"
#include "tools/common/tool_flags.h"
#include "tools/common/tool_output.h"
#include "tools/evaluate/data_set.h"
#include "tools/evaluate/evaluate.h"
#include "tools/evaluate/report.h"
#include "tools/evaluate/user_data.h"

ABSL_FLAG(std::vector<std::string>, data, {},
          "record logs, with commas between them: files, or folders that "
          "collect or tune wrote");
ABSL_FLAG(
    std::string, scorer, "draft",
    "the model: draft, the analytic one of the target; fitted, that of "
    "CPUs with weights that fit all tasks but the one that is judged; "
    "gbdt, boosted trees as tuning trains them; mlp and pacm, TenSet's and "
    "Pruner's networks; random");
ABSL_FLAG(std::vector<std::string>, without, {},
          "penalties to leave out of the draft model of CPUs");
ABSL_FLAG(bool, ablation, false,
          "a second table, of the draft model without each penalty in turn");
ABSL_FLAG(std::string, columns, pruner::kAllColumns,
          "what models that learn read: all, or compat, the papers' columns");
ABSL_FLAG(std::string, branches, pruner::kBothBranches,
          "of pacm: both, or rows or dataflow alone");
ABSL_FLAG(std::vector<std::string>, learn_from, {},
          "other record logs, of which models learn what is none of the tasks "
          "that are judged");
ABSL_FLAG(std::string, split, "task",
          "what models learn from: none, nothing of what is judged, see "
          "--learn_from and --pretrained; task, "
          "other tasks than are judged; "
          "programs, a random share of each task's");
ABSL_FLAG(
    int, folds, 0,
    "with --split=task, how many models are trained, each of which judges "
    "as many tasks; 0: one for each task");
ABSL_FLAG(double, train_share, 0.9, "this share, with --split=programs");
ABSL_FLAG(
    std::string, training, pruner::kListTraining,
    "how networks learn: lists, by ranking lists of one task each; papers, "
    "as Pruner's authors have it");
ABSL_FLAG(std::string, pretrained, pruner::kNoPretrained,
          "a network to begin with: none; cpu, the PaCM that is shipped for "
          "CPUs; or a file that pretrain wrote");
ABSL_FLAG(std::string, adapt, "moa",
          "what is learned on top of it: moa, with momentum; finetune, it is "
          "trained further; none, nothing");
ABSL_FLAG(int, epochs, 0,
          "for how many epochs networks are trained at most; 0: as many as the "
          "training takes by itself");
ABSL_FLAG(std::vector<std::string>, drafts,
          std::vector<std::string>({"512", "256", "128", "50"}),
          "how many programs of each task are drafted");
ABSL_FLAG(uint64_t, seed, 1, "of what is drawn at random");
ABSL_FLAG(std::string, csv, "", "a file for the figures of each task");
ABSL_FLAG(bool, json, false, "print one JSON object as the last line");

namespace pruner {
namespace {

constexpr char kUsage[] =
    "How well a model ranks programs that were timed.\n\n"
    "  evaluate --data=r50\n"
    "  evaluate --data=r50,operators --scorer=gbdt --split=programs\n"
    "  evaluate --data=r50 --ablation --csv=tasks.csv\n\n"
    "pairs: the share of pairs of programs that scores put into the right "
    "order. recall@30: how\n"
    "many of the 30 fastest are among the 30 of the highest scores. top-k, "
    "best-1 of k: latency\n"
    "with each task's fastest program over that with the fastest of the k of "
    "the highest scores.";

constexpr char kSources[] = "tools/evaluate/";

absl::StatusOr<std::vector<int>> Drafts() {
  std::vector<int> drafts;
  for (const std::string& text : absl::GetFlag(FLAGS_drafts)) {
    if (!absl::SimpleAtoi(text, &drafts.emplace_back())) {
      return absl::InvalidArgumentError(
          absl::StrCat("--drafts: '", text, "' is no whole number"));
    }
  }
  return drafts;
}

absl::Status Run(const char* argv0) {
  EvaluateOptions options = {
      .scorer = absl::GetFlag(FLAGS_scorer),
      .without = absl::GetFlag(FLAGS_without),
      .ablation = absl::GetFlag(FLAGS_ablation),
      .columns = absl::GetFlag(FLAGS_columns),
      .branches = absl::GetFlag(FLAGS_branches),
      .split = absl::GetFlag(FLAGS_split),
      .folds = absl::GetFlag(FLAGS_folds),
      .train_share = absl::GetFlag(FLAGS_train_share),
      .network_program = NetworkProgram(ProgramPath(), argv0),
      .training = absl::GetFlag(FLAGS_training),
      .epochs = absl::GetFlag(FLAGS_epochs),
      .pretrained = PretrainedOf(absl::GetFlag(FLAGS_pretrained)),
      .adapt = absl::GetFlag(FLAGS_adapt),
      .seed = absl::GetFlag(FLAGS_seed),
  };
  ASSIGN_OR_RETURN(options.drafts, Drafts());
  const std::vector<std::string> learn_from = absl::GetFlag(FLAGS_learn_from);
  DataSet lessons;
  if (!learn_from.empty()) options.lessons = &lessons;
  RETURN_IF_ERROR(CheckEvaluateOptions(options));
  ASSIGN_OR_RETURN(const DataSet data,
                   ReadUserData("evaluate", absl::GetFlag(FLAGS_data)));
  if (!learn_from.empty()) {
    ASSIGN_OR_RETURN(lessons, ReadUserData("evaluate", learn_from));
  }
  ASSIGN_OR_RETURN(const proto::Evaluation evaluation, Evaluate(data, options));
  absl::Status status = Print(EvaluationText(evaluation));
  if (const std::string csv = absl::GetFlag(FLAGS_csv); !csv.empty()) {
    status.Update(
        WriteFileAtomically(ResolveUserPath(csv), EvaluationCsv(evaluation)));
  }
  if (absl::GetFlag(FLAGS_json))
    status.Update(Print(absl::StrCat(ToJson(evaluation), "\n")));
  return status;
}

}  // namespace
}  // namespace pruner

int main(int argc, char** argv) {
  using namespace pruner;  // NOLINT: this is the program
  if (const std::optional<int> code = InitTool(argc, argv, kUsage, kSources))
    return *code;
  const absl::Status status = Run(argv[0]);
  return status.ok() ? kExitOk : ReportError("evaluate", status);
}
