#include "models/ops/tasks.h"

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
    const PartitionResult& partition, const TargetSpec& target) {
  std::vector<NetworkTask> tasks;
  std::set<std::string> names;
  for (const UniqueSubgraph& unique : partition.subgraphs) {
    const Subgraph& subgraph = unique.subgraph;
    ASSIGN_OR_RETURN(OpPipeline op, BuildPipeline(subgraph, target));
    ASSIGN_OR_RETURN(
        Workload workload,
        MakeWorkload(Unique(SubgraphName(subgraph), names), op.pipeline));
    tasks.push_back({.workload = std::move(workload),
                     .inputs = std::move(op.inputs),
                     .weight = unique.count,
                     .flops = GraphFlops(subgraph.body),
                     .summary = SubgraphSummary(subgraph)});
  }
  return tasks;
}

}  // namespace pruner
