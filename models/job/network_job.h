// A network as tuning and running work with it: loaded, simplified, cut into
// tasks for a target.
#ifndef MODELS_JOB_NETWORK_JOB_H_
#define MODELS_JOB_NETWORK_JOB_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "models/graph/operator_graph.h"
#include "models/onnx/input_shape.h"
#include "models/ops/formulation.h"
#include "models/ops/tasks.h"
#include "models/partition/partition.h"
#include "pruner/measure/measure_policy.h"
#include "pruner/target/target_spec.h"

namespace pruner {

struct NetworkJob {
  std::string model;  // as the user named it
  // Good for a file's name: "resnet50", of a batch "resnet50_b16".
  std::string name;
  int64_t batch = 1;
  OperatorGraph original;  // as loaded: what the network is defined to compute
  OperatorGraph graph;     // simplified
  PartitionResult partition;  // of `graph`
  TargetSpec target;
  // One or more per distinct subgraph: its formulations.
  std::vector<NetworkTask> tasks;
  // How its tasks that read constants are timed: as the network leaves these.
  MeasurePolicy measure_policy = MeasurePolicy::kWarm;
};

// What is to run on a target.
enum class TargetUse { kNetworks, kPipelines, kNothing };

// The target by name or path, limited to `threads` cores (0: all). Errors:
// unknown target, one that what is to run cannot run on (CheckRunsHere), more
// threads than cores.
absl::StatusOr<TargetSpec> LoadTarget(const std::string& target, int threads,
                                      TargetUse use = TargetUse::kNetworks);

// The name of a file without its folders and without what follows the first
// dot.
std::string FileStem(const std::string& path);

// The absolute path of a model that is a file; empty for one of the zoo.
std::string ModelFile(const std::string& model);

// Of a network that was loaded before.
absl::StatusOr<NetworkJob> MakeNetworkJob(
    const std::string& model, int64_t batch, OperatorGraph original,
    const TargetSpec& target, const FormulationOptions& formulations);

// `model` is a name of the zoo, an ONNX model or a graph file, relative to
// where the user is; see LoadModel.
absl::StatusOr<NetworkJob> LoadNetworkJob(
    const std::string& model, int batch,
    const std::vector<OnnxInputShape>& input_shapes, const TargetSpec& target,
    const FormulationOptions& formulations);

// The values of a flag --input_shape; the error names it.
absl::StatusOr<std::vector<OnnxInputShape>> ParseInputShapes(
    const std::vector<std::string>& texts);

// The value of a flag --formulations: "all", names with commas between them, or
// "" for those that may pay. The error names the flag.
absl::StatusOr<FormulationOptions> ParseFormulations(
    const std::string& formulations, double max_error);

}  // namespace pruner

#endif  // MODELS_JOB_NETWORK_JOB_H_
