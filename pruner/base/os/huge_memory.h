// Memory in huge pages, where the system gives them: constants and activations
// that are read once in a while cost a miss of the TLB less in most lines.
#ifndef PRUNER_BASE_OS_HUGE_MEMORY_H_
#define PRUNER_BASE_OS_HUGE_MEMORY_H_

#include <cstddef>
#include <utility>

#include "absl/status/statusor.h"

namespace pruner {

class HugeMemory {
 public:
  HugeMemory() = default;
  // All zero, at a multiple of the size of huge pages. ResourceExhausted if
  // there is not as much.
  static absl::StatusOr<HugeMemory> Allocate(size_t bytes);

  HugeMemory(HugeMemory&& other) noexcept { *this = std::move(other); }
  HugeMemory& operator=(HugeMemory&& other) noexcept {
    std::swap(mapping_, other.mapping_);
    std::swap(mapped_bytes_, other.mapped_bytes_);
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~HugeMemory();

  void* data() const { return data_; }
  size_t bytes() const { return bytes_; }

 private:
  void* mapping_ = nullptr;
  size_t mapped_bytes_ = 0;
  void* data_ = nullptr;
  size_t bytes_ = 0;
};

// Whether the system gives huge pages to those who ask.
bool HasHugePages();

}  // namespace pruner

#endif  // PRUNER_BASE_OS_HUGE_MEMORY_H_
