// What is free of a piece of memory, by offsets.
#ifndef HALIDE_EXT_BUILD_FREE_RANGES_H_
#define HALIDE_EXT_BUILD_FREE_RANGES_H_

#include <cstddef>
#include <map>
#include <optional>

namespace pruner {

class FreeRanges {
 public:
  struct Range {
    size_t start = 0, size = 0;

    size_t end() const { return start + size; }
    bool operator==(const Range&) const = default;
  };

  // The first `size` of the lowest range that has as much; nothing: none has.
  std::optional<size_t> Take(size_t size);
  // One more range, which is not free yet. Returns the one that it is part of
  // then: no two of them touch each other.
  Range Give(Range range);
  // The one that ends there, which is none any more; empty if there is none.
  Range TakeLast(size_t end);

 private:
  std::map<size_t, size_t> sizes_;  // by where they begin
};

}  // namespace pruner

#endif  // HALIDE_EXT_BUILD_FREE_RANGES_H_
