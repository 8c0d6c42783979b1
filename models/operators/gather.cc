#include "models/operators/gather.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/operators/data_type.h"
#include "models/operators/dynamic_index.h"
#include "models/operators/emission.h"
#include "models/operators/loop_groups.h"
#include "models/operators/operator_kind.h"
#include "models/operators/reference_loops.h"
#include "models/operators/shape.h"
#include "models/operators/shape_checks.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

using Halide::Expr;

absl::StatusOr<DataType> TypeOfData(DataTypes inputs) {
  RETURN_IF_ERROR(CheckAreIndices(inputs, 1));
  return inputs[0];
}

absl::Span<const int64_t> Extents(const Shape& shape, size_t first,
                                  size_t end) {
  return absl::MakeConstSpan(shape).subspan(first, end - first);
}

}  // namespace

absl::StatusOr<DataType> Gather::InferType(DataTypes inputs) const {
  return TypeOfData(inputs);
}

absl::StatusOr<Shape> Gather::InferShape(Shapes inputs) const {
  const Shape& data = inputs[0];
  RETURN_IF_ERROR(
      CheckRange("axis", axis, 0, static_cast<int64_t>(data.size()) - 1));
  Shape output(data.begin(), data.begin() + axis);
  output.insert(output.end(), inputs[1].begin(), inputs[1].end());
  output.insert(output.end(), data.begin() + axis + 1, data.end());
  return output;
}

void Gather::Evaluate(Arrays inputs, int, Array& output) const {
  const AxisSplit data = SplitAt(inputs[0]->shape, axis);
  const int64_t count = NumElements(inputs[1]->shape);
  ForEachIndex(
      {data.outer, count, data.inner},
      [&](int64_t i, absl::Span<const int64_t> at) {
        const int64_t position =
            PositionAt(inputs[1]->values[at[1]], data.extent);
        output.values[i] =
            inputs[0]
                ->values[(at[0] * data.extent + position) * data.inner + at[2]];
      });
}

Emitted Gather::Emit(AnchorEmitter& emitter) const {
  const AxisSplit split = SplitAt(emitter.InputShape(0), axis);
  const int64_t count = NumElements(emitter.InputShape(1));
  const GroupLoops out =
      LoopOverGroups({split.outer, count, split.inner}, emitter.OutputShape());
  const TensorParameter data =
      emitter.Input(0, {split.outer, split.extent, split.inner});
  const TensorParameter indices = emitter.Input(1, {count});
  const Expr position = PositionAt(indices({out.at[1]}), split.extent);
  return {.value = ReadAt(data, {out.at[0], position, out.at[2]}),
          .loops = out.loops};
}

absl::StatusOr<DataType> GatherElements::InferType(DataTypes inputs) const {
  return TypeOfData(inputs);
}

absl::StatusOr<Shape> GatherElements::InferShape(Shapes inputs) const {
  const Shape& data = inputs[0];
  const Shape& indices = inputs[1];
  RETURN_IF_ERROR(
      CheckRange("axis", axis, 0, static_cast<int64_t>(data.size()) - 1));
  RETURN_IF_ERROR(CheckRank("indices", indices, data.size()));
  for (size_t d = 0; d < data.size(); ++d) {
    if (static_cast<int64_t>(d) != axis && indices[d] > data[d]) {
      return Invalid("indices of shape ", ShapeText(indices),
                     " go beyond data of shape ", ShapeText(data));
    }
  }
  return indices;
}

void GatherElements::Evaluate(Arrays inputs, int, Array& output) const {
  const Shape& data = inputs[0]->shape;
  const std::vector<int64_t> strides = Strides(data);
  ForEachIndex(output.shape, [&](int64_t i, absl::Span<const int64_t> index) {
    int64_t from = PositionAt(inputs[1]->values[i], data[axis]) * strides[axis];
    for (size_t d = 0; d < index.size(); ++d) {
      if (static_cast<int64_t>(d) != axis) from += index[d] * strides[d];
    }
    output.values[i] = inputs[0]->values[from];
  });
}

Emitted GatherElements::Emit(AnchorEmitter& emitter) const {
  const Shape& data = emitter.InputShape(0);
  const Shape& output = emitter.OutputShape();
  // What the indices have in full stays together.
  constexpr int64_t kWhole = 0, kAlong = 1;
  std::vector<int64_t> marks;
  for (size_t d = 0; d < data.size(); ++d) {
    marks.push_back(static_cast<int64_t>(d) == axis ? kAlong
                    : data[d] == 1                  ? kAnyMark
                    : data[d] == output[d] ? kWhole
                                           : static_cast<int64_t>(d) + 2);
  }
  const std::vector<DimensionGroup> groups = GroupDimensions(marks);
  const Shape extents = GroupedShape(output, groups);
  const GroupLoops out = LoopOverGroups(extents, output);
  std::vector<Expr> at = out.at;
  const Expr index = ReadAt(emitter.Input(1, extents), at);
  for (size_t g = 0; g < groups.size(); ++g) {
    if (groups[g].mark == kAlong) at[g] = PositionAt(index, data[axis]);
  }
  return {.value = ReadAt(emitter.Input(0, GroupedShape(data, groups)), at),
          .loops = out.loops};
}

