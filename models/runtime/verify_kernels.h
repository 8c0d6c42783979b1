// Does each kernel of a network compute what it should, where it is?
#ifndef MODELS_RUNTIME_VERIFY_KERNELS_H_
#define MODELS_RUNTIME_VERIFY_KERNELS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "models/graph/operator_graph.h"
#include "models/ops/tasks.h"
#include "models/partition/partition.h"
#include "models/runtime/network.h"

namespace pruner {

// What a network is given.
enum class NetworkInputs {
  kRandom,    // uniform in [-1, 1)
  kIntegers,  // whole numbers from -4 to 4
  kZeros,
};
inline constexpr NetworkInputs kAllNetworkInputs[] = {
    NetworkInputs::kRandom, NetworkInputs::kIntegers, NetworkInputs::kZeros};

// "random inputs", ...
absl::string_view NetworkInputsName(NetworkInputs inputs);

// How far what one kernel wrote was from the same tensor in double precision.
struct KernelError {
  std::string kernel;    // its name
  size_t step = 0;       // its place in the network
  double relative = 0;   // largest difference by the largest value
  double tolerance = 0;  // what rounding may make of it; see error_scale.h
  int64_t element = -1;  // of the largest difference; -1: there is none

  bool is_wrong() const { return !(relative <= tolerance); }
};

struct VerifyKernelsOptions {
  uint64_t seed = 1;
  int threads = 1;  // the interpreter's
  // Is shown, and may change, what each kernel wrote, before it is compared.
  std::function<void(size_t step, const TensorView& written)> after_step = {};
};

// Runs the network and compares what each kernel writes with what it should
// (CompareOutput), computed in double precision of the same inputs, which is
// then what the kernels that come read: errors do not add up on the way, and a
// kernel's tolerance is its task's. `partition` is the graph's, `tasks` has the
// formulation that the network uses of each of its subgraphs, as for
// Network::Build.
absl::StatusOr<std::vector<KernelError>> CompareKernels(
    const OperatorGraph& graph, const PartitionResult& partition,
    absl::Span<const NetworkTask> tasks, NetworkInputs inputs, Network& network,
    const VerifyKernelsOptions& options = {});

}  // namespace pruner

#endif  // MODELS_RUNTIME_VERIFY_KERNELS_H_
