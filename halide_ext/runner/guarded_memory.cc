#include "halide_ext/runner/guarded_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace pruner {
namespace {

// Neither zero, which kernels write most, nor a float that they would.
constexpr char kPattern = static_cast<char>(0xA5);

size_t PageBytes() {
  static const auto kPage = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return kPage;
}

// The first byte that is not as RestorePattern left it; `end` if all are.
const char* FindOther(const char* begin, const char* end) {
  return std::find_if_not(begin, end,
                          [](char byte) { return byte == kPattern; });
}

}  // namespace

absl::StatusOr<GuardedMemory> GuardedMemory::Allocate(int64_t bytes) {
  constexpr size_t kAlignment = 64;
  const size_t page = PageBytes();
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
  return GuardedMemory(mapping, mapped, inside + pages - used, bytes);
}

GuardedMemory::GuardedMemory(void* mapping, size_t mapped_bytes, char* data,
                             int64_t bytes)
    : mapping_(mapping),
      mapped_bytes_(mapped_bytes),
      data_(data),
      bytes_(bytes) {
  RestorePattern();
}

void GuardedMemory::RestorePattern() {
  std::fill(first_byte(), data_, kPattern);
  std::fill(data_ + bytes_, end(), kPattern);
}

GuardedMemory& GuardedMemory::operator=(GuardedMemory&& other) noexcept {
  std::swap(mapping_, other.mapping_);
  std::swap(mapped_bytes_, other.mapped_bytes_);
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

GuardedMemory::~GuardedMemory() {
  if (mapping_ != nullptr) munmap(mapping_, mapped_bytes_);
}

char* GuardedMemory::first_byte() const {
  return static_cast<char*>(mapping_) + PageBytes();
}

char* GuardedMemory::end() const {
  return static_cast<char*>(mapping_) + mapped_bytes_ - PageBytes();
}

std::optional<int64_t> GuardedMemory::DamagedByte() const {
  const char* const behind = FindOther(data_ + bytes_, end());
  if (behind != end()) return behind - data_;
  const char* const front = FindOther(first_byte(), data_);
  if (front != data_) return front - data_;
  return std::nullopt;
}

std::optional<int64_t> GuardedMemory::PlaceInGuard(const void* address) const {
  const char* const at = static_cast<const char*>(address);
  const char* const mapping = static_cast<const char*>(mapping_);
  const bool in_front = at >= mapping && at < first_byte();
  const bool behind = at >= end() && at < mapping + mapped_bytes_;
  if (!in_front && !behind) return std::nullopt;
  return at - data_;
}

}  // namespace pruner
