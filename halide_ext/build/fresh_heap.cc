#include "halide_ext/build/fresh_heap.h"

#include <sys/mman.h>

#include <new>
#include <optional>

#include "halide_ext/build/free_ranges.h"
#include "halide_ext/build/shared_scratch.h"
#include "pruner/base/os/glibc_malloc.h"
#include "pruner/base/round_up.h"

namespace pruner {
namespace {

constexpr size_t kAlignment = SharedScratch::kAlignment;
constexpr size_t kPage = glibc::kPage;
constexpr size_t kPad = glibc::kRest;
// Addresses of the heap of the thread that calls first, and of others
// (HEAP_MAX_SIZE). What is beyond is a mapping.
constexpr size_t kFirstArena = size_t{1} << 30;
constexpr size_t kOtherArena = size_t{64} << 20;

void* Reserve(void* place, size_t bytes, int protection, int flags) {
  void* const memory =
      mmap(place, bytes, protection,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

}  // namespace

// In front of what is allocated.
struct alignas(kAlignment) FreshHeap::Block {
  Arena* arena = nullptr;  // null: a mapping of its own
  size_t size = 0;         // with this

  void* memory() { return this + 1; }
  static Block* Of(void* memory) { return static_cast<Block*>(memory) - 1; }
};

class FreshHeap::Arena {
 public:
  Arena(size_t bytes, std::atomic<size_t>& taken)
      : begin_(static_cast<char*>(Reserve(nullptr, bytes, PROT_NONE, 0))),
        bytes_(begin_ == nullptr ? 0 : bytes),
        taken_(taken) {}
  ~Arena() {
    if (begin_ != nullptr) munmap(begin_, bytes_);
  }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // Null: it would have to grow, and may not or cannot.
  Block* Take(size_t size, bool may_grow) {
    const absl::MutexLock lock(mutex_);
    std::optional<size_t> start = free_.Take(size);
    if (!start && may_grow) start = Grow(size);
    if (!start) return nullptr;
    return new (begin_ + *start) Block{.arena = this, .size = size};
  }

  void Free(Block* block, size_t most_at_end) {
    const absl::MutexLock lock(mutex_);
    const FreeRanges::Range range = free_.Give(
        {.start = static_cast<size_t>(reinterpret_cast<char*>(block) - begin_),
         .size = block->size});
    if (range.end() == end_ && range.size >= most_at_end) Shrink(range.start);
  }

 private:
  std::optional<size_t> Grow(size_t size) {
    const FreeRanges::Range last = free_.TakeLast(end_);
    const size_t end = RoundUp(last.start + size + kPad, kPage);
    if (end > bytes_ ||
        mprotect(begin_ + end_, end - end_, PROT_READ | PROT_WRITE) != 0) {
      free_.Give(last);
      return std::nullopt;
    }
    taken_ += end - end_;
    end_ = end;
    free_.Give({.start = last.start + size, .size = end - last.start - size});
    return last.start;
  }

  void Shrink(size_t free_from) {
    const size_t end = RoundUp(free_from + kPad, kPage);
    if (end >= end_ ||
        Reserve(begin_ + end, end_ - end, PROT_NONE, MAP_FIXED) == nullptr) {
      return;
    }
    free_.TakeLast(end_);
    end_ = end;
    free_.Give({.start = free_from, .size = end - free_from});
  }

  char* const begin_;
  const size_t bytes_;
  std::atomic<size_t>& taken_;
  absl::Mutex mutex_;
  size_t end_ ABSL_GUARDED_BY(mutex_) = 0;  // of what may be touched
  FreeRanges free_ ABSL_GUARDED_BY(mutex_);
};

FreshHeap::FreshHeap()
    : id_([] {
        static std::atomic<uint64_t> made = 0;
        return ++made;
      }()) {}

FreshHeap::~FreshHeap() = default;

FreshHeap::Arena& FreshHeap::ArenaOfThread() {
  // Of the heap that this thread has used last.
  thread_local uint64_t last_heap = 0;
  thread_local Arena* last_arena = nullptr;
  if (last_heap == id_) return *last_arena;
  const absl::MutexLock lock(mutex_);
  std::unique_ptr<Arena>& arena = arenas_[std::this_thread::get_id()];
  if (arena == nullptr) {
    arena = std::make_unique<Arena>(
        arenas_.size() == 1 ? kFirstArena : kOtherArena, taken_);
  }
  last_heap = id_;
  last_arena = arena.get();
  return *arena;
}

FreshHeap::Block* FreshHeap::Map(size_t size) {
  void* const memory = Reserve(nullptr, size, PROT_READ | PROT_WRITE, 0);
  if (memory == nullptr) return nullptr;
  taken_ += size;
  return new (memory) Block{.arena = nullptr, .size = size};
}

void* FreshHeap::Allocate(size_t bytes) {
  // Halide may read a few bytes more.
  const size_t size = RoundUp(sizeof(Block) + bytes + kAlignment, kAlignment);
  Block* block = ArenaOfThread().Take(size, size < smallest_mapped_);
  if (block == nullptr) block = Map(RoundUp(size, kPage));
  return block == nullptr ? nullptr : block->memory();
}

void FreshHeap::Free(void* memory) {
  if (memory == nullptr) return;
  Block* const block = Block::Of(memory);
  if (block->arena != nullptr)
    return block->arena->Free(block, most_free_at_end_);
  const size_t size = block->size;
  munmap(block, size);
  if (size > smallest_mapped_ && size <= glibc::kMostKept) {
    smallest_mapped_ = size;
    most_free_at_end_ = glibc::kTimesLargest * size;
  }
}

}  // namespace pruner
