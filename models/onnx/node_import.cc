#include "models/onnx/node_import.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "models/graph/constant.h"
#include "models/operators/operators.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

int64_t ToInt(double value) {
  // The nearest doubles to the limits that an int64 holds.
  constexpr double kLimit = 9223372036854774784.0;
  return static_cast<int64_t>(std::clamp(value, -kLimit, kLimit));
}

OnnxValue FromDoubles(const std::vector<double>& values, const Shape& shape,
                      DataType type) {
  if (type == DataType::kFloat32)
    return KnownFloats({values.begin(), values.end()}, shape);
  std::vector<int64_t> ints(values.size());
  std::transform(values.begin(), values.end(), ints.begin(), ToInt);
  return KnownInts(std::move(ints), shape, type);
}

std::vector<double> ToDoubles(const OnnxValue& value) {
  if (value.floats != nullptr)
    return {value.floats->begin(), value.floats->end()};
  return {value.ints->begin(), value.ints->end()};
}

// Kernels have no infinities; masks do, for which the largest number is as
// good.
absl::StatusOr<ConstantData> ToConstant(const OnnxValue& value) {
  if (value.floats == nullptr) {
    for (const int64_t number : *value.ints) {
      if (static_cast<double>(static_cast<float>(number)) !=
          static_cast<double>(number)) {
        return absl::InvalidArgumentError(absl::StrCat(
            "a constant has ", number, ", which is no number of float"));
      }
    }
    return ConstantData{MakeExplicit({value.ints->begin(), value.ints->end()})};
  }
  const auto is_finite = [](float number) { return std::isfinite(number); };
  if (std::all_of(value.floats->begin(), value.floats->end(), is_finite))
    return ConstantData{ExplicitValues{value.floats}};
  std::vector<float> finite = *value.floats;
  for (float& number : finite) {
    if (std::isnan(number))
      return absl::InvalidArgumentError("a constant is no number (NaN)");
    number = std::clamp(number, std::numeric_limits<float>::lowest(),
                        std::numeric_limits<float>::max());
  }
  return ConstantData{MakeExplicit(std::move(finite))};
}

}  // namespace

OnnxValue KnownInts(std::vector<int64_t> values, Shape shape, DataType type) {
  return {
      .type = type,
      .shape = std::move(shape),
      .ints = std::make_shared<const std::vector<int64_t>>(std::move(values))};
}

OnnxValue KnownFloats(std::vector<float> values, Shape shape) {
  return {
      .shape = std::move(shape),
      .floats = std::make_shared<const std::vector<float>>(std::move(values))};
}

OnnxValue KnownScalar(double value, DataType type) {
  return FromDoubles({value}, {}, type);
}

OnnxValue KnownEmpty(Shape shape, DataType type) {
  if (type == DataType::kFloat32) return KnownFloats({}, std::move(shape));
  return KnownInts({}, std::move(shape), type);
}

OnnxValue ValueOf(const OnnxTensor& tensor) {
  OnnxValue value = {.type = tensor.type, .shape = tensor.dims};
  if (tensor.floats != nullptr) {
    value.floats = tensor.floats;
  } else {
    value.ints = std::make_shared<const std::vector<int64_t>>(tensor.ints);
  }
  return value;
}

std::string GraphImport::UniqueName(absl::string_view wish) {
  std::string name(wish);
  for (int i = 2; !names_.insert(name).second; ++i)
    name = absl::StrCat(wish, "/", i);
  return name;
}

absl::StatusOr<TensorId> GraphImport::Materialize(const OnnxValue& value,
                                                  absl::string_view name) {
  if (!value.is_known()) return value.tensor;
  const void* const where = value.floats != nullptr
                                ? static_cast<const void*>(value.floats.get())
                                : value.ints.get();
  const auto [place, is_new] = constants_.emplace(where, kNoTensor);
  if (!is_new && builder_.ShapeOf(place->second) == value.shape)
    return place->second;
  ASSIGN_OR_RETURN(const ConstantData data, ToConstant(value));
  place->second =
      builder_.Constant(UniqueName(name), value.shape, data, value.type);
  RETURN_IF_ERROR(builder_.status());
  materialized_.push_back(value);
  return place->second;
}

