// Builds an OperatorGraph node by node, inferring and checking shapes.
#ifndef MODELS_GRAPH_GRAPH_BUILDER_H_
#define MODELS_GRAPH_GRAPH_BUILDER_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "models/graph/operator_graph.h"

namespace pruner {

inline constexpr TensorId kNoTensor = -1;

// The first error is kept: from then on every method returns kNoTensor and does
// nothing, so that a network reads as straight code; Build (or status) returns
// the error, which names the node, its operator and the shapes of its inputs.
//
//   GraphBuilder builder("example");
//   TensorId x = builder.Input("x", {1, 8, 8, 16});
//   TensorId w = builder.Constant("w", {3, 3, 16, 32}, {RandomValues{.seed =
//   1}}); x = builder.Relu("y", builder.Conv2d("conv", x, w, {.padding = {1, 1,
//   1, 1}})); builder.Output(x); absl::StatusOr<OperatorGraph> graph =
//   std::move(builder).Build();
class GraphBuilder {
 public:
  explicit GraphBuilder(absl::string_view name);

  TensorId Input(absl::string_view name, const Shape& shape,
                 DataType type = DataType::kFloat32);
  TensorId Constant(absl::string_view name, const Shape& shape,
                    const ConstantData& data,
                    DataType type = DataType::kFloat32);
  // A node of any kind; `name` names the tensor it computes.
  TensorId Apply(absl::string_view name, const Operator& op,
                 const std::vector<TensorId>& inputs);
  void Output(TensorId tensor);

  TensorId Conv2d(absl::string_view name, TensorId input, TensorId weights,
                  const pruner::Conv2d& attributes = {});
  TensorId Dense(absl::string_view name, TensorId input, TensorId weights);
  TensorId BatchNorm(absl::string_view name, TensorId input, TensorId scale,
                     TensorId shift, TensorId mean, TensorId variance,
                     const pruner::BatchNorm& attributes = {});
  TensorId BiasAdd(absl::string_view name, TensorId input, TensorId bias);
  TensorId Relu(absl::string_view name, TensorId input);
  TensorId Relu6(absl::string_view name, TensorId input);
  TensorId Add(absl::string_view name, TensorId left, TensorId right);
  TensorId MaxPool2d(absl::string_view name, TensorId input,
                     const pruner::MaxPool2d& attributes);
  TensorId AvgPool2d(absl::string_view name, TensorId input,
                     const pruner::AvgPool2d& attributes);
  TensorId GlobalAvgPool(absl::string_view name, TensorId input);
  TensorId Reshape(absl::string_view name, TensorId input, const Shape& shape);
  // {N, ...} to {N, product of the rest}, as a Reshape.
  TensorId Flatten(absl::string_view name, TensorId input);
  // Along the innermost dimension.
  TensorId Softmax(absl::string_view name, TensorId input);
  TensorId Identity(absl::string_view name, TensorId input);

  // The shape of a tensor of this builder; empty for kNoTensor.
  const Shape& ShapeOf(TensorId tensor) const;
  // "" for kNoTensor.
  const std::string& NameOf(TensorId tensor) const;
  // float32 for kNoTensor.
  DataType TypeOf(TensorId tensor) const;
  // The innermost extent; 1 for kNoTensor and scalars.
  int64_t ChannelsOf(TensorId tensor) const;

  // The first error so far.
  const absl::Status& status() const { return status_; }
  absl::StatusOr<OperatorGraph> Build() &&;

 private:
  bool IsTensor(TensorId tensor) const;
  void Fail(absl::string_view what, const absl::Status& reason);
  // Declares a tensor; kNoTensor after an error or if the name or shape is not
  // usable.
  TensorId Declare(absl::string_view what, absl::string_view name,
                   const Shape& shape, DataType type);

  OperatorGraph graph_;
  std::map<std::string, TensorId, std::less<>> by_name_;
  absl::Status status_;
};

}  // namespace pruner

#endif  // MODELS_GRAPH_GRAPH_BUILDER_H_
