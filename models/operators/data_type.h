// What the elements of tensors are.
#ifndef MODELS_OPERATORS_DATA_TYPE_H_
#define MODELS_OPERATORS_DATA_TYPE_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace pruner {

enum class DataType : uint8_t {
  kFloat32,
  kInt64,
  kBool,  // a byte, 0 or 1
};

inline constexpr DataType kDataTypes[] = {DataType::kFloat32, DataType::kInt64,
                                          DataType::kBool};

// "float32", "int64", "bool".
absl::string_view DataTypeName(DataType type);

// In memory.
int64_t BytesOf(DataType type);

using DataTypes = absl::Span<const DataType>;

// InvalidArgument, naming the first input that is of another type, unless all
// are of `expected`.
absl::Status CheckTypes(DataTypes inputs, DataType expected);

// The type that all inputs have; InvalidArgument if they differ.
absl::StatusOr<DataType> CommonType(DataTypes inputs);

// The same; InvalidArgument, too, if they are no numbers but bool.
absl::StatusOr<DataType> NumberType(DataTypes inputs);

}  // namespace pruner

#endif  // MODELS_OPERATORS_DATA_TYPE_H_
