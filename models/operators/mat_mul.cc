#include "models/operators/mat_mul.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "models/operators/broadcast.h"
#include "models/operators/emission.h"
#include "models/operators/operator_kind.h"
#include "models/operators/reference_loops.h"
#include "models/operators/shape.h"
#include "models/operators/shape_checks.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

using Halide::Expr;
using Halide::Var;

// An operand's last two extents, not transposed.
struct Matrix {
  int64_t rows = 1;
  int64_t columns = 1;
};

Matrix MatrixOf(const Shape& shape, bool is_transposed) {
  const int64_t last = shape.back(), other = shape[shape.size() - 2];
  return is_transposed ? Matrix{last, other} : Matrix{other, last};
}

Shape BatchOf(const Shape& shape) { return {shape.begin(), shape.end() - 2}; }

// A loop over neighbouring dimensions of the output, the columns' not among
// them, that an operand has either all in full or not at all.
struct Group {
  int64_t extent = 1;
  bool in_left = false;
  bool in_right = false;
};

// Outermost first. Those of the batch that are of extent 1 are no loops. The
// last is that of rows, to which the batch dimensions before it belong if they
// are like it: if only the left operand has them and none of its rows' elements
// lie between.
std::vector<Group> MakeGroups(const Shape& left, const Shape& right,
                              const Shape& output, bool transpose_left) {
  const Shape batch = BatchOf(output);
  const Shape in_left = WithRank(BatchOf(left), batch.size());
  const Shape in_right = WithRank(BatchOf(right), batch.size());
  std::vector<Group> groups;
  const auto add = [&](const Group& group, bool may_merge) {
    if (may_merge && !groups.empty() &&
        groups.back().in_left == group.in_left &&
        groups.back().in_right == group.in_right) {
      groups.back().extent *= group.extent;
    } else {
      groups.push_back(group);
    }
  };
  for (size_t d = 0; d < batch.size(); ++d) {
    if (batch[d] == 1) continue;
    add({batch[d], in_left[d] != 1, in_right[d] != 1}, true);
  }
  add({output[output.size() - 2], true, false}, !transpose_left);
  return groups;
}

// How an operand is read.
struct Operand {
  Shape shape;                // outermost first
  std::vector<Expr> indices;  // innermost first
};

}  // namespace

absl::StatusOr<Shape> MatMul::InferShape(Shapes inputs) const {
  const Shape& left = inputs[0];
  const Shape& right = inputs[1];
  if (left.size() < 2 || right.size() < 2) {
    return Invalid("operands must have at least 2 dimensions, not ",
                   left.size(), " and ", right.size());
  }
  const Matrix left_matrix = MatrixOf(left, transpose_left);
  const Matrix right_matrix = MatrixOf(right, transpose_right);
  if (left_matrix.columns != right_matrix.rows) {
    return Invalid("the left matrix has ", left_matrix.columns,
                   " columns, the right one ", right_matrix.rows, " rows");
  }
  ASSIGN_OR_RETURN(Shape output,
                   BroadcastShape({BatchOf(left), BatchOf(right)}));
  output.push_back(left_matrix.rows);
  output.push_back(right_matrix.columns);
  return output;
}

double MatMul::CountFlops(Shapes inputs, const Shape& output) const {
  return 2.0 * NumElementsAsDouble(output) *
         static_cast<double>(MatrixOf(inputs[0], transpose_left).columns);
}

void MatMul::Evaluate(Arrays inputs, int threads, Array& output) const {
  const Shape& left = inputs[0]->shape;
  const Shape& right = inputs[1]->shape;
  const auto [rows, depth] = MatrixOf(left, transpose_left);
  const int64_t columns = output.shape.back();
  // The matrices that are multiplied.
  std::vector<int64_t> lefts, rights;
  ForEachBroadcast({BatchOf(left), BatchOf(right)}, BatchOf(output.shape),
                   [&](int64_t, absl::Span<const int64_t> at) {
                     lefts.push_back(at[0]);
                     rights.push_back(at[1]);
                   });
  const int64_t left_row = transpose_left ? 1 : depth;
  const int64_t left_step = transpose_left ? rows : 1;
  const int64_t right_column = transpose_right ? depth : 1;
  const int64_t right_step = transpose_right ? 1 : columns;
  const int64_t rows_of_all = static_cast<int64_t>(lefts.size()) * rows;
  ForRows(rows_of_all, threads, [&, rows = rows, depth = depth](int64_t row) {
    const int64_t b = row / rows, m = row % rows;
    const double* a = &inputs[0]->values[lefts[b] * rows * depth];
    const double* w = &inputs[1]->values[rights[b] * depth * columns];
    for (int64_t n = 0; n < columns; ++n) {
      double sum = 0;
      for (int64_t k = 0; k < depth; ++k) {
        sum += a[m * left_row + k * left_step] *
               w[k * right_step + n * right_column];
      }
      output.values[row * columns + n] = sum;
    }
  });
}

std::string MatMul::TaskAttributes(Shapes) const {
  return absl::StrCat(transpose_left ? "_tl" : "",
                      transpose_right ? "_tr" : "");
}

Emitted MatMul::Emit(AnchorEmitter& emitter) const {
  const Shape& left_shape = emitter.InputShape(0);
  const Shape& right_shape = emitter.InputShape(1);
  const int64_t depth = MatrixOf(left_shape, transpose_left).columns;
  const int64_t columns = emitter.OutputShape().back();
  const std::vector<Group> groups = MakeGroups(
      left_shape, right_shape, emitter.OutputShape(), transpose_left);
  const int64_t rows = groups.back().extent;

  const Var c("c"), m("m");
  const Halide::RDom r = NamedRDom({{"rc", depth}});
  OutputLoops loops = {.vars = {c, m}, .shape = {rows, columns}, .channel = c};
  Operand left = {{rows, depth}, {r.x, m}};
  if (transpose_left) left = {{depth, rows}, {m, r.x}};
  Operand right = {{depth, columns}, {c, r.x}};
  if (transpose_right) right = {{columns, depth}, {r.x, c}};
  for (size_t i = groups.size() - 1; i-- > 0;) {
    const Group& group = groups[i];
    const Var b(absl::StrCat("b", groups.size() - 2 - i));
    loops.vars.push_back(b);
    loops.shape.insert(loops.shape.begin(), group.extent);
    for (const auto& [is_in, operand] :
         {std::pair{group.in_left, &left}, {group.in_right, &right}}) {
      if (!is_in) continue;
      operand->shape.insert(operand->shape.begin(), group.extent);
      operand->indices.push_back(b);
    }
  }
  Halide::Func matmul = NamedFunc("matmul");
  matmul(loops.vars) = 0.0f;
  matmul(loops.vars) += emitter.Input(0, left.shape)(left.indices) *
                        emitter.Input(1, right.shape)(right.indices);
  return {.value = matmul(loops.vars), .loops = loops};
}

}  // namespace pruner
