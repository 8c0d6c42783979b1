#include "models/ops/tasks.h"

#include <algorithm>
#include <cmath>
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

int64_t PackedBytes(const Subgraph& subgraph,
                    absl::Span<const OpInput> inputs) {
  int64_t bytes = 0;
  for (const int input : subgraph.constant_inputs) {
    const TensorId tensor = subgraph.body.inputs[input];
    bytes += NumElements(PackedShape(subgraph.body.ShapeOf(tensor),
                                     inputs[input].packing)) *
             BytesOf(subgraph.body.TypeOf(tensor));
  }
  return bytes;
}

// Rounding errors add up like steps at random: with the root of how many there
// are. A formulation's tolerance is that of sums of so many products.
double ToleranceOf(const Formulation& formulation, const Subgraph& subgraph) {
  constexpr double kUsualLength = 1024, kShortest = 16;
  const OperatorGraph& body = subgraph.body;
  const auto elements =
      static_cast<double>(NumElements(body.ShapeOf(body.outputs[0])));
  const double length =
      std::max(GraphFlops(body) / (2 * elements),
               SumLength(body.nodes[0].op, InputShapes(body, body.nodes[0]),
                         body.ShapeOf(body.nodes[0].output)));
  return formulation.tolerance *
         std::sqrt(std::max(length, kShortest) / kUsualLength);
}

// How long it takes to read a byte of a network's constants, beyond what
// measurements with these in the caches say.
double SecondsPerConstantByte(absl::Span<const NetworkTask> tasks,
                              const TargetSpec& target) {
  const bool is_cold = ConstantBytes(tasks) > target.llc.size_bytes;
  return is_cold && target.peaks.dram_gb_per_s > 0
             ? 1e-9 / target.peaks.dram_gb_per_s
             : 0;
}

}  // namespace

int64_t ConstantBytes(absl::Span<const NetworkTask> tasks) {
  int64_t bytes = 0;
  int subgraph = -1;
  for (const NetworkTask& task : tasks) {
    if (task.subgraph != subgraph) bytes += task.constant_bytes * task.weight;
    subgraph = task.subgraph;
  }
  return bytes;
}

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
      for (const int input : subgraph.constant_inputs)
        workload.constants.push_back(formulation.op.inputs[input].name);
      const int64_t constant_bytes =
          PackedBytes(subgraph, formulation.op.inputs);
      const double tolerance = ToleranceOf(formulation, subgraph);
      tasks.push_back({.workload = std::move(workload),
                       .subgraph = static_cast<int>(i),
                       .formulation = std::move(formulation.name),
                       .inputs = std::move(formulation.op.inputs),
                       .weight = partition.subgraphs[i].count,
                       .flops = GraphFlops(subgraph.body),
                       .tolerance = tolerance,
                       .constant_bytes = constant_bytes,
                       .summary = SubgraphSummary(subgraph)});
    }
  }
  return tasks;
}

std::vector<NetworkTask> FastestTasks(
    absl::Span<const NetworkTask> tasks,
    const std::map<WorkloadKey, double>& seconds, MeasurePolicy policy,
    const TargetSpec& target) {
  const double per_byte = policy == MeasurePolicy::kWarm
                              ? SecondsPerConstantByte(tasks, target)
                              : 0;
  const auto cost = [&](const NetworkTask& task) {
    const auto found = seconds.find(task.workload.key);
    return found == seconds.end()
               ? std::numeric_limits<double>::infinity()
               : found->second +
                     per_byte * static_cast<double>(task.constant_bytes);
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
