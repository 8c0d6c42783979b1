// Pipelines of matrix products and normalizations.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "models/graph/graph_builder.h"
#include "models/ops/testing.h"
#include "pruner/base/rng.h"

namespace pruner {
namespace {

// The operator computes what the interpreter says, alone and with others behind
// it.
void ExpectOperator(const Operator& op, const std::vector<Shape>& inputs) {
  const auto apply = [&](GraphBuilder& b) {
    std::vector<TensorId> tensors;
    for (const Shape& shape : inputs) {
      tensors.push_back(b.Input(absl::StrCat("x", tensors.size()), shape));
    }
    return b.Apply("y", op, tensors);
  };
  ExpectComputes([&](GraphBuilder& b) { b.Output(apply(b)); });
  ExpectComputes([&](GraphBuilder& b) {
    TensorId y = apply(b);
    const Shape shape = b.ShapeOf(y);
    y = b.BiasAdd("biased", y,
                  b.Constant("c", {shape.back()}, {RandomValues{}}));
    y = b.Add("sum", y, b.Input("residual", shape));
    b.Output(b.Relu("relu", y));
  });
}

TEST(LinearPipelineTest, MatrixProductsOfAnyBatch) {
  // Batch dimensions of the operands.
  const std::vector<std::pair<Shape, Shape>> batches = {
      {{}, {}},         {{3}, {3}},         {{3}, {}},        {{}, {3}},
      {{2, 3}, {2, 3}}, {{2, 3}, {3}},      {{2, 1}, {1, 3}}, {{1}, {2, 3}},
      {{2, 3}, {2, 1}}, {{1, 2, 3}, {2, 3}}};
  Rng rng(1);
  for (const auto& [left, right] : batches) {
    for (const int transposed : {0, 1, 2, 3}) {
      const MatMul op = {.transpose_left = (transposed & 1) != 0,
                         .transpose_right = (transposed & 2) != 0};
      const int64_t m = rng.Uniform(1, 5), k = rng.Uniform(1, 20),
                    n = rng.Uniform(1, 17);
      Shape left_shape = left, right_shape = right;
      left_shape.push_back(op.transpose_left ? k : m);
      left_shape.push_back(op.transpose_left ? m : k);
      right_shape.push_back(op.transpose_right ? n : k);
      right_shape.push_back(op.transpose_right ? k : n);
      ExpectOperator(op, {left_shape, right_shape});
    }
  }
}

TEST(LinearPipelineTest, MatrixProductsOfOneTensor) {
  for (const Shape& shape :
       {Shape{4, 4}, Shape{3, 4, 4}, Shape{1, 1}, Shape{2, 1, 1}}) {
    for (const int transposed : {0, 1, 2, 3}) {
      ExpectComputes([&](GraphBuilder& b) {
        const TensorId x = b.Input("x", shape);
        const MatMul op = {.transpose_left = (transposed & 1) != 0,
                           .transpose_right = (transposed & 2) != 0};
        b.Output(b.Add("sum", b.Apply("y", op, {x, x}), x));
      });
    }
  }
}

TEST(LinearPipelineTest, ConstantMatrices) {
  ExpectComputes([](GraphBuilder& b) {
    const TensorId w = b.Constant("w", {2, 8, 16}, {RandomValues{.low = -1}});
    b.Output(b.Apply("y", MatMul{}, {b.Input("x", {2, 3, 8}), w}));
  });
}

TEST(LinearPipelineTest, Normalizations) {
  for (const Shape& shape : {Shape{7}, Shape{3, 10}, Shape{2, 3, 5, 4}}) {
    const auto rank = static_cast<int64_t>(shape.size());
    for (int64_t axis = 0; axis < rank; ++axis) {
      const Shape line(shape.begin() + axis, shape.end());
      ExpectOperator(LayerNorm{.axis = axis}, {shape, line, line});
      ExpectOperator(RmsNorm{.axis = axis, .epsilon = 0.5}, {shape, line});
      ExpectOperator(Normalize{.axis = axis, .epsilon = 0.1}, {shape});
    }
  }
  ExpectComputes([](GraphBuilder& b) {
    const TensorId x = b.Input("x", {2, 3, 4});
    b.Output(b.Add("sum", b.Apply("y", Normalize{.axis = 1}, {x}), x));
  });
}

}  // namespace
}  // namespace pruner
