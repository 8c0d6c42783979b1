#include "models/graph/graph_builder.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "absl/log/check.h"
#include "absl/strings/str_cat.h"
#include "models/operators/operators.h"

namespace pruner {

GraphBuilder::GraphBuilder(absl::string_view name) { graph_.name = name; }

bool GraphBuilder::IsTensor(TensorId tensor) const {
  return tensor >= 0 && tensor < static_cast<TensorId>(graph_.tensors.size());
}

void GraphBuilder::Fail(absl::string_view what, const absl::Status& reason) {
  if (!status_.ok()) return;
  status_ = absl::InvalidArgumentError(absl::StrCat(
      "graph \"", graph_.name, "\", ", what, ": ", reason.message()));
}

TensorId GraphBuilder::Declare(absl::string_view what, absl::string_view name,
                               const Shape& shape, DataType type) {
  if (!status_.ok()) return kNoTensor;
  if (name.empty()) {
    Fail(what, absl::InvalidArgumentError("its name is empty"));
  } else if (by_name_.contains(name)) {
    Fail(what, absl::InvalidArgumentError("another tensor has this name"));
  } else if (const absl::Status checked = CheckShape(shape); !checked.ok()) {
    Fail(what, checked);
  }
  if (!status_.ok()) return kNoTensor;
  const auto tensor = static_cast<TensorId>(graph_.tensors.size());
  graph_.tensors.push_back({std::string(name), shape, type});
  by_name_.emplace(name, tensor);
  return tensor;
}

TensorId GraphBuilder::Input(absl::string_view name, const Shape& shape,
                             DataType type) {
  const TensorId tensor =
      Declare(absl::StrCat("input \"", name, "\""), name, shape, type);
  if (tensor != kNoTensor) graph_.inputs.push_back(tensor);
  return tensor;
}

TensorId GraphBuilder::Constant(absl::string_view name, const Shape& shape,
                                const ConstantData& data, DataType type) {
  const std::string what = absl::StrCat("constant \"", name, "\"");
  const TensorId tensor = Declare(what, name, shape, type);
  if (tensor == kNoTensor) return kNoTensor;
  if (const absl::Status checked = CheckConstant(data, shape, type);
      !checked.ok()) {
    Fail(what, checked);
    return kNoTensor;
  }
  graph_.constants.emplace(tensor, data);
  return tensor;
}

TensorId GraphBuilder::Apply(absl::string_view name, const Operator& op,
                             const std::vector<TensorId>& inputs) {
  if (!status_.ok()) return kNoTensor;
  std::string what =
      absl::StrCat("node \"", name, "\", ", OperatorText(op), " of");
  std::vector<Shape> shapes;
  std::vector<DataType> types;
  for (const TensorId input : inputs) {
    if (!IsTensor(input)) {
      Fail(what, absl::InvalidArgumentError(absl::StrCat(
                     "input ", shapes.size(), " is not defined before it")));
      return kNoTensor;
    }
    types.push_back(TypeOf(input));
    shapes.push_back(ShapeOf(input));
    absl::StrAppend(&what, " ", ShapeText(shapes.back()));
  }
  const absl::StatusOr<Shape> shape = InferShape(op, shapes);
  if (!shape.ok()) {
    Fail(what, shape.status());
    return kNoTensor;
  }
  const absl::StatusOr<DataType> type = InferType(op, types);
  if (!type.ok()) {
    Fail(what, type.status());
    return kNoTensor;
  }
  const TensorId output = Declare(what, name, *shape, *type);
  if (output != kNoTensor) graph_.nodes.push_back({op, inputs, output});
  return output;
}

void GraphBuilder::Output(TensorId tensor) {
  if (!status_.ok()) return;
  const std::vector<TensorId>& outputs = graph_.outputs;
  if (!IsTensor(tensor)) {
    Fail(absl::StrCat("output ", outputs.size()),
         absl::InvalidArgumentError("it is not a tensor of the graph"));
  } else if (std::find(outputs.begin(), outputs.end(), tensor) !=
             outputs.end()) {
    Fail(absl::StrCat("output \"", graph_.tensors[tensor].name, "\""),
         absl::InvalidArgumentError("it is given twice"));
  } else {
    graph_.outputs.push_back(tensor);
  }
}

TensorId GraphBuilder::Conv2d(absl::string_view name, TensorId input,
                              TensorId weights,
                              const pruner::Conv2d& attributes) {
  return Apply(name, attributes, {input, weights});
}

TensorId GraphBuilder::Dense(absl::string_view name, TensorId input,
                             TensorId weights) {
  return Apply(name, pruner::Dense{}, {input, weights});
}

TensorId GraphBuilder::BatchNorm(absl::string_view name, TensorId input,
                                 TensorId scale, TensorId shift, TensorId mean,
                                 TensorId variance,
                                 const pruner::BatchNorm& attributes) {
  return Apply(name, attributes, {input, scale, shift, mean, variance});
}

TensorId GraphBuilder::BiasAdd(absl::string_view name, TensorId input,
                               TensorId bias) {
  return Apply(name, pruner::BiasAdd{}, {input, bias});
}

TensorId GraphBuilder::Relu(absl::string_view name, TensorId input) {
  return Apply(name, pruner::Relu{}, {input});
}

TensorId GraphBuilder::Relu6(absl::string_view name, TensorId input) {
  return Apply(name, pruner::Relu6{}, {input});
}

TensorId GraphBuilder::Add(absl::string_view name, TensorId left,
                           TensorId right) {
  return Apply(name, pruner::Add{}, {left, right});
}

TensorId GraphBuilder::MaxPool2d(absl::string_view name, TensorId input,
                                 const pruner::MaxPool2d& attributes) {
  return Apply(name, attributes, {input});
}

TensorId GraphBuilder::AvgPool2d(absl::string_view name, TensorId input,
                                 const pruner::AvgPool2d& attributes) {
  return Apply(name, attributes, {input});
}

TensorId GraphBuilder::GlobalAvgPool(absl::string_view name, TensorId input) {
  return Apply(name, pruner::GlobalAvgPool{}, {input});
}

TensorId GraphBuilder::Reshape(absl::string_view name, TensorId input,
                               const Shape& shape) {
  return Apply(name, pruner::Reshape{shape}, {input});
}

TensorId GraphBuilder::Flatten(absl::string_view name, TensorId input) {
  const Shape& shape = ShapeOf(input);
  const int64_t outer = shape.empty() ? 1 : shape.front();
  return Reshape(name, input, {outer, NumElements(shape) / outer});
}

TensorId GraphBuilder::Softmax(absl::string_view name, TensorId input) {
  return Apply(name,
               pruner::Softmax{static_cast<int64_t>(ShapeOf(input).size()) - 1},
               {input});
}

TensorId GraphBuilder::Identity(absl::string_view name, TensorId input) {
  return Apply(name, pruner::Identity{}, {input});
}

const Shape& GraphBuilder::ShapeOf(TensorId tensor) const {
  static const Shape* const kScalar = new Shape();
  if (tensor == kNoTensor) return *kScalar;
  CHECK(IsTensor(tensor)) << "tensor " << tensor;
  return graph_.tensors[tensor].shape;
}

const std::string& GraphBuilder::NameOf(TensorId tensor) const {
  static const std::string* const kNone = new std::string();
  if (tensor == kNoTensor) return *kNone;
  CHECK(IsTensor(tensor)) << "tensor " << tensor;
  return graph_.tensors[tensor].name;
}

DataType GraphBuilder::TypeOf(TensorId tensor) const {
  if (tensor == kNoTensor) return DataType::kFloat32;
  CHECK(IsTensor(tensor)) << "tensor " << tensor;
  return graph_.tensors[tensor].type;
}

int64_t GraphBuilder::ChannelsOf(TensorId tensor) const {
  const Shape& shape = ShapeOf(tensor);
  return shape.empty() ? 1 : shape.back();
}

absl::StatusOr<OperatorGraph> GraphBuilder::Build() && {
  if (graph_.outputs.empty()) {
    Fail("outputs", absl::InvalidArgumentError("there must be at least one"));
  }
  if (!status_.ok()) return status_;
  return std::move(graph_);
}

}  // namespace pruner
