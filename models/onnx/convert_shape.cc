#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "models/onnx/converters.h"
#include "models/onnx/element_type.h"
#include "models/onnx/node_import.h"
#include "models/operators/data_type.h"
#include "models/operators/shape.h"
#include "onnx/onnx.pb.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

// The most elements that a node which has a few numbers may make of them.
constexpr int64_t kMaxMadeElements = int64_t{1} << 22;

absl::Status ImportIdentity(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({}));
  ASSIGN_OR_RETURN(OnnxValue input, n.Input(0));
  n.SetOutput(0, std::move(input));
  return absl::OkStatus();
}

absl::Status ImportShape(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({"end", "start"}));
  ASSIGN_OR_RETURN(const OnnxValue input, n.Input(0));
  const int64_t rank = input.rank();
  const auto inside = [&](int64_t index) {
    return std::clamp<int64_t>(index < 0 ? index + rank : index, 0, rank);
  };
  ASSIGN_OR_RETURN(const int64_t start, n.node().Int("start", 0));
  ASSIGN_OR_RETURN(const int64_t end, n.node().Int("end", rank));
  const int64_t first = inside(start), last = std::max(first, inside(end));
  n.SetOutput(
      0, KnownInts({input.shape.begin() + first, input.shape.begin() + last},
                   {last - first}));
  return absl::OkStatus();
}

absl::Status ImportSize(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({}));
  ASSIGN_OR_RETURN(const OnnxValue input, n.Input(0));
  n.SetOutput(0, KnownInts({NumElements(input.shape)}, {}));
  return absl::OkStatus();
}

absl::Status ImportConstantOfShape(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({"value"}));
  ASSIGN_OR_RETURN(const Shape shape, n.ShapeFrom(0));
  OnnxValue value = KnownScalar(0, DataType::kFloat32);
  if (n.node().Has("value")) {
    ASSIGN_OR_RETURN(const OnnxTensor tensor, n.node().Tensor("value"));
    value = ValueOf(tensor);
    if (NumElements(value.shape) != 1)
      return n.Error("has a value which is not one element");
    value.shape = {};
  }
  // A list of extents may be empty.
  ASSIGN_OR_RETURN(OnnxValue output, shape == Shape{0}
                                         ? KnownEmpty(shape, value.type)
                                         : n.Expand(value, shape));
  n.SetOutput(0, std::move(output));
  return absl::OkStatus();
}

absl::Status ImportRange(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({"stash_type"}));
  ASSIGN_OR_RETURN(const OnnxValue input, n.Input(0));
  ASSIGN_OR_RETURN(const double start, n.ScalarOf(0));
  ASSIGN_OR_RETURN(const double limit, n.ScalarOf(1));
  ASSIGN_OR_RETURN(const double delta, n.ScalarOf(2));
  // Beyond, doubles do not have all integers.
  constexpr double kMaxWhole = 0x1p53;
  if (input.type != DataType::kFloat32 &&
      std::max(std::abs(start), std::abs(limit)) > kMaxWhole) {
    return n.Error(
        absl::StrCat("counts from ", start, " to ", limit, ", beyond 2^53"));
  }
  const double count = std::ceil((limit - start) / delta);
  // Not true of what is no number, either.
  if (!(count <= static_cast<double>(kMaxMadeElements))) {
    return n.Error(absl::StrCat("counts from ", start, " to ", limit, " by ",
                                delta, ", which are more than ",
                                kMaxMadeElements, " elements"));
  }
  const auto size = static_cast<int64_t>(std::max(count, 0.0));
  std::vector<double> values;
  values.reserve(size);
  for (int64_t i = 0; i < size; ++i)
    values.push_back(start + static_cast<double>(i) * delta);
  n.SetOutput(0, input.type == DataType::kFloat32
                     ? KnownFloats({values.begin(), values.end()}, {size})
                     : KnownInts({values.begin(), values.end()}, {size}));
  return absl::OkStatus();
}

