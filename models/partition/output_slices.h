// Concatenations that copy nothing.
#ifndef MODELS_PARTITION_OUTPUT_SLICES_H_
#define MODELS_PARTITION_OUTPUT_SLICES_H_

#include <cstdint>
#include <map>
#include <vector>

#include "models/graph/operator_graph.h"
#include "pruner/base/row_layout.h"

namespace pruner {

// A tensor, or a part of one `offset` elements behind its first one.
struct OutputSlice {
  TensorId whole = -1;
  int64_t offset = 0;
  RowLayout rows{};
  bool operator==(const OutputSlice&) const = default;
};

// Whether kernels that begin with the operator can write their result into a
// part of a tensor's channels: no loop is over these and others too.
bool HasChannelLoops(const Operator& op);

// Kernels expect tensors at multiples of so many bytes.
inline constexpr int64_t kSliceAlignment = 64;

// The outputs of kernels that are written where a concatenation would put them,
// which then has nothing to do: it is a kernel of its own, and each input is
// the output of a kernel with loops over channels (OperatorKind) that nobody
// else reads, begins at a multiple of kSliceAlignment in the result, and is
// either in one piece there or a part of the channels. `groups` are
// GroupNodes'.
std::map<TensorId, OutputSlice> FindSlices(
    const OperatorGraph& graph, const std::vector<std::vector<int>>& groups);

}  // namespace pruner

#endif  // MODELS_PARTITION_OUTPUT_SLICES_H_
