#include "models/runtime/tensor_arena.h"

#include <algorithm>
#include <utility>

#include "absl/log/check.h"
#include "models/runtime/aligned_floats.h"

namespace pruner {
namespace {

constexpr size_t kChunk = size_t{32} << 20;

}  // namespace

void* TensorArena::Allocate(size_t bytes) {
  const size_t needed =
      (bytes + kTensorAlignment - 1) / kTensorAlignment * kTensorAlignment;
  if (needed > left_) {
    left_ = std::max(needed, kChunk);
    absl::StatusOr<HugeMemory> chunk = HugeMemory::Allocate(left_);
    CHECK_OK(chunk.status());
    next_ = static_cast<char*>(chunk->data());
    chunks_.push_back(*std::move(chunk));
  }
  bytes_ += bytes;
  left_ -= needed;
  return std::exchange(next_, next_ + needed);
}

}  // namespace pruner