// Networks run as they infer: nothing is dropped.
absl::Status ImportDropout(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({"ratio", "seed"}));
  ASSIGN_OR_RETURN(OnnxValue input, n.Input(0));
  if (n.HasInput(2)) {
    ASSIGN_OR_RETURN(const double training, n.ScalarOf(2));
    double ratio = 0.5;
    if (training != 0 && n.HasInput(1)) {
      ASSIGN_OR_RETURN(ratio, n.ScalarOf(1));
    }
    if (training != 0 && ratio != 0)
      return n.Error("drops elements as in training, which is not supported");
  }
  if (n.node().HasOutput(1)) {
    const DataType type = n.opset() >= 10 ? DataType::kBool : input.type;
    ASSIGN_OR_RETURN(OnnxValue mask,
                     n.Expand(KnownScalar(1, type), input.shape));
    n.SetOutput(1, std::move(mask));
  }
  n.SetOutput(0, std::move(input));
  return absl::OkStatus();
}

// The type of which an attribute gives the number in ONNX. InvalidArgument for
// integers of fewer bits: what they have no room for would wrap around.
absl::StatusOr<DataType> TypeFrom(const NodeImport& n,
                                  absl::string_view attribute) {
  ASSIGN_OR_RETURN(const int64_t number, n.node().Int(attribute));
  const bool is_int =
      number == std::clamp<int64_t>(number, 0, std::numeric_limits<int>::max());
  const int type = is_int ? static_cast<int>(number) : -1;
  const std::optional<DataType> ours = ElementTypeFromOnnx(type);
  if (!ours.has_value() ||
      (*ours == DataType::kInt64 && type != onnx::TensorProto::INT64 &&
       type != onnx::TensorProto::INT32)) {
    return n.Error(
        absl::StrCat("makes elements of type ",
                     is_int ? OnnxDataTypeName(type) : absl::StrCat(number),
                     ", which is not supported"));
  }
  return *ours;
}

absl::Status ImportCast(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({"round_mode", "saturate", "to"}));
  ASSIGN_OR_RETURN(const OnnxValue input, n.Input(0));
  ASSIGN_OR_RETURN(const DataType type, TypeFrom(n, "to"));
  ASSIGN_OR_RETURN(OnnxValue output, n.Cast(input, type));
  n.SetOutput(0, std::move(output));
  return absl::OkStatus();
}

absl::Status ImportCastLike(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({"round_mode", "saturate"}));
  ASSIGN_OR_RETURN(const OnnxValue input, n.Input(0));
  ASSIGN_OR_RETURN(const OnnxValue like, n.Input(1));
  ASSIGN_OR_RETURN(OnnxValue output, n.Cast(input, like.type));
  n.SetOutput(0, std::move(output));
  return absl::OkStatus();
}

absl::Status ImportEyeLike(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({"dtype", "k"}));
  ASSIGN_OR_RETURN(const OnnxValue input, n.Input(0));
  DataType type = input.type;
  if (n.node().Has("dtype")) {
    ASSIGN_OR_RETURN(type, TypeFrom(n, "dtype"));
  }
  ASSIGN_OR_RETURN(int64_t k, n.node().Int("k", 0));
  if (input.rank() != 2 || NumElements(input.shape) > kMaxMadeElements) {
    return n.Error(absl::StrCat("makes a matrix like ", ShapeText(input.shape),
                                ", which is none, or has more than ",
                                kMaxMadeElements, " elements"));
  }
  k = std::clamp(k, -kMaxTensorElements, kMaxTensorElements);
  const int64_t rows = input.shape[0], columns = input.shape[1];
  std::vector<int64_t> values(rows * columns, 0);
  for (int64_t row = 0; row < rows; ++row) {
    if (row + k >= 0 && row + k < columns) values[row * columns + row + k] = 1;
  }
  ASSIGN_OR_RETURN(OnnxValue output,
                   n.Cast(KnownInts(std::move(values), input.shape), type));
  n.SetOutput(0, std::move(output));
  return absl::OkStatus();
}

}  // namespace

void AddShapeConverters(Converters& converters) {
  converters["Cast"] = ImportCast;
  converters["CastLike"] = ImportCastLike;
  converters["ConstantOfShape"] = ImportConstantOfShape;
  converters["Dropout"] = ImportDropout;
  converters["EyeLike"] = ImportEyeLike;
  converters["Identity"] = ImportIdentity;
  converters["Range"] = ImportRange;
  converters["Shape"] = ImportShape;
  converters["Size"] = ImportSize;
}

}  // namespace pruner
