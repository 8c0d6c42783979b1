#include "models/onnx/tensor_data.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/repeated_field.h"
#include "models/onnx/element_type.h"
#include "models/operators/shape.h"
#include "onnx/onnx.pb.h"
#include "pruner/base/os/folder_file.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

static_assert(std::endian::native == std::endian::little,
              "the bytes are taken as memory has them");

using ::google::protobuf::RepeatedField;
using ::onnx::TensorProto;

// Of a 16 bit float of IEEE 754.
float FloatOfHalf(uint16_t half) {
  const int exponent = half >> 10 & 0x1f;
  const int mantissa = half & 0x3ff;
  const float sign = half & 0x8000 ? -1 : 1;
  if (exponent == 0x1f) {
    return mantissa != 0 ? std::numeric_limits<float>::quiet_NaN()
                         : sign * std::numeric_limits<float>::infinity();
  }
  if (exponent == 0) return sign * std::ldexp(1.0F * mantissa, -24);
  return sign * std::ldexp(1.0F * (mantissa + 0x400), exponent - 25);
}

// What file has the values of a tensor, and where.
struct FilePart {
  std::string name = {};
  int64_t offset = 0;                          // bytes
  std::optional<int64_t> size = std::nullopt;  // bytes; else as the dims take
};

// Reads the values of one tensor.
class TensorReader {
 public:
  TensorReader(const TensorProto& tensor,
               const std::optional<std::string>& folder, absl::string_view what,
               int64_t count)
      : tensor_(tensor), folder_(folder), what_(what), count_(count) {}

  absl::StatusOr<OnnxTensor> Read() const;

 private:
  template <typename... Parts>
  absl::Status Refuse(const Parts&... why) const {
    return absl::InvalidArgumentError(absl::StrCat(what_, " ", why...));
  }
  absl::Status InTensor(const absl::Status& status) const {
    return {status.code(), absl::StrCat(what_, ": ", status.message())};
  }
  std::string DimsText() const {
    return ShapeText(
        {tensor_.dims().data(), static_cast<size_t>(tensor_.dims_size())});
  }

  absl::Status CheckFields() const;
  absl::StatusOr<FilePart> ExternalPart() const;
  absl::StatusOr<std::string> ReadExternal(int64_t bytes) const;

  // The values as they are stored. `list` is the field that the type has for
  // those that are not bytes, of a type that may be wider.
  template <typename Stored, typename Listed>
  absl::StatusOr<std::vector<Stored>> Values(
      const RepeatedField<Listed>& list) const;
  template <typename Stored>
  absl::StatusOr<std::vector<Stored>> ValuesOfBytes(
      absl::string_view bytes) const;

  template <typename Stored, typename Listed>
  absl::StatusOr<OnnxTensor> Floats(const RepeatedField<Listed>& list,
                                    float (*convert)(Stored)) const;
  template <typename Stored, typename Listed>
  absl::StatusOr<OnnxTensor> Integers(const RepeatedField<Listed>& list) const;
  absl::StatusOr<OnnxTensor> ReadByType() const;

  const TensorProto& tensor_;
  const std::optional<std::string>& folder_;
  const absl::string_view what_;
  const int64_t count_;  // of elements, by the dims
};

absl::StatusOr<FilePart> TensorReader::ExternalPart() const {
  FilePart part;
  for (const onnx::StringStringEntryProto& entry : tensor_.external_data()) {
    if (entry.key() == "location") part.name = entry.value();
    if (entry.key() != "offset" && entry.key() != "length") continue;
    int64_t number;
    if (!absl::SimpleAtoi(entry.value(), &number) || number < 0) {
      return Refuse("has external data with the ", entry.key(), " \"",
                    entry.value(), "\", which is no number of bytes");
    }
    if (entry.key() == "offset") {
      part.offset = number;
    } else {
      part.size = number;
    }
  }
  return part;
}

