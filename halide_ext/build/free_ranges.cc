#include "halide_ext/build/free_ranges.h"

#include <iterator>

namespace pruner {

std::optional<size_t> FreeRanges::Take(size_t size) {
  for (auto range = sizes_.begin(); range != sizes_.end(); ++range) {
    const auto [start, room] = *range;
    if (room < size) continue;
    sizes_.erase(range);
    if (room > size) sizes_.emplace(start + size, room - size);
    return start;
  }
  return std::nullopt;
}

FreeRanges::Range FreeRanges::Give(Range range) {
  if (range.size == 0) return range;
  auto after = sizes_.upper_bound(range.start);
  if (after != sizes_.end() && after->first == range.end()) {
    range.size += after->second;
    after = sizes_.erase(after);
  }
  if (after != sizes_.begin()) {
    const auto before = std::prev(after);
    if (before->first + before->second == range.start) {
      before->second += range.size;
      return {.start = before->first, .size = before->second};
    }
  }
  sizes_.emplace_hint(after, range.start, range.size);
  return range;
}

FreeRanges::Range FreeRanges::TakeLast(size_t end) {
  if (sizes_.empty()) return {.start = end, .size = 0};
  const auto last = std::prev(sizes_.end());
  const Range range = {.start = last->first, .size = last->second};
  if (range.end() != end) return {.start = end, .size = 0};
  sizes_.erase(last);
  return range;
}

}  // namespace pruner
