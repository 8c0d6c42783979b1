// The tuning tasks of a network.
#ifndef MODELS_OPS_TASKS_H_
#define MODELS_OPS_TASKS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/ops/formulation.h"
#include "models/ops/op_pipeline.h"
#include "models/partition/partition.h"
#include "models/partition/subgraph.h"
#include "pruner/measure/measure_policy.h"
#include "pruner/target/target_spec.h"
#include "pruner/workload/workload.h"

namespace pruner {

// A formulation of a distinct subgraph of a network, to be tuned.
struct NetworkTask {
  Workload workload;
  int subgraph = 0;             // index into PartitionResult::subgraphs
  std::string formulation;      // its name
  std::vector<OpInput> inputs;  // of the subgraph, as the workload reads them
  int weight = 0;               // how often the subgraph occurs in the network
  // Of one execution, as the operators are defined (see GraphFlops), whatever
  // the formulation makes of it.
  double flops = 0;
  // How far results may be from those in double precision, relative to the
  // largest: the formulation's, by the length of the sums.
  double tolerance = 0;
  // How far they were found to be (VerifyFormulations).
  std::optional<double> error = std::nullopt;
  // Of the network's constants that one execution reads, as they are packed.
  int64_t constant_bytes = 0;
  std::string summary;  // for people; see SubgraphSummary
};

// One for each formulation of each of partition.subgraphs, in the order of the
// subgraphs, the direct formulation first. The names of the workloads are
// distinct. Errors are those of Formulations.
absl::StatusOr<std::vector<NetworkTask>> MakeNetworkTasks(
    const PartitionResult& partition, const TargetSpec& target,
    const FormulationOptions& options = {});

// For each subgraph the task that is the fastest by `seconds`, which has the
// cost of a workload by its key; the first one where none has a
// cost. `tasks` are as MakeNetworkTasks makes them.
//
// Where costs were measured warm, with constants in the caches, and those of
// the network do not fit there, they come from DRAM every time: formulations
// with larger ones (Winograd's are up to four times as large) are charged with
// that.
std::vector<NetworkTask> FastestTasks(
    absl::Span<const NetworkTask> tasks,
    const std::map<WorkloadKey, double>& seconds, MeasurePolicy policy,
    const TargetSpec& target);

// Of one execution of the network: of its constants as direct formulations have
// them.
int64_t ConstantBytes(absl::Span<const NetworkTask> tasks);

// A name such as "conv2d_3x3_s1_56x56x64_64_bias_add_relu": kind, attributes
// that are not the usual ones, shape of the input without a batch of 1, output
// channels, what follows the anchor. Not unique: padding, for one, is left out.
// Of 100 bytes at most: the end of a longer one is replaced by a hash.
std::string SubgraphName(const Subgraph& subgraph);

}  // namespace pruner

#endif  // MODELS_OPS_TASKS_H_
