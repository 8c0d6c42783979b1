// The tuning tasks of a network.
#ifndef MODELS_OPS_TASKS_H_
#define MODELS_OPS_TASKS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "models/ops/op_pipeline.h"
#include "models/partition/partition.h"
#include "models/partition/subgraph.h"
#include "pruner/measure/measurer.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// A distinct subgraph of a network, to be tuned.
struct NetworkTask {
  Workload workload;
  std::vector<OpInput> inputs;  // of the subgraph, as the workload reads them
  int weight = 0;               // how often it occurs in the network
  double flops = 0;             // of one execution; see GraphFlops
  std::string summary;          // for people; see SubgraphSummary
};

// One for each of partition.subgraphs, in their order. The names of the
// workloads are distinct. Errors are those of BuildPipeline and name the
// subgraph.
absl::StatusOr<std::vector<NetworkTask>> MakeNetworkTasks(
    const PartitionResult& partition, const TargetSpec& target);

// A name such as "conv2d_3x3_s1_56x56x64_64_bias_add_relu": kind, attributes
// that are not the usual ones, shape of the input without a batch of 1, output
// channels, what follows the anchor. Not unique: padding, for one, is left out.
std::string SubgraphName(const Subgraph& subgraph);

}  // namespace pruner

#endif  // MODELS_OPS_TASKS_H_