absl::StatusOr<OnnxValue> NodeImport::Input(size_t index) const {
  if (!node_.HasInput(index))
    return Error(absl::StrCat("has no input ", index));
  const auto found = graph_.values().find(node_.inputs[index]);
  if (found == graph_.values().end())
    return Error(absl::StrCat("reads \"", node_.inputs[index],
                              "\", which nobody computes"));
  return found->second;
}

absl::StatusOr<std::vector<int64_t>> NodeImport::IntsOf(size_t index) const {
  ASSIGN_OR_RETURN(const OnnxValue value, Input(index));
  if (value.ints == nullptr)
    return Error(absl::StrCat(
        "has input ", index, ", \"", node_.inputs[index],
        "\", whose values must be integers that are known before it runs"));
  return *value.ints;
}

absl::StatusOr<std::vector<double>> NodeImport::FloatsOf(size_t index) const {
  ASSIGN_OR_RETURN(const OnnxValue value, Input(index));
  if (!value.is_known())
    return Error(absl::StrCat("has input ", index, ", \"", node_.inputs[index],
                              "\", whose values must be known before it runs"));
  return ToDoubles(value);
}

absl::StatusOr<std::vector<int64_t>> NodeImport::IntsOf(
    absl::string_view attribute, size_t index,
    const std::vector<int64_t>& otherwise) const {
  if (HasInput(index)) return IntsOf(index);
  return node_.Ints(attribute, otherwise);
}

absl::StatusOr<double> NodeImport::ScalarOf(size_t index) const {
  ASSIGN_OR_RETURN(const std::vector<double> values, FloatsOf(index));
  if (values.size() != 1) {
    return Error(absl::StrCat("has input ", index, ", \"", node_.inputs[index],
                              "\", of ", values.size(),
                              " elements, which must be 1"));
  }
  return values[0];
}

absl::StatusOr<Shape> NodeImport::ShapeFrom(size_t index) const {
  ASSIGN_OR_RETURN(Shape shape, IntsOf(index));
  if (shape.size() > kMaxOnnxRank) {
    return Error(absl::StrCat("wants ", shape.size(),
                              " dimensions; there may be ", kMaxOnnxRank));
  }
  return shape;
}

absl::StatusOr<OnnxValue> NodeImport::Apply(
    const Operator& op, absl::Span<const OnnxValue> inputs) {
  std::vector<Shape> shapes;
  std::vector<DataType> types;
  bool all_known = true;
  for (const OnnxValue& input : inputs) {
    shapes.push_back(input.shape);
    types.push_back(input.type);
    all_known &= input.is_known();
    if (const absl::Status status = CheckShape(input.shape); !status.ok())
      return Error(absl::StrCat("reads a tensor of shape ",
                                ShapeText(input.shape), ": ",
                                status.message()));
  }
  const absl::StatusOr<Shape> shape = InferShape(op, shapes);
  if (!shape.ok()) return Error(shape.status().message());
  const absl::StatusOr<DataType> type = InferType(op, types);
  if (!type.ok()) return Error(type.status().message());
  if (all_known) {
    ASSIGN_OR_RETURN(OnnxValue folded, Fold(op, inputs, *shape, *type));
    if (folded.is_known()) return folded;
  }
  std::vector<TensorId> tensors;
  const std::string& name =
      *std::find_if(node_.outputs.begin(), node_.outputs.end(),
                    [](const std::string& output) { return !output.empty(); });
  for (const OnnxValue& input : inputs) {
    const absl::StatusOr<TensorId> tensor =
        graph_.Materialize(input, absl::StrCat(name, "/constant"));
    if (!tensor.ok()) return Error(tensor.status().message());
    tensors.push_back(*tensor);
  }
  const TensorId tensor =
      graph_.builder().Apply(graph_.UniqueName(name), op, tensors);
  RETURN_IF_ERROR(graph_.builder().status());
  return OnnxValue{.type = *type, .shape = *shape, .tensor = tensor};
}

