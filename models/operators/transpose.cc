#include "models/operators/transpose.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/operators/emission.h"
#include "models/operators/loop_groups.h"
#include "models/operators/operator_kind.h"
#include "models/operators/reference_loops.h"
#include "models/operators/shape.h"
#include "models/operators/shape_checks.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

// Dimensions of the input that follow one another in the output, too.
struct Run {
  int64_t first = 0;  // dimension of the input, among those of more elements
  int64_t count = 0;
  int64_t extent = 1;
};

// In the output's order. Where dimensions of one element are makes no
// difference.
std::vector<Run> RunsOf(const std::vector<int64_t>& perm, const Shape& input) {
  std::vector<int64_t> rank_of(input.size());
  int64_t rank = 0;
  for (size_t d = 0; d < input.size(); ++d)
    rank_of[d] = input[d] == 1 ? 0 : rank++;
  std::vector<Run> runs;
  for (const int64_t from : perm) {
    if (input[from] == 1) continue;
    if (runs.empty() ||
        rank_of[from] != runs.back().first + runs.back().count) {
      runs.push_back({.first = rank_of[from]});
    }
    ++runs.back().count;
    runs.back().extent *= input[from];
  }
  return runs;
}

}  // namespace

absl::StatusOr<Shape> Transpose::InferShape(Shapes inputs) const {
  const Shape& input = inputs[0];
  const size_t rank = input.size();
  if (perm.size() != rank) {
    return Invalid("perm has ", perm.size(), " dimensions, the input has ",
                   rank);
  }
  Shape output;
  std::vector<bool> is_there(rank);
  for (const int64_t from : perm) {
    RETURN_IF_ERROR(
        CheckRange("perm", from, 0, static_cast<int64_t>(rank) - 1));
    if (is_there[from]) return Invalid("perm has ", from, " twice");
    is_there[from] = true;
    output.push_back(input[from]);
  }
  return output;
}

void Transpose::Evaluate(Arrays inputs, int, Array& output) const {
  const std::vector<int64_t> strides = Strides(inputs[0]->shape);
  ForEachIndex(output.shape, [&](int64_t i, absl::Span<const int64_t> index) {
    int64_t from = 0;
    for (size_t d = 0; d < index.size(); ++d)
      from += index[d] * strides[perm[d]];
    output.values[i] = inputs[0]->values[from];
  });
}

Emitted Transpose::Emit(AnchorEmitter& emitter) const {
  std::vector<Run> runs = RunsOf(perm, emitter.InputShape(0));
  if (runs.empty()) runs.emplace_back();
  Shape groups;
  for (const Run& run : runs) groups.push_back(run.extent);
  const GroupLoops out = LoopOverGroups(groups, emitter.OutputShape());
  std::vector<size_t> order;  // the input's
  for (size_t g = 0; g < runs.size(); ++g) order.push_back(g);
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return runs[a].first < runs[b].first; });
  Shape input_shape;
  std::vector<Halide::Expr> at;
  for (const size_t g : order) {
    input_shape.push_back(groups[g]);
    at.push_back(out.at[g]);
  }
  return {.value = ReadAt(emitter.Input(0, input_shape), at),
          .loops = out.loops};
}

}  // namespace pruner
