// Attributes of windows in several dimensions: a number for each, outermost
// first. An empty vector is the default of all of them.
#ifndef MODELS_OPERATORS_WINDOW_ATTRIBUTES_H_
#define MODELS_OPERATORS_WINDOW_ATTRIBUTES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace pruner {

// InvalidArgument unless there are none or `count`, each between `lowest` and
// kMaxAttribute.
absl::Status CheckWindowAttribute(absl::string_view what,
                                  const std::vector<int64_t>& values,
                                  size_t count, int64_t lowest);

// The values, or `count` times `fallback` if there are none.
std::vector<int64_t> WithDefault(const std::vector<int64_t>& values,
                                 size_t count, int64_t fallback);

// One dimension's.
struct WindowSpec {
  int64_t input = 1;
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t dilation = 1;
  int64_t padding_before = 0;
  int64_t padding_after = 0;
  int64_t windows = 0;  // 0: as many as fit
};

// How many windows there are; dimension counts from 0, the outermost spatial
// one. Kernels' indices do not overflow at any of them.
absl::StatusOr<int64_t> WindowedExtent(size_t dimension,
                                       const WindowSpec& spec);

// "3x3x1".
std::string ExtentsText(const std::vector<int64_t>& extents);

}  // namespace pruner

#endif  // MODELS_OPERATORS_WINDOW_ATTRIBUTES_H_
