// For tests of operators.
#ifndef MODELS_OPERATORS_TESTING_H_
#define MODELS_OPERATORS_TESTING_H_

#include <numeric>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "models/operators/operators.h"

namespace pruner {

// 1, 2, 3, ... in the given shape.
inline Array Counting(const Shape& shape) {
  Array array{shape, std::vector<double>(NumElements(shape))};
  std::iota(array.values.begin(), array.values.end(), 1.0);
  return array;
}

// The operator's output, whose shape is inferred.
inline Array Evaluate(const Operator& op, const std::vector<Array>& inputs) {
  std::vector<Shape> shapes;
  std::vector<const Array*> pointers;
  for (const Array& input : inputs) {
    shapes.push_back(input.shape);
    pointers.push_back(&input);
  }
  const absl::StatusOr<Shape> shape = InferShape(op, shapes);
  EXPECT_TRUE(shape.ok()) << OperatorText(op) << ": " << shape.status();
  return shape.ok() ? EvaluateOperator(op, pointers, *shape, 2) : Array{};
}

// The shape that is inferred, or why there is none.
inline std::string Inferred(const Operator& op,
                            const std::vector<Shape>& inputs) {
  const absl::StatusOr<Shape> shape = InferShape(op, inputs);
  return shape.ok() ? ShapeText(*shape) : std::string(shape.status().message());
}

}  // namespace pruner

#endif  // MODELS_OPERATORS_TESTING_H_