absl::StatusOr<std::string> TensorReader::ReadExternal(int64_t bytes) const {
  if (!folder_.has_value()) {
    return Refuse("has its values in another file, and there is no folder");
  }
  ASSIGN_OR_RETURN(const FilePart part, ExternalPart());
  const auto file = FolderFile::Open(*folder_, part.name);
  if (!file.ok()) return InTensor(file.status());
  if (part.size.value_or(bytes) != bytes) {
    return Refuse("has ", *part.size, " bytes of external data; its dims ",
                  DimsText(), " take ", bytes);
  }
  auto values = file->Read(part.offset, bytes);
  if (!values.ok()) {
    return absl::InvalidArgumentError(InTensor(values.status()).message());
  }
  return values;
}

template <typename Stored>
absl::StatusOr<std::vector<Stored>> TensorReader::ValuesOfBytes(
    absl::string_view bytes) const {
  const size_t needed = static_cast<size_t>(count_) * sizeof(Stored);
  if (bytes.size() != needed) {
    return Refuse("has ", bytes.size(), " bytes of values; its dims ",
                  DimsText(), " take ", needed);
  }
  std::vector<Stored> values(static_cast<size_t>(count_));
  bytes.copy(reinterpret_cast<char*>(values.data()), needed);
  return values;
}

template <typename Stored, typename Listed>
absl::StatusOr<std::vector<Stored>> TensorReader::Values(
    const RepeatedField<Listed>& list) const {
  if (tensor_.data_location() == TensorProto::EXTERNAL) {
    ASSIGN_OR_RETURN(const std::string bytes,
                     ReadExternal(count_ * int64_t{sizeof(Stored)}));
    return ValuesOfBytes<Stored>(bytes);
  }
  if (tensor_.has_raw_data() && list.empty()) {
    return ValuesOfBytes<Stored>(tensor_.raw_data());
  }
  if (list.size() != count_) {
    return Refuse("has ", list.size(), " values of type ",
                  OnnxDataTypeName(tensor_.data_type()), "; its dims ",
                  DimsText(), " take ", count_);
  }
  std::vector<Stored> values(list.begin(), list.end());
  if constexpr (!std::is_same_v<Stored, Listed>) {
    for (int i = 0; i < list.size(); ++i) {
      if (static_cast<Listed>(values[i]) == list[i]) continue;
      return Refuse("has the value ", list[i], ", which is no ",
                    OnnxDataTypeName(tensor_.data_type()));
    }
  }
  return values;
}

template <typename Stored, typename Listed>
absl::StatusOr<OnnxTensor> TensorReader::Floats(
    const RepeatedField<Listed>& list, float (*convert)(Stored)) const {
  ASSIGN_OR_RETURN(const std::vector<Stored> stored, Values<Stored>(list));
  auto floats = std::make_shared<std::vector<float>>();
  floats->reserve(stored.size());
  for (const Stored value : stored) floats->push_back(convert(value));
  return OnnxTensor{.floats = std::move(floats)};
}

template <typename Stored, typename Listed>
absl::StatusOr<OnnxTensor> TensorReader::Integers(
    const RepeatedField<Listed>& list) const {
  ASSIGN_OR_RETURN(const std::vector<Stored> stored, Values<Stored>(list));
  if constexpr (std::is_same_v<Stored, uint64_t>) {
    for (const uint64_t value : stored) {
      if (std::in_range<int64_t>(value)) continue;
      return Refuse("has the value ", value, ", which no int64 can hold");
    }
  }
  return OnnxTensor{.type = DataType::kInt64,
                    .ints = {stored.begin(), stored.end()}};
}

