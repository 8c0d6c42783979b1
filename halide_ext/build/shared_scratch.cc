#include "halide_ext/build/shared_scratch.h"

#include <cstddef>
#include <optional>
#include <utility>

#include "absl/log/check.h"
#include "pruner/base/round_up.h"

namespace pruner {

SharedScratch::SharedScratch(size_t bytes) {
  auto memory = HugeMemory::Allocate(bytes / kAlignment * kAlignment);
  if (!memory.ok()) return;
  memory_ = *std::move(memory);
  free_.Give({.start = 0, .size = memory_.bytes()});
}

void* SharedScratch::Allocate(size_t bytes) {
  if (bytes > memory_.bytes()) return nullptr;
  const size_t size = RoundUp(bytes, kAlignment);
  const absl::MutexLock lock(mutex_);
  const std::optional<size_t> start = free_.Take(size);
  if (!start) return nullptr;
  used_.emplace(*start, size);
  return begin() + *start;
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
  free_.Give({.start = used->first, .size = used->second});
  used_.erase(used);
}

}  // namespace pruner
