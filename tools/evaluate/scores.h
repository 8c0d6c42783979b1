// What models say of the programs of a data set.
#ifndef TOOLS_EVALUATE_SCORES_H_
#define TOOLS_EVALUATE_SCORES_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/cost/cost_model.h"
#include "pruner/draft/cpu_psa.h"
#include "pruner/features/columns.h"
#include "tools/evaluate/data_set.h"

namespace pruner {

// By task and program, higher is faster; none: the model was trained on the
// program, so that it is not judged by it.
using Scores = std::vector<std::vector<std::optional<double>>>;

// Of the analytic model of each task's target. Error: penalties are left out of
// the model of a target that has none of them.
absl::StatusOr<Scores> DraftScores(const DataSet& data,
                                   const std::vector<CpuCost>& without = {});

// The draft model of CPUs with weights that were fitted to the data.
struct FittedDraft {
  std::vector<CpuWeights> without_task;  // by task: fitted to all others
  CpuWeights of_all;
};

// Fits to the first 300 programs of each task. Errors: a single task, which
// leaves none to learn from; a task of a target that is no CPU.
absl::StatusOr<FittedDraft> FitDraft(const DataSet& data);

// Each task by a model that has not seen it.
Scores FittedDraftScores(const DataSet& data, const FittedDraft& fitted,
                         const std::vector<CpuCost>& without = {});

// The penalties by their names, in which '_' may stand for a blank; the case of
// letters does not matter. The error lists them.
absl::StatusOr<std::vector<CpuCost>> ParseCpuCosts(
    absl::Span<const std::string> names);
std::vector<CpuCost> AllCpuCosts();

// Of a model that knows nothing.
Scores RandomScores(const DataSet& data, uint64_t seed);

enum class Split {
  kNone,      // nothing of it is learned, all is judged
  kTask,      // the programs of a task by a model of all other tasks
  kPrograms,  // a random share of each task's programs by a model of the others
};

struct LearnedOptions {
  ColumnSet columns = ColumnSet::kAll;
  Split split = Split::kTask;
  // Tasks are dealt at random into so many parts, and each part is judged by a
  // model of the others; 0: as many as tasks. Of kTask.
  int folds = 0;
  double train_share = 0.9;  // of each task's programs; of kPrograms
  uint64_t seed = 1;         // of what is dealt at random
  // What is learned besides, by each model: all programs of workloads that the
  // data which is judged does not have. Null: nothing.
  const DataSet* lessons = nullptr;
};

// Gives a model that has learned nothing.
using CostModelMaker =
    absl::FunctionRef<absl::StatusOr<std::unique_ptr<CostModel>>()>;

// Of models that have not seen what they judge. Errors: a single task, which
// leaves none to learn from; several targets; so few programs that one part of
// the split is empty; lessons that have no other workloads; the model's.
absl::StatusOr<Scores> LearnedScores(const DataSet& data,
                                     const LearnedOptions& options,
                                     CostModelMaker make);

}  // namespace pruner

#endif  // TOOLS_EVALUATE_SCORES_H_
