#include "models/operators/shape.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace pruner {

absl::Status CheckShape(absl::Span<const int64_t> shape) {
  int64_t elements = 1;
  for (const int64_t extent : shape) {
    if (extent < 1) {
      return absl::InvalidArgumentError(
          absl::StrCat("shape ", ShapeText(shape), " has extent ", extent,
                       "; extents must be at least 1"));
    }
    if (extent > kMaxTensorElements / elements) {
      return absl::InvalidArgumentError(
          absl::StrCat("shape ", ShapeText(shape), " has more than ",
                       kMaxTensorElements, " elements"));
    }
    elements *= extent;
  }
  return absl::OkStatus();
}

int64_t NumElements(absl::Span<const int64_t> shape) {
  int64_t elements = 1;
  for (const int64_t extent : shape) elements *= extent;
  return elements;
}

std::string ShapeText(absl::Span<const int64_t> shape) {
  return absl::StrCat("{", absl::StrJoin(shape, ", "), "}");
}

}  // namespace pruner