absl::StatusOr<OnnxValue> NodeImport::Fold(const Operator& op,
                                           absl::Span<const OnnxValue> inputs,
                                           const Shape& shape,
                                           DataType type) const {
  // Neither memory nor time out of proportion to the model's.
  constexpr int64_t kAlwaysFolded = int64_t{1} << 22;
  constexpr double kMaxFlops = 1e9;
  int64_t elements = 0;
  std::vector<Shape> shapes;
  for (const OnnxValue& input : inputs) {
    elements += NumElements(input.shape);
    shapes.push_back(input.shape);
  }
  if (NumElements(shape) > std::max(2 * elements, kAlwaysFolded) ||
      CountFlops(op, shapes, shape) > kMaxFlops) {
    return OnnxValue{};
  }
  std::vector<Array> arrays;
  std::vector<const Array*> arguments;
  arrays.reserve(inputs.size());
  for (const OnnxValue& input : inputs) {
    arrays.push_back({input.shape, ToDoubles(input)});
    arguments.push_back(&arrays.back());
  }
  return FromDoubles(EvaluateOperator(op, arguments, shape, 1).values, shape,
                     type);
}

absl::StatusOr<OnnxValue> NodeImport::Reshape(const OnnxValue& value,
                                              const Shape& shape) {
  if (value.shape == shape) return value;
  if (value.is_known()) {
    // The same values, also where there are none.
    OnnxValue reshaped = value;
    reshaped.shape = shape;
    return reshaped;
  }
  return Apply(pruner::Reshape{shape}, {value});
}

absl::StatusOr<OnnxValue> NodeImport::Expand(const OnnxValue& value,
                                             const Shape& shape) {
  if (value.shape == shape) return value;
  return Apply(pruner::Expand{shape}, {value});
}

absl::StatusOr<OnnxValue> NodeImport::Product(const OnnxValue& left,
                                              const OnnxValue& right,
                                              const MatMul& product) {
  if (right.is_known() && right.rank() == 2 && product == MatMul{})
    return Apply(Dense{}, {left, right});
  return Apply(product, {left, right});
}

absl::StatusOr<OnnxValue> NodeImport::Cast(const OnnxValue& value,
                                           DataType type) {
  if (value.type == type) return value;
  switch (type) {
    case DataType::kInt64:
      return Apply(CastToInt64{}, {value});
    case DataType::kBool:
      return Apply(CastToBool{}, {value});
    case DataType::kFloat32:
      break;
  }
  return Apply(CastToFloat{}, {value});
}

absl::StatusOr<OnnxValue> NodeImport::Transpose(
    const OnnxValue& value, const std::vector<int64_t>& perm) {
  if (std::is_sorted(perm.begin(), perm.end())) return value;
  return Apply(pruner::Transpose{perm}, {value});
}

absl::StatusOr<OnnxValue> NodeImport::ChannelsLast(const OnnxValue& value) {
  std::vector<int64_t> perm(value.rank());
  std::iota(perm.begin(), perm.end(), 0);
  if (perm.size() > 1)
    std::rotate(perm.begin() + 1, perm.begin() + 2, perm.end());
  return Transpose(value, perm);
}

absl::StatusOr<OnnxValue> NodeImport::ChannelsFirst(const OnnxValue& value) {
  std::vector<int64_t> perm(value.rank());
  std::iota(perm.begin(), perm.end(), 0);
  if (perm.size() > 1)
    std::rotate(perm.begin() + 1, perm.end() - 1, perm.end());
  return Transpose(value, perm);
}

void NodeImport::SetOutput(size_t index, OnnxValue value) {
  if (node_.HasOutput(index))
    graph_.values()[node_.outputs[index]] = std::move(value);
}

absl::StatusOr<int64_t> NodeImport::Axis(int64_t axis, int64_t rank) const {
  if (axis < -rank || axis >= rank)
    return Error(absl::StrCat("has axis ", axis, " of a tensor with ", rank,
                              " dimensions"));
  return axis < 0 ? axis + rank : axis;
}

absl::StatusOr<std::vector<int64_t>> NodeImport::Axes(
    const std::vector<int64_t>& axes, int64_t rank) const {
  std::vector<int64_t> result;
  for (const int64_t axis : axes) {
    ASSIGN_OR_RETURN(result.emplace_back(), Axis(axis, rank));
  }
  std::sort(result.begin(), result.end());
  if (std::adjacent_find(result.begin(), result.end()) != result.end())
    return Error("has an axis twice");
  return result;
}

}  // namespace pruner
