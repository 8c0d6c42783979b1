// One ONNX node on its way into an OperatorGraph.
#ifndef MODELS_ONNX_NODE_IMPORT_H_
#define MODELS_ONNX_NODE_IMPORT_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "models/graph/graph_builder.h"
#include "models/onnx/onnx_node.h"
#include "models/onnx/tensor_data.h"
#include "models/operators/data_type.h"
#include "models/operators/operators.h"
#include "models/operators/shape.h"

namespace pruner {

// A tensor of the model: its values if they are known when the model is read,
// else one of the graph's.
struct OnnxValue {
  DataType type = DataType::kFloat32;
  Shape shape = {};  // extents may be 0 if the values are known
  // Row-major; floats of kFloat32, ints of the others. Null: not known.
  std::shared_ptr<const std::vector<float>> floats = nullptr;
  std::shared_ptr<const std::vector<int64_t>> ints = nullptr;
  TensorId tensor = kNoTensor;  // if they are not known

  bool is_known() const { return floats != nullptr || ints != nullptr; }
  int64_t rank() const { return static_cast<int64_t>(shape.size()); }
};

OnnxValue KnownInts(std::vector<int64_t> values, Shape shape,
                    DataType type = DataType::kInt64);
OnnxValue KnownFloats(std::vector<float> values, Shape shape);
OnnxValue KnownScalar(double value, DataType type);
// Of a shape with an extent of 0: there are no values that could be unknown.
OnnxValue KnownEmpty(Shape shape, DataType type);
OnnxValue ValueOf(const OnnxTensor& tensor);

// What all nodes share: the graph, and the values by their names in the model.
class GraphImport {
 public:
  explicit GraphImport(absl::string_view name) : builder_(name) {}

  GraphBuilder& builder() { return builder_; }
  std::map<std::string, OnnxValue, std::less<>>& values() { return values_; }
  // Those of the model.
  std::set<TensorId>& inputs() { return inputs_; }
  // `wish`, or the first of "<wish>/2", "<wish>/3", ... that no tensor has.
  std::string UniqueName(absl::string_view wish);
  // The value as a tensor of the graph: a constant, if it is known, of this
  // name. InvalidArgument if it is not a number.
  absl::StatusOr<TensorId> Materialize(const OnnxValue& value,
                                       absl::string_view name);

 private:
  GraphBuilder builder_;
  std::map<std::string, OnnxValue, std::less<>> values_;
  std::set<TensorId> inputs_;
  std::set<std::string, std::less<>> names_;
  std::map<const void*, TensorId> constants_;  // by where their values are
  // Keeps these where they are.
  std::vector<OnnxValue> materialized_;
};

// What the converter of one node works with. Errors name the node.
class NodeImport {
 public:
  NodeImport(const OnnxNode& node, int64_t opset, GraphImport& graph)
      : node_(node), opset_(opset), graph_(graph) {}

  const OnnxNode& node() const { return node_; }
  int64_t opset() const { return opset_; }
  int inputs() const { return static_cast<int>(node_.inputs.size()); }
  bool HasInput(size_t index) const { return node_.HasInput(index); }

  // InvalidArgument if it is missing.
  absl::StatusOr<OnnxValue> Input(size_t index) const;
  // The values of an input that must be known when the model is read, numbers
  // of this kind.
  absl::StatusOr<std::vector<int64_t>> IntsOf(size_t index) const;
  absl::StatusOr<std::vector<double>> FloatsOf(size_t index) const;
  // Numbers that older versions have as an attribute, newer ones as an input;
  // `otherwise` if there are neither.
  absl::StatusOr<std::vector<int64_t>> IntsOf(
      absl::string_view attribute, size_t index,
      const std::vector<int64_t>& otherwise) const;

  // The only element of an input that must be known when the model is read.
  absl::StatusOr<double> ScalarOf(size_t index) const;
  // The extents that an input says, which must be known when the model is read;
  // any numbers, but not more than tensors have dimensions.
  absl::StatusOr<Shape> ShapeFrom(size_t index) const;

  // The operator's result: computed now where all inputs are known.
  absl::StatusOr<OnnxValue> Apply(const Operator& op,
                                  absl::Span<const OnnxValue> inputs);
  // Views and movements that are nothing where they change nothing.
  absl::StatusOr<OnnxValue> Reshape(const OnnxValue& value, const Shape& shape);
  absl::StatusOr<OnnxValue> Expand(const OnnxValue& value, const Shape& shape);
  absl::StatusOr<OnnxValue> Cast(const OnnxValue& value, DataType type);
  absl::StatusOr<OnnxValue> Transpose(const OnnxValue& value,
                                      const std::vector<int64_t>& perm);
  // Weights that are known are laid out for their kernel; other matrices, and
  // stacks of them, are not.
  absl::StatusOr<OnnxValue> Product(const OnnxValue& left,
                                    const OnnxValue& right,
                                    const MatMul& product = {});
  // {N, C, spatial...} to {N, spatial..., C} and back.
  absl::StatusOr<OnnxValue> ChannelsLast(const OnnxValue& value);
  absl::StatusOr<OnnxValue> ChannelsFirst(const OnnxValue& value);

  void SetOutput(size_t index, OnnxValue value);
  // The axis counted from 0; InvalidArgument if there is no such one.
  absl::StatusOr<int64_t> Axis(int64_t axis, int64_t rank) const;
  absl::StatusOr<std::vector<int64_t>> Axes(const std::vector<int64_t>& axes,
                                            int64_t rank) const;
  absl::Status Error(absl::string_view what) const { return node_.Error(what); }

 private:
  absl::StatusOr<OnnxValue> Fold(const Operator& op,
                                 absl::Span<const OnnxValue> inputs,
                                 const Shape& shape, DataType type) const;

  const OnnxNode& node_;
  int64_t opset_;
  GraphImport& graph_;
};

}  // namespace pruner

#endif  // MODELS_ONNX_NODE_IMPORT_H_
