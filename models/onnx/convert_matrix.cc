// Products of matrices.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/onnx/converters.h"
#include "models/onnx/node_import.h"
#include "models/operators/operators.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

// A vector is a row on the left and a column on the right, and the result lacks
// that dimension.
absl::Status ImportMatMul(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({}));
  ASSIGN_OR_RETURN(OnnxValue left, n.Input(0));
  ASSIGN_OR_RETURN(OnnxValue right, n.Input(1));
  if (left.rank() == 0 || right.rank() == 0)
    return n.Error("has a scalar as an operand");
  const bool is_row = left.rank() == 1, is_column = right.rank() == 1;
  if (is_row) {
    ASSIGN_OR_RETURN(left, n.Reshape(left, {1, left.shape[0]}));
  }
  if (is_column) {
    ASSIGN_OR_RETURN(right, n.Reshape(right, {right.shape[0], 1}));
  }
  ASSIGN_OR_RETURN(OnnxValue result, n.Product(left, right));
  Shape shape = result.shape;
  if (is_column) shape.pop_back();
  if (is_row) shape.erase(shape.end() - (is_column ? 1 : 2));
  ASSIGN_OR_RETURN(result, n.Reshape(result, shape));
  n.SetOutput(0, std::move(result));
  return absl::OkStatus();
}

absl::StatusOr<OnnxValue> Scaled(NodeImport& n, const OnnxValue& value,
                                 float factor) {
  if (factor == 1.0f) return value;
  return n.Apply(Mul{}, {value, KnownScalar(factor, DataType::kFloat32)});
}

// alpha * A' B' + beta * C.
absl::Status ImportGemm(NodeImport& n) {
  RETURN_IF_ERROR(
      n.node().CheckAttributes({"alpha", "beta", "transA", "transB"}));
  ASSIGN_OR_RETURN(OnnxValue a, n.Input(0));
  ASSIGN_OR_RETURN(OnnxValue b, n.Input(1));
  if (a.rank() != 2 || b.rank() != 2)
    return n.Error("has operands that are no matrices");
  ASSIGN_OR_RETURN(const int64_t transpose_a, n.node().Int("transA", 0));
  ASSIGN_OR_RETURN(const int64_t transpose_b, n.node().Int("transB", 0));
  ASSIGN_OR_RETURN(const float alpha, n.node().Float("alpha", 1.0f));
  ASSIGN_OR_RETURN(const float beta, n.node().Float("beta", 1.0f));
  OnnxValue result;
  if (b.is_known()) {
    if (transpose_a != 0) {
      ASSIGN_OR_RETURN(a, n.Transpose(a, {1, 0}));
    }
    if (transpose_b != 0) {
      ASSIGN_OR_RETURN(b, n.Transpose(b, {1, 0}));
    }
    ASSIGN_OR_RETURN(b, Scaled(n, b, alpha));
    ASSIGN_OR_RETURN(result, n.Apply(Dense{}, {a, b}));
  } else {
    ASSIGN_OR_RETURN(result,
                     n.Apply(MatMul{.transpose_left = transpose_a != 0,
                                    .transpose_right = transpose_b != 0},
                             {a, b}));
    ASSIGN_OR_RETURN(result, Scaled(n, result, alpha));
  }
  if (n.HasInput(2) && beta != 0) {
    ASSIGN_OR_RETURN(OnnxValue c, n.Input(2));
    ASSIGN_OR_RETURN(c, Scaled(n, c, beta));
    const bool is_bias = c.shape == Shape{result.shape[1]};
    ASSIGN_OR_RETURN(result, is_bias ? n.Apply(BiasAdd{}, {result, c})
                                     : n.Apply(Add{}, {result, c}));
  }
  n.SetOutput(0, std::move(result));
  return absl::OkStatus();
}

}  // namespace

void AddMatrixConverters(Converters& converters) {
  converters["Gemm"] = ImportGemm;
  converters["MatMul"] = ImportMatMul;
}

}  // namespace pruner
