// A tuned network as one file: everything that running it takes.
#ifndef MODELS_RUNTIME_TUNED_NETWORK_H_
#define MODELS_RUNTIME_TUNED_NETWORK_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "models/graph/operator_graph.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/target/target_spec.h"
#include "pruner/workload/workload_key.h"

namespace pruner {

struct TunedKernel {
  std::string name;
  std::string formulation;
  WorkloadKey workload;
  Schedule schedule;
  // As measured. 0: it never was; then what a model that chose the schedule
  // expects, or 0 if it is the default one.
  double seconds = 0;
  double estimated_seconds = 0;

  bool operator==(const TunedKernel&) const = default;
};

struct TunedNetwork {
  std::string model;  // as the user named it
  int64_t batch = 1;
  OperatorGraph graph;  // as loaded; it is simplified and cut up again
  TargetSpec target;
  std::vector<TunedKernel> kernels;  // by distinct subgraph

  bool operator==(const TunedNetwork&) const = default;
};

// Where given weights are. Those that are recipes are in the graph anyway.
struct WeightsStorage {
  bool embedded = false;
  // If not: the absolute path of the model's file, which has them. Empty: there
  // is none, and they are embedded all the same.
  std::string file = {};
};

// The end of the names of such files.
inline constexpr char kTunedNetworkSuffix[] = ".tuned";

std::string SerializeTunedNetwork(const TunedNetwork& network,
                                  const WeightsStorage& weights);

// Reads the file; weights that are not in it come from `weights_file`, if that
// is given, else from the file they came from when it was written, or one of
// that name beside `path`. Errors name what is wrong or missing, and where it
// was looked for: no tuned network, a damaged one, one of a newer format;
// weights that are not found or are others.
absl::StatusOr<TunedNetwork> ReadTunedNetwork(
    const std::string& path, const std::string& weights_file = "");

}  // namespace pruner

#endif  // MODELS_RUNTIME_TUNED_NETWORK_H_
