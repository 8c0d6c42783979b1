// Scores of models that do not learn.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "pruner/base/status_macros.h"
#include "pruner/draft/cpu_psa.h"
#include "pruner/draft/cpu_psa_fit.h"
#include "pruner/draft/draft_model.h"
#include "pruner/draft/make_draft_model.h"
#include "pruner/draft/random_draft_model.h"
#include "pruner/target/target_spec.h"
#include "tools/evaluate/data_set.h"
#include "tools/evaluate/scores.h"

namespace pruner {
namespace {

// The model for the task of this number.
using MakeModel = std::function<std::unique_ptr<DraftModel>(
    size_t task, const TargetSpec& target)>;

Scores ScoresOf(const DataSet& data, const MakeModel& make) {
  Scores scores;
  for (size_t t = 0; t < data.tasks.size(); ++t) {
    const DataTask& task = data.tasks[t];
    const TargetSpec& target = data.TargetOf(task);
    const std::unique_ptr<DraftModel> model = make(t, target);
    auto& of_task = scores.emplace_back(task.programs.size());
    ForEachProgram(data, task, [&](size_t i, const Program& program) {
      of_task[i] = model->Score(program, target);
    });
  }
  return scores;
}

absl::StatusOr<CpuCost> ParseCpuCost(const std::string& name) {
  const std::string words = absl::StrReplaceAll(name, {{"_", " "}});
  const std::vector<CpuCost> all = AllCpuCosts();
  for (const CpuCost cost : all) {
    if (absl::EqualsIgnoreCase(CpuCostName(cost), words)) return cost;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "there is no penalty '", name, "'; --without is one or more of ",
      absl::StrJoin(all, ", ", [](std::string* out, CpuCost cost) {
        absl::StrAppend(out,
                        absl::StrReplaceAll(CpuCostName(cost), {{" ", "_"}}));
      })));
}

// `wanted` is said of the model of CPUs.
absl::Status CheckCpus(const DataSet& data, absl::string_view wanted) {
  for (const DataTask& task : data.tasks) {
    if (!data.TargetOf(task).HasThreads()) continue;
    return absl::InvalidArgumentError(
        absl::StrCat(wanted, " the model of CPUs, and ", task.name, " is of ",
                     data.TargetOf(task).name));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Scores> DraftScores(const DataSet& data,
                                   const std::vector<CpuCost>& without) {
  if (without.empty()) {
    return ScoresOf(data, [](size_t /*task*/, const TargetSpec& target) {
      return MakeDraftModel(target);
    });
  }
  RETURN_IF_ERROR(
      CheckCpus(data, "--without and --ablation leave penalties out of"));
  return ScoresOf(data, [&](size_t /*task*/, const TargetSpec& /*target*/) {
    return std::make_unique<CpuPsa>(without);
  });
}

absl::StatusOr<FittedDraft> FitDraft(const DataSet& data) {
  constexpr size_t kPrograms = 300;
  RETURN_IF_ERROR(CheckCpus(data, "--scorer=fitted fits"));
  const auto num_tasks = static_cast<int>(data.tasks.size());
  if (num_tasks < 2) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--scorer=fitted judges a task by what fits the others, and ",
        data.tasks.front().name, " is the only one: give more logs"));
  }
  CpuPsaFit fit;
  for (int t = 0; t < num_tasks; ++t) {
    const DataTask& task = data.tasks[t];
    ForEachProgram(data, task, [&](size_t i, const Program& program) {
      const std::optional<double> seconds = task.programs[i].seconds;
      if (i < kPrograms && seconds)
        fit.Add(t, program, data.TargetOf(task), *seconds);
    });
  }
  FittedDraft fitted = {.without_task = {}, .of_all = fit.Fit(kCpuWeights)};
  for (int t = 0; t < num_tasks; ++t)
    fitted.without_task.push_back(fit.Fit(kCpuWeights, t));
  return fitted;
}

Scores FittedDraftScores(const DataSet& data, const FittedDraft& fitted,
                         const std::vector<CpuCost>& without) {
  return ScoresOf(data, [&](size_t task, const TargetSpec& /*target*/) {
    return std::make_unique<CpuPsa>(without, fitted.without_task[task]);
  });
}

std::vector<CpuCost> AllCpuCosts() {
  std::vector<CpuCost> all;
  all.reserve(kCpuCosts);
  for (int i = 0; i < kCpuCosts; ++i) all.push_back(static_cast<CpuCost>(i));
  return all;
}

absl::StatusOr<std::vector<CpuCost>> ParseCpuCosts(
    absl::Span<const std::string> names) {
  std::vector<CpuCost> costs;
  for (const std::string& name : names) {
    ASSIGN_OR_RETURN(costs.emplace_back(), ParseCpuCost(name));
  }
  return costs;
}

Scores RandomScores(const DataSet& data, uint64_t seed) {
  return ScoresOf(data, [&](size_t /*task*/, const TargetSpec& /*target*/) {
    return std::make_unique<RandomDraftModel>(seed);
  });
}

}  // namespace pruner
