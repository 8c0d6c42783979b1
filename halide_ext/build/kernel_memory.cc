#include "halide_ext/build/kernel_memory.h"

#include <cstdlib>
#include <new>

#include "pruner/base/round_up.h"

namespace pruner {
namespace {

constexpr size_t kAlignment = SharedScratch::kAlignment;
// Smaller ones the C library keeps by itself. (It gives back to the system what
// is free at the end of its memory, also blocks of some tens of kilobytes.)
constexpr size_t kMinKept = size_t{4} << 10;
constexpr size_t kMaxKept = size_t{512} << 20;
// Smaller ones may be a thread's own, in a parallel loop, and are best handed
// out to the same thread again.
constexpr size_t kMinShared = size_t{256} << 10;
constexpr size_t kShared = size_t{512} << 20;

// Of blocks that are about as large, so that they can serve for each other: an
// eighth is lost at most.
size_t Unit(size_t bytes) {
  size_t unit = kMinKept / 8;
  while (bytes > 16 * unit) unit *= 2;
  return unit;
}

}  // namespace

// In front of what is allocated.
struct alignas(kAlignment) KernelMemory::Block {
  size_t size = 0;  // 0: small

  void* memory() { return this + 1; }
  static Block* Of(void* memory) { return static_cast<Block*>(memory) - 1; }
};

KernelMemory& KernelMemory::Get() {
  static KernelMemory* const kMemory = new KernelMemory(kMaxKept, kShared);
  return *kMemory;
}

void* KernelMemory::Allocate(size_t bytes) {
  if (bytes >= kMinShared && shares_) {
    // Halide may read a few bytes more.
    if (void* const shared = shared_.Allocate(bytes + kAlignment))
      return shared;
  }
  const bool is_small = bytes < kMinKept;
  const size_t size = RoundUp(bytes, is_small ? kAlignment : Unit(bytes));
  if (!is_small) {
    if (Block* const kept = TakeKept(size)) return kept->memory();
  }
  // Halide may read a few bytes more.
  const size_t needed = sizeof(Block) + size + kAlignment;
  void* memory = std::aligned_alloc(kAlignment, needed);
  if (memory == nullptr) {
    Release();
    memory = std::aligned_alloc(kAlignment, needed);
  }
  if (memory == nullptr) return nullptr;
  return (new (memory) Block{.size = is_small ? 0 : size})->memory();
}

void KernelMemory::Free(void* memory) {
  if (memory == nullptr) return;
  if (shared_.Owns(memory)) return shared_.Free(memory);
  Block* const block = Block::Of(memory);
  if (block->size == 0 || block->size > max_kept_) {
    std::free(block);
    return;
  }
  const absl::MutexLock lock(mutex_);
  blocks_.push_front({.block = block,
                      .size = block->size,
                      .thread = std::this_thread::get_id()});
  kept_ += block->size;
  ShrinkTo(max_kept_);
}

KernelMemory::Block* KernelMemory::TakeKept(size_t size) {
  const absl::MutexLock lock(mutex_);
  auto found = blocks_.end();
  for (auto i = blocks_.begin(); i != blocks_.end(); ++i) {
    if (i->size != size) continue;
    const bool is_own = i->thread == std::this_thread::get_id();
    if (is_own || found == blocks_.end()) found = i;
    if (is_own) break;
  }
  if (found == blocks_.end()) return nullptr;
  Block* const block = found->block;
  blocks_.erase(found);
  kept_ -= size;
  return block;
}

void KernelMemory::ShrinkTo(size_t bytes) {
  while (kept_ > bytes) {
    kept_ -= blocks_.back().size;
    std::free(blocks_.back().block);
    blocks_.pop_back();
  }
}

void KernelMemory::Release() {
  const absl::MutexLock lock(mutex_);
  ShrinkTo(0);
}

size_t KernelMemory::kept() const {
  const absl::MutexLock lock(mutex_);
  return kept_;
}

}  // namespace pruner
