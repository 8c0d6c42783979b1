// Memory between pages that must not be touched: code that reads or writes past
// a tensor's ends crashes at once instead of going unnoticed. Where the ends
// are not those of a page, what lies between holds a pattern that tells what
// was written there.
#ifndef HALIDE_EXT_RUNNER_GUARDED_MEMORY_H_
#define HALIDE_EXT_RUNNER_GUARDED_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"

namespace pruner {

class GuardedMemory {
 public:
  // `bytes` bytes, aligned to 64; no more than 63 lie between their end and the
  // page behind them.
  static absl::StatusOr<GuardedMemory> Allocate(int64_t bytes);

  GuardedMemory(GuardedMemory&& other) noexcept
      : mapping_(std::exchange(other.mapping_, nullptr)),
        mapped_bytes_(other.mapped_bytes_),
        data_(other.data_),
        bytes_(other.bytes_) {}
  GuardedMemory& operator=(GuardedMemory&& other) noexcept;
  ~GuardedMemory();

  void* data() const { return data_; }

  // The place of a byte that was written though it is none of `data`, from the
  // first one on (negative: in front of it): behind it if some were written
  // there. None: none was.
  std::optional<int64_t> DamagedByte() const;
  // So that nothing counts as damaged any more.
  void RestorePattern();

  // The place of `address`, likewise, if it is in a page that must not be
  // touched. May be called by a signal handler.
  std::optional<int64_t> PlaceInGuard(const void* address) const;

 private:
  GuardedMemory(void* mapping, size_t mapped_bytes, char* data, int64_t bytes);
  char* first_byte() const;  // that may be touched
  char* end() const;         // of them

  void* mapping_ = nullptr;
  size_t mapped_bytes_ = 0;
  char* data_ = nullptr;
  int64_t bytes_ = 0;
};

}  // namespace pruner

#endif  // HALIDE_EXT_RUNNER_GUARDED_MEMORY_H_
