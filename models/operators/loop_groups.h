// Loops of operators that move elements: consecutive dimensions that are
// treated alike are one group, and a group is one loop.
#ifndef MODELS_OPERATORS_LOOP_GROUPS_H_
#define MODELS_OPERATORS_LOOP_GROUPS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "Halide.h"
#include "absl/types/span.h"
#include "models/operators/emission.h"
#include "models/operators/shape.h"

namespace pruner {

// The dimensions first, ..., end - 1.
struct DimensionGroup {
  size_t first = 0;
  size_t end = 0;
  int64_t mark = 0;
};

// Of a dimension that makes no difference to the group that it is in: one of
// extent 1 that stays so.
inline constexpr int64_t kAnyMark = -1;

// Neighbours of the same mark are one group.
std::vector<DimensionGroup> GroupDimensions(absl::Span<const int64_t> marks);

// The number of elements of each group.
Shape GroupedShape(const Shape& shape,
                   const std::vector<DimensionGroup>& groups);

// The extents of the dimensions before, at and behind an axis: 3 groups.
struct AxisSplit {
  int64_t outer = 1;
  int64_t extent = 1;
  int64_t inner = 1;
};
AxisSplit SplitAt(const Shape& shape, int64_t axis);

// What `loops.channel` is of an output with these loops.
void SetChannel(const Shape& output, OutputLoops& loops);

struct GroupLoops {
  OutputLoops loops;  // i0, i1, ..., from the innermost
  // The index in each group, outermost first; groups of one element have no
  // loop, but there is at least one loop.
  std::vector<Halide::Expr> at;
};
// `groups` are those of `output`'s dimensions.
GroupLoops LoopOverGroups(const Shape& groups, const Shape& output);

// The element of a tensor, of any type, at indices of which the outermost is
// the first.
Halide::Expr ReadAt(const TensorParameter& tensor,
                    const std::vector<Halide::Expr>& outermost_first);

}  // namespace pruner

#endif  // MODELS_OPERATORS_LOOP_GROUPS_H_
