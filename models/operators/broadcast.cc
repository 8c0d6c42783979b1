#include "models/operators/broadcast.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/operators/operator_kind.h"
#include "models/operators/reference_loops.h"
#include "models/operators/shape.h"
#include "models/operators/shape_checks.h"

namespace pruner {

absl::StatusOr<Shape> BroadcastShape(Shapes operands) {
  Shape result;
  for (const Shape& operand : operands) {
    const Shape before = result;
    const size_t rank = std::max(result.size(), operand.size());
    result = WithRank(result, rank);
    const Shape padded = WithRank(operand, rank);
    for (size_t d = 0; d < rank; ++d) {
      if (padded[d] != result[d] && padded[d] != 1 && result[d] != 1)
        return Invalid("shapes ", ShapeText(before), " and ",
                       ShapeText(operand), " do not broadcast");
      result[d] = std::max(result[d], padded[d]);
    }
  }
  return result;
}

Shape WithRank(const Shape& shape, size_t rank) {
  Shape padded(rank - shape.size(), 1);
  padded.insert(padded.end(), shape.begin(), shape.end());
  return padded;
}

void ForEachBroadcast(
    Shapes operands, const Shape& output,
    absl::FunctionRef<void(int64_t, absl::Span<const int64_t>)> visit) {
  const size_t rank = output.size();
  // Of each operand, by dimension: 0 where it repeats.
  std::vector<std::vector<int64_t>> strides;
  for (const Shape& operand : operands) {
    const Shape padded = WithRank(operand, rank);
    std::vector<int64_t>& steps = strides.emplace_back(Strides(padded));
    for (size_t d = 0; d < rank; ++d) {
      if (padded[d] == 1) steps[d] = 0;
    }
  }
  std::vector<int64_t> index(rank), at(operands.size());
  const int64_t elements = NumElements(output);
  for (int64_t i = 0; i < elements; ++i) {
    visit(i, at);
    for (size_t d = rank; d-- > 0;) {
      const int64_t step = ++index[d] < output[d] ? 1 : 1 - output[d];
      for (size_t o = 0; o < operands.size(); ++o)
        at[o] += step * strides[o][d];
      if (step == 1) break;
      index[d] = 0;
    }
  }
}

}  // namespace pruner
