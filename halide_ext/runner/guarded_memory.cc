#include "halide_ext/runner/guarded_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace pruner {

absl::StatusOr<GuardedMemory> GuardedMemory::Allocate(int64_t bytes) {
  constexpr size_t kAlignment = 64;
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t used =
      (static_cast<size_t>(bytes) + kAlignment - 1) / kAlignment * kAlignment;
  const size_t pages = (used + page - 1) / page * page;
  const size_t mapped = pages + 2 * page;
  void* mapping = mmap(nullptr, mapped, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) {
    return absl::ResourceExhaustedError(
        absl::StrCat("no memory for a tensor of ", bytes, " bytes"));
  }
  char* inside = static_cast<char*>(mapping) + page;
  if (mprotect(inside, pages, PROT_READ | PROT_WRITE) != 0) {
    munmap(mapping, mapped);
    return absl::ResourceExhaustedError(
        absl::StrCat("no memory for a tensor of ", bytes, " bytes"));
  }
  return GuardedMemory(mapping, mapped, inside + pages - used);
}

GuardedMemory& GuardedMemory::operator=(GuardedMemory&& other) noexcept {
  std::swap(mapping_, other.mapping_);
  std::swap(mapped_bytes_, other.mapped_bytes_);
  std::swap(data_, other.data_);
  return *this;
}

GuardedMemory::~GuardedMemory() {
  if (mapping_ != nullptr) munmap(mapping_, mapped_bytes_);
}

}  // namespace pruner
