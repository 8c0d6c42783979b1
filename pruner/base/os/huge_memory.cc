#include "pruner/base/os/huge_memory.h"

#include <sys/mman.h>

#include <cstdint>
#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "pruner/base/round_up.h"

namespace pruner {
namespace {

constexpr size_t kHugePage = size_t{2} << 20;

}  // namespace

absl::StatusOr<HugeMemory> HugeMemory::Allocate(size_t bytes) {
  HugeMemory memory;
  if (bytes == 0) return memory;
  const size_t pages = RoundUp(bytes, kHugePage);
  const size_t mapped = pages + kHugePage;
  void* const mapping = pages < bytes
                            ? MAP_FAILED
                            : mmap(nullptr, mapped, PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) {
    return absl::ResourceExhaustedError(
        absl::StrCat("there is no memory for ", bytes, " bytes"));
  }
  memory.mapping_ = mapping;
  memory.mapped_bytes_ = mapped;
  const auto begin = reinterpret_cast<uintptr_t>(mapping);
  memory.data_ =
      static_cast<char*>(mapping) + (kHugePage - begin % kHugePage) % kHugePage;
  memory.bytes_ = bytes;
  // A system without them gives ordinary pages.
  madvise(memory.data_, pages, MADV_HUGEPAGE);
  return memory;
}

HugeMemory::~HugeMemory() {
  if (mapping_ != nullptr) munmap(mapping_, mapped_bytes_);
}

bool HasHugePages() {
  std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
  std::string line;
  return std::getline(file, line) && !absl::StrContains(line, "[never]");
}

}  // namespace pruner
