#include "pruner/dag/element_type.h"

#include <iterator>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace pruner {
namespace {

constexpr const char* kPrefixes[] = {"i", "u", "f", "bf"};

}  // namespace

std::string ToString(ElementType type) {
  return absl::StrCat(kPrefixes[static_cast<int>(type.code)], type.bits);
}

absl::StatusOr<ElementType> ParseElementType(absl::string_view text) {
  constexpr int kMaxBits = 64;
  for (int code = 0; code < static_cast<int>(std::size(kPrefixes)); ++code) {
    absl::string_view rest = text;
    int bits = 0;
    if (absl::ConsumePrefix(&rest, kPrefixes[code]) &&
        absl::SimpleAtoi(rest, &bits) && bits > 0 && bits <= kMaxBits) {
      return ElementType{static_cast<TypeCode>(code), bits};
    }
  }
  return absl::InvalidArgumentError(
      absl::StrCat("'", text, "' is no element type such as f32, i8 or u1"));
}

}  // namespace pruner
