#include "models/operators/data_type.h"

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace pruner {

absl::string_view DataTypeName(DataType type) {
  switch (type) {
    case DataType::kFloat32:
      return "float32";
    case DataType::kInt64:
      return "int64";
    case DataType::kBool:
      return "bool";
  }
  return "";
}

int64_t BytesOf(DataType type) {
  switch (type) {
    case DataType::kFloat32:
      return 4;
    case DataType::kInt64:
      return 8;
    case DataType::kBool:
      return 1;
  }
  return 0;
}

absl::Status CheckTypes(DataTypes inputs, DataType expected) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] == expected) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("input ", i, " is ", DataTypeName(inputs[i]),
                     "; it must be ", DataTypeName(expected)));
  }
  return absl::OkStatus();
}

absl::StatusOr<DataType> CommonType(DataTypes inputs) {
  for (const DataType type : inputs) {
    if (type != inputs[0])
      return absl::InvalidArgumentError(
          absl::StrCat("inputs must be of one type, not ",
                       DataTypeName(inputs[0]), " and ", DataTypeName(type)));
  }
  return inputs[0];
}

absl::StatusOr<DataType> NumberType(DataTypes inputs) {
  if (!inputs.empty() && inputs[0] == DataType::kBool)
    return absl::InvalidArgumentError(
        absl::StrCat("input 0 is bool; it must be a number"));
  return CommonType(inputs);
}

}  // namespace pruner
