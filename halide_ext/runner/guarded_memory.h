// Memory between pages that must not be touched: code that reads or writes past
// a tensor's ends crashes at once instead of going unnoticed.
#ifndef HALIDE_EXT_RUNNER_GUARDED_MEMORY_H_
#define HALIDE_EXT_RUNNER_GUARDED_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/status/statusor.h"

namespace pruner {

class GuardedMemory {
 public:
  // At least `bytes` bytes, aligned to 64; no more than 63 bytes lie between
  // their end and the page behind them.
  static absl::StatusOr<GuardedMemory> Allocate(int64_t bytes);

  GuardedMemory(GuardedMemory&& other) noexcept
      : mapping_(std::exchange(other.mapping_, nullptr)),
        mapped_bytes_(other.mapped_bytes_),
        data_(other.data_) {}
  GuardedMemory& operator=(GuardedMemory&& other) noexcept;
  ~GuardedMemory();

  void* data() const { return data_; }

 private:
  GuardedMemory(void* mapping, size_t mapped_bytes, void* data)
      : mapping_(mapping), mapped_bytes_(mapped_bytes), data_(data) {}

  void* mapping_ = nullptr;
  size_t mapped_bytes_ = 0;
  void* data_ = nullptr;
};

}  // namespace pruner

#endif  // HALIDE_EXT_RUNNER_GUARDED_MEMORY_H_
