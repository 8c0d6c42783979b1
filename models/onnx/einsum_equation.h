// What an Einsum says.
#ifndef MODELS_ONNX_EINSUM_EQUATION_H_
#define MODELS_ONNX_EINSUM_EQUATION_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace pruner {

// One for each dimension: a letter, or, of the dimensions that "..." stands
// for, how far from the last of them: -1 is the last.
using EinsumLabels = std::vector<int>;

struct EinsumEquation {
  std::vector<EinsumLabels> inputs;
  EinsumLabels output;  // distinct; each is one of an input
  bool operator==(const EinsumEquation&) const = default;
};

// Of "bij,bjk->bik", with spaces anywhere, for inputs of these ranks. Without
// "->" the output has what "..." stands for and then, in alphabetical order,
// the letters that are there once. InvalidArgument if it says nothing about
// such inputs.
absl::StatusOr<EinsumEquation> ParseEinsum(absl::string_view equation,
                                           absl::Span<const int64_t> ranks);

}  // namespace pruner

#endif  // MODELS_ONNX_EINSUM_EQUATION_H_
