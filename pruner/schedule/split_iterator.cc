#include "pruner/schedule/split_iterator.h"

#include <cstddef>

#include "pruner/base/factors.h"
#include "pruner/schedule/step_check.h"

namespace pruner {
namespace {

uint32_t PathOf(uint32_t path, size_t position) {
  return path << 4 | static_cast<uint32_t>(position + 1);
}

// Makes `loop` the share at `position` of `source`, which has one part:
// `length` iterations (what is left of it at position 0) of `inner` each.
void SetShare(const Iterator& source, size_t position, int64_t length,
              int64_t inner, Iterator& loop) {
  const LoopPart& whole = source.parts[0];
  LoopPart& part = loop.parts[0];
  part.path = PathOf(whole.path, position);
  part.stride = whole.stride * inner;
  const bool known = inner > 0 && whole.extent > 0;
  part.extent = position > 0 ? length
                : known      ? CeilDiv(whole.extent, inner)
                             : 0;
  loop.extent = part.extent;
}

void SetShareOfFused(const Iterator& source, size_t position, int64_t length,
                     int64_t inner, Iterator& loop) {
  loop.path = PathOf(source.path, position);
  if (inner == 0 || (position > 0 && length == 0)) {
    loop.extent = 0;  // a hole
    return;
  }
  loop.stride = source.stride * inner;
  loop.limit = position > 0       ? length
               : source.limit > 0 ? CeilDiv(source.limit, inner)
                                  : 0;
  loop.extent = loop.ExtentOfParts();
  if (source.extent == 0) loop.extent = 0;
}

}  // namespace

absl::StatusOr<std::vector<Iterator>> SplitIterator(
    const Iterator& source, const std::vector<int64_t>& lengths) {
  if (lengths.empty() || lengths.size() > 14)
    return Misfit("bad number of lengths");
  std::vector<Iterator> loops(lengths.size() + 1, source);
  const bool is_fused = source.parts.size() > 1;
  const int64_t stride = is_fused ? source.stride : source.parts[0].stride;
  int64_t inner = 1;  // 0 from the first hole on
  for (size_t i = loops.size(); i-- > 0;) {
    if (i > 0 && lengths[i - 1] < 0) return Misfit("negative length");
    const int64_t length = i > 0 ? lengths[i - 1] : 0;
    // Where a loop is split again and again, into more than there is of it.
    if (stride * inner > kMaxIterations) return TooLong();
    if (is_fused) {
      SetShareOfFused(source, i, length, inner, loops[i]);
    } else {
      SetShare(source, i, length, inner, loops[i]);
    }
    const int64_t extent = loops[i].extent;
    if (extent > kMaxIterations || inner * extent > kMaxIterations)
      return TooLong();
    inner *= extent;
  }
  return loops;
}

}  // namespace pruner
