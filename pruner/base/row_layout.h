// How a dense tensor lies within a larger one.
#ifndef PRUNER_BASE_ROW_LAYOUT_H_
#define PRUNER_BASE_ROW_LAYOUT_H_

#include <cstdint>

namespace pruner {

// In elements: so many lie together, and as many from where these begin to
// where the next do. Equal, as they are by default: the tensor is dense.
struct RowLayout {
  int64_t length = 0;
  int64_t pitch = 0;

  bool IsDense() const { return length == pitch; }
  // Where an element of the dense tensor is.
  int64_t Position(int64_t element) const {
    return IsDense() ? element : element / length * pitch + element % length;
  }
  auto operator<=>(const RowLayout&) const = default;
};

}  // namespace pruner

#endif  // PRUNER_BASE_ROW_LAYOUT_H_
