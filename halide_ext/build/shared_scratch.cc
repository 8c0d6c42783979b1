#include "halide_ext/build/shared_scratch.h"

#include <cstddef>
#include <iterator>
#include <utility>

#include "absl/log/check.h"

namespace pruner {

SharedScratch::SharedScratch(size_t bytes) {
  auto memory = HugeMemory::Allocate(bytes / kAlignment * kAlignment);
  if (!memory.ok()) return;
  memory_ = *std::move(memory);
  if (memory_.bytes() > 0) free_.emplace(0, memory_.bytes());
}

void* SharedScratch::Allocate(size_t bytes) {
  if (bytes > memory_.bytes()) return nullptr;
  const size_t size = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  const absl::MutexLock lock(mutex_);
  for (auto piece = free_.begin(); piece != free_.end(); ++piece) {
    const auto [start, room] = *piece;
    if (room < size) continue;
    free_.erase(piece);
    if (room > size) free_.emplace(start + size, room - size);
    used_.emplace(start, size);
    return begin() + start;
  }
  return nullptr;
}

bool SharedScratch::Owns(const void* memory) const {
  const auto* const place = static_cast<const char*>(memory);
  return place >= begin() && place < begin() + memory_.bytes();
}

void SharedScratch::Free(void* memory) {
  const absl::MutexLock lock(mutex_);
  const auto used =
      used_.find(static_cast<size_t>(static_cast<char*>(memory) - begin()));
  CHECK(used != used_.end()) << "freed what was not allocated";
  auto [start, size] = *used;
  used_.erase(used);
  auto after = free_.upper_bound(start);
  if (after != free_.end() && after->first == start + size) {
    size += after->second;
    after = free_.erase(after);
  }
  if (after != free_.begin()) {
    const auto before = std::prev(after);
    if (before->first + before->second == start) {
      before->second += size;
      return;
    }
  }
  free_.emplace_hint(after, start, size);
}

}  // namespace pruner
