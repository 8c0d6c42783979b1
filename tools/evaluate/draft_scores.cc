// Scores of models that do not learn.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/types/span.h"
#include "pruner/base/status_macros.h"
#include "pruner/draft/cpu_psa.h"
#include "pruner/draft/draft_model.h"
#include "pruner/draft/make_draft_model.h"
#include "pruner/draft/random_draft_model.h"
#include "pruner/target/target_spec.h"
#include "tools/evaluate/data_set.h"
#include "tools/evaluate/scores.h"

namespace pruner {
namespace {

using MakeModel =
    std::function<std::unique_ptr<DraftModel>(const TargetSpec& target)>;

Scores ScoresOf(const DataSet& data, const MakeModel& make) {
  Scores scores;
  for (const DataTask& task : data.tasks) {
    const TargetSpec& target = data.TargetOf(task);
    const std::unique_ptr<DraftModel> model = make(target);
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

}  // namespace

absl::StatusOr<Scores> DraftScores(const DataSet& data,
                                   const std::vector<CpuCost>& without) {
  if (without.empty()) return ScoresOf(data, MakeDraftModel);
  for (const DataTask& task : data.tasks) {
    if (!data.TargetOf(task).HasThreads()) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("penalties are left out of the model of CPUs, and ",
                     task.name, " is of ", data.TargetOf(task).name,
                     ": leave out --without and --ablation"));
  }
  return ScoresOf(data, [&](const TargetSpec& /*target*/) {
    return std::make_unique<CpuPsa>(without);
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
  return ScoresOf(data, [&](const TargetSpec& /*target*/) {
    return std::make_unique<RandomDraftModel>(seed);
  });
}

}  // namespace pruner
