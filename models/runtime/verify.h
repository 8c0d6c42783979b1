// Does a compiled network compute what its operators are defined to?
#ifndef MODELS_RUNTIME_VERIFY_H_
#define MODELS_RUNTIME_VERIFY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/graph/interpreter.h"
#include "models/graph/operator_graph.h"
#include "models/runtime/network.h"

namespace pruner {

struct OutputError {
  std::string output;       // name in the graph
  double max_absolute = 0;  // largest |got - expected|; infinite if `got` is no
                            // finite number
  double relative = 0;      // the same by the largest |expected|
  int64_t element = -1;     // of that difference; -1: there is none
};

// The largest differences between `got` and `expected`, of one size, where
// `expected` is a finite number: of a root of a negative number nothing can be
// said, as Halide lets LLVM assume that there are none.
OutputError CompareOutput(const std::string& name, absl::Span<const double> got,
                          absl::Span<const double> expected);

// Runs the network and interprets the graph, which may be the original of what
// the network was built from, on reproducible random inputs. One result for
// each output. `threads` are the interpreter's; it takes seconds for large
// networks. InvalidArgument if inputs or outputs of graph and network differ in
// number or size.
absl::StatusOr<std::vector<OutputError>> CompareWithInterpreter(
    const OperatorGraph& graph, Network& network, uint64_t seed, int threads);

// The outputs of the network, run on copies of the inputs, which are as the
// graph declares them.
absl::StatusOr<std::vector<std::vector<double>>> RunOnArrays(
    Network& network, absl::Span<const Array> inputs);

}  // namespace pruner

#endif  // MODELS_RUNTIME_VERIFY_H_
