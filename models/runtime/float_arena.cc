#include "models/runtime/float_arena.h"

#include <algorithm>
#include <utility>

#include "absl/log/check.h"
#include "models/runtime/aligned_floats.h"

namespace pruner {
namespace {

constexpr size_t kChunk = (size_t{32} << 20) / sizeof(float);
constexpr size_t kUnit = kTensorAlignment / sizeof(float);

}  // namespace

absl::Span<float> FloatArena::Allocate(size_t size) {
  const size_t needed = (size + kUnit - 1) / kUnit * kUnit;
  if (needed > left_) {
    left_ = std::max(needed, kChunk);
    absl::StatusOr<HugeMemory> chunk =
        HugeMemory::Allocate(left_ * sizeof(float));
    CHECK_OK(chunk.status());
    next_ = static_cast<float*>(chunk->data());
    chunks_.push_back(*std::move(chunk));
  }
  bytes_ += size * sizeof(float);
  left_ -= needed;
  return {std::exchange(next_, next_ + needed), size};
}

}  // namespace pruner
