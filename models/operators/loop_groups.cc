#include "models/operators/loop_groups.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"

namespace pruner {

using Halide::Expr;

std::vector<DimensionGroup> GroupDimensions(absl::Span<const int64_t> marks) {
  std::vector<DimensionGroup> groups;
  for (size_t d = 0; d < marks.size(); ++d) {
    const int64_t mark = marks[d];
    if (groups.empty() || (mark != kAnyMark && mark != groups.back().mark &&
                           groups.back().mark != kAnyMark)) {
      groups.push_back({d, d, mark});
    }
    groups.back().end = d + 1;
    if (groups.back().mark == kAnyMark) groups.back().mark = mark;
  }
  return groups;
}

Shape GroupedShape(const Shape& shape,
                   const std::vector<DimensionGroup>& groups) {
  Shape grouped;
  for (const DimensionGroup& group : groups) {
    grouped.push_back(NumElements(absl::MakeConstSpan(shape).subspan(
        group.first, group.end - group.first)));
  }
  return grouped;
}

AxisSplit SplitAt(const Shape& shape, int64_t axis) {
  const auto extents = absl::MakeConstSpan(shape);
  const auto at = static_cast<size_t>(axis);
  return {NumElements(extents.first(at)), shape[at],
          NumElements(extents.subspan(at + 1))};
}

void SetChannel(const Shape& output, OutputLoops& loops) {
  const int64_t channels = output.empty() ? 1 : output.back();
  if (channels == 1) {
    loops.channel = Expr(0);
    return;
  }
  // By as many loops as count the channels, or some whole sets of them.
  loops.channel = loops.vars[0];
  int64_t extent = loops.shape.back();
  for (size_t d = 1; extent % channels != 0 && d < loops.vars.size(); ++d) {
    loops.channel = loops.channel + loops.vars[d] * ToExpr(extent);
    extent *= loops.shape[loops.shape.size() - 1 - d];
  }
  if (extent != channels) loops.channel = loops.channel % ToExpr(channels);
}

GroupLoops LoopOverGroups(const Shape& groups, const Shape& output) {
  GroupLoops result;
  OutputLoops& loops = result.loops;
  result.at.assign(groups.size(), Expr(0));
  for (size_t g = groups.size(); g-- > 0;) {
    if (groups[g] == 1) continue;
    const Halide::Var var(absl::StrCat("i", loops.vars.size()));
    result.at[g] = var;
    loops.vars.push_back(var);
    loops.shape.insert(loops.shape.begin(), groups[g]);
  }
  if (loops.vars.empty()) {
    loops.vars.emplace_back("i0");
    loops.shape = {1};
  }
  SetChannel(output, loops);
  return result;
}

Expr ReadAt(const TensorParameter& tensor,
            const std::vector<Expr>& outermost_first) {
  return tensor({outermost_first.rbegin(), outermost_first.rend()});
}

}  // namespace pruner
