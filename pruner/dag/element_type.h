// The types of tensor elements and of the operations on them.
#ifndef PRUNER_DAG_ELEMENT_TYPE_H_
#define PRUNER_DAG_ELEMENT_TYPE_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace pruner {

// Numbers are part of workload keys: append, never change.
enum class TypeCode : uint8_t { kInt = 0, kUInt = 1, kFloat = 2, kBFloat = 3 };

// A scalar; booleans are unsigned integers of one bit.
struct ElementType {
  TypeCode code = TypeCode::kFloat;
  int bits = 32;

  bool operator==(const ElementType&) const = default;

  int Bytes() const { return (bits + 7) / 8; }
  bool IsFloat() const {
    return code == TypeCode::kFloat || code == TypeCode::kBFloat;
  }
  bool IsBool() const { return code == TypeCode::kUInt && bits == 1; }
};

inline constexpr ElementType kFloat32 = {TypeCode::kFloat, 32};
inline constexpr ElementType kInt32 = {TypeCode::kInt, 32};
inline constexpr ElementType kBool = {TypeCode::kUInt, 1};

// "f32", "bf16", "i8", "u16", "u1".
std::string ToString(ElementType type);
// InvalidArgument if `text` is none of that form, or of more than 64 bits.
absl::StatusOr<ElementType> ParseElementType(absl::string_view text);

}  // namespace pruner

#endif  // PRUNER_DAG_ELEMENT_TYPE_H_
