#include "models/ops/tasks.h"

#include <limits>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "halide_ext/build/kernel.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

// `wish`, or the first of "<wish>_2", "<wish>_3", ... that is not taken yet.
std::string Unique(const std::string& wish, std::set<std::string>& taken) {
  std::string name = wish;
  for (int i = 2; !taken.insert(name).second; ++i) {
    name = absl::StrCat(wish, "_", i);
  }
  return name;
}

}  // namespace

absl::StatusOr<std::vector<NetworkTask>> MakeNetworkTasks(
    const PartitionResult& partition, const TargetSpec& target,
    const FormulationOptions& options) {
  std::vector<NetworkTask> tasks;
  std::set<std::string> names;
  for (size_t i = 0; i < partition.subgraphs.size(); ++i) {
    const Subgraph& subgraph = partition.subgraphs[i].subgraph;
    ASSIGN_OR_RETURN(std::vector<Formulation> formulations,
                     Formulations(subgraph, target, options));
    const std::string name = Unique(SubgraphName(subgraph), names);
    for (Formulation& formulation : formulations) {
      std::string workload_name = name;
      if (formulation.name != kDirect) {
        absl::StrAppend(&workload_name, "_", formulation.name);
      }
      ASSIGN_OR_RETURN(Workload workload,
                       MakeWorkload(workload_name, formulation.op.pipeline));
      tasks.push_back({.workload = std::move(workload),
                       .subgraph = static_cast<int>(i),
                       .formulation = std::move(formulation.name),
                       .inputs = std::move(formulation.op.inputs),
                       .weight = partition.subgraphs[i].count,
                       .flops = GraphFlops(subgraph.body),
                       .summary = SubgraphSummary(subgraph)});
    }
  }
  return tasks;
}

std::vector<NetworkTask> FastestTasks(
    absl::Span<const NetworkTask> tasks,
    const std::map<uint64_t, double>& seconds) {
  const auto cost = [&](const NetworkTask& task) {
    const auto found = seconds.find(task.workload.dag.Hash());
    return found == seconds.end() ? std::numeric_limits<double>::infinity()
                                  : found->second;
  };
  std::vector<NetworkTask> fastest;
  for (const NetworkTask& task : tasks) {
    if (fastest.empty() || fastest.back().subgraph != task.subgraph) {
      fastest.push_back(task);
    } else if (cost(task) < cost(fastest.back())) {
      fastest.back() = task;
    }
  }
  return fastest;
}

}  // namespace pruner