absl::StatusOr<OnnxTensor> TensorReader::ReadByType() const {
  switch (tensor_.data_type()) {
    case TensorProto::FLOAT: {
      ASSIGN_OR_RETURN(std::vector<float> values,
                       Values<float>(tensor_.float_data()));
      return OnnxTensor{
          .floats = std::make_shared<std::vector<float>>(std::move(values))};
    }
    case TensorProto::DOUBLE:
      return Floats<double>(tensor_.double_data(), [](double value) {
        return static_cast<float>(value);
      });
    case TensorProto::FLOAT16:
      return Floats<uint16_t>(tensor_.int32_data(), &FloatOfHalf);
    case TensorProto::BFLOAT16:
      return Floats<uint16_t>(tensor_.int32_data(), [](uint16_t value) {
        return std::bit_cast<float>(uint32_t{value} << 16);
      });
    case TensorProto::INT64:
      return Integers<int64_t>(tensor_.int64_data());
    case TensorProto::INT32:
      return Integers<int32_t>(tensor_.int32_data());
    case TensorProto::INT16:
      return Integers<int16_t>(tensor_.int32_data());
    case TensorProto::INT8:
      return Integers<int8_t>(tensor_.int32_data());
    case TensorProto::UINT64:
      return Integers<uint64_t>(tensor_.uint64_data());
    case TensorProto::UINT32:
      return Integers<uint32_t>(tensor_.uint64_data());
    case TensorProto::UINT16:
      return Integers<uint16_t>(tensor_.int32_data());
    case TensorProto::UINT8:
      return Integers<uint8_t>(tensor_.int32_data());
    case TensorProto::BOOL: {
      ASSIGN_OR_RETURN(OnnxTensor bools,
                       Integers<uint8_t>(tensor_.int32_data()));
      for (int64_t& value : bools.ints) value = value != 0;
      bools.type = DataType::kBool;
      return bools;
    }
    default:
      return Refuse("is of type ", OnnxDataTypeName(tensor_.data_type()),
                    ", which is not supported");
  }
}

absl::Status TensorReader::CheckFields() const {
  if (tensor_.has_segment()) {
    return Refuse("is a segment of a tensor, which is not supported");
  }
  const int lists =
      (tensor_.float_data_size() > 0) + (tensor_.int32_data_size() > 0) +
      (tensor_.int64_data_size() > 0) + (tensor_.double_data_size() > 0) +
      (tensor_.uint64_data_size() > 0);
  const int bytes = tensor_.has_raw_data() && !tensor_.raw_data().empty();
  const int external = tensor_.data_location() == TensorProto::EXTERNAL;
  if (lists + bytes + external > 1) {
    return Refuse("has its values twice, in different fields");
  }
  return absl::OkStatus();
}

absl::StatusOr<OnnxTensor> TensorReader::Read() const {
  RETURN_IF_ERROR(CheckFields());
  ASSIGN_OR_RETURN(OnnxTensor tensor, ReadByType());
  tensor.dims.assign(tensor_.dims().begin(), tensor_.dims().end());
  return tensor;
}

}  // namespace

absl::StatusOr<int64_t> OnnxElementCount(const TensorProto& tensor,
                                         absl::string_view what) {
  if (tensor.dims_size() > kMaxOnnxRank) {
    return absl::InvalidArgumentError(
        absl::StrCat(what, " has ", tensor.dims_size(), " dims; at most ",
                     kMaxOnnxRank, " are supported"));
  }
  const auto refuse = [&](absl::string_view why) {
    return absl::InvalidArgumentError(
        absl::StrCat(what, " has dims ",
                     ShapeText({tensor.dims().data(),
                                static_cast<size_t>(tensor.dims_size())}),
                     why));
  };
  int64_t count = 1;
  bool empty = false;
  for (const int64_t dim : tensor.dims()) {
    if (dim < 0) return refuse(", of which one is negative");
    if (dim == 0) {
      empty = true;
    } else if (dim > kMaxTensorElements / count) {
      return refuse(absl::StrCat(", which make more than ", kMaxTensorElements,
                                 " elements"));
    } else {
      count *= dim;
    }
  }
  return empty ? 0 : count;
}

absl::StatusOr<OnnxTensor> ReadOnnxTensor(
    const TensorProto& tensor, const std::optional<std::string>& folder,
    absl::string_view what) {
  ASSIGN_OR_RETURN(const int64_t count, OnnxElementCount(tensor, what));
  return TensorReader(tensor, folder, what, count).Read();
}

}  // namespace pruner