absl::StatusOr<DataType> GatherNd::InferType(DataTypes inputs) const {
  return TypeOfData(inputs);
}

absl::StatusOr<Shape> GatherNd::InferShape(Shapes inputs) const {
  const Shape& data = inputs[0];
  const Shape& indices = inputs[1];
  if (indices.empty()) return Invalid("indices must have at least 1 dimension");
  const auto rank = static_cast<int64_t>(data.size());
  RETURN_IF_ERROR(CheckRange("batch_dims", batch_dims, 0,
                             static_cast<int64_t>(indices.size()) - 1));
  RETURN_IF_ERROR(CheckRange("batch_dims", batch_dims, 0, rank));
  RETURN_IF_ERROR(CheckRange("the innermost extent of the indices",
                             indices.back(), 1, rank - batch_dims));
  for (int64_t d = 0; d < batch_dims; ++d) {
    if (data[d] != indices[d]) {
      return Invalid("data of shape ", ShapeText(data),
                     " and indices of shape ", ShapeText(indices),
                     " differ in the first ", batch_dims, " dimensions");
    }
  }
  Shape output(indices.begin(), indices.end() - 1);
  output.insert(output.end(), data.begin() + batch_dims + indices.back(),
                data.end());
  return output;
}

namespace {

// The dimensions of a GatherNd, as groups.
struct NdGroups {
  int64_t batch = 1;
  int64_t count = 1;  // of tuples of indices, in one batch
  int64_t depth = 1;  // of a tuple
  int64_t inner = 1;
  Shape indexed;  // the data's extents that a tuple chooses from

  // {batch, indexed..., inner}.
  Shape DataShape() const {
    Shape shape = {batch};
    shape.insert(shape.end(), indexed.begin(), indexed.end());
    shape.push_back(inner);
    return shape;
  }
};

NdGroups GroupsOf(const GatherNd& op, const Shape& data, const Shape& indices) {
  const auto batch_end = static_cast<size_t>(op.batch_dims);
  const size_t indexed_end = batch_end + static_cast<size_t>(indices.back());
  const auto indexed = Extents(data, batch_end, indexed_end);
  return {.batch = NumElements(Extents(data, 0, batch_end)),
          .count = NumElements(Extents(indices, batch_end, indices.size() - 1)),
          .depth = indices.back(),
          .inner = NumElements(Extents(data, indexed_end, data.size())),
          .indexed = Shape(indexed.begin(), indexed.end())};
}

}  // namespace

void GatherNd::Evaluate(Arrays inputs, int, Array& output) const {
  const NdGroups groups = GroupsOf(*this, inputs[0]->shape, inputs[1]->shape);
  ForEachIndex(
      {groups.batch, groups.count, groups.inner},
      [&](int64_t i, absl::Span<const int64_t> at) {
        const int64_t tuple = (at[0] * groups.count + at[1]) * groups.depth;
        int64_t from = at[0];
        for (int64_t k = 0; k < groups.depth; ++k) {
          from = from * groups.indexed[k] +
                 PositionAt(inputs[1]->values[tuple + k], groups.indexed[k]);
        }
        output.values[i] = inputs[0]->values[from * groups.inner + at[2]];
      });
}

Emitted GatherNd::Emit(AnchorEmitter& emitter) const {
  const NdGroups groups =
      GroupsOf(*this, emitter.InputShape(0), emitter.InputShape(1));
  const GroupLoops out = LoopOverGroups(
      {groups.batch, groups.count, groups.inner}, emitter.OutputShape());
  const TensorParameter data = emitter.Input(0, groups.DataShape());
  const TensorParameter indices =
      emitter.Input(1, {groups.batch, groups.count, groups.depth});
  std::vector<Expr> from = {out.at[0]};
  for (int64_t k = 0; k < groups.depth; ++k) {
    from.push_back(PositionAt(
        ReadAt(indices, {out.at[0], out.at[1], ToExpr(k)}), groups.indexed[k]));
  }
  from.push_back(out.at[2]);
  return {.value = ReadAt(data, from), .loops = out.loops};
}

}  // namespace pruner
