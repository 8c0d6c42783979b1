#include "halide_ext/runner/guarded_flatbuffer.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "absl/log/check.h"
#include "absl/status/status.h"
#include "halide_ext/build/pipeline_bytes.h"
#include "pruner/base/round_up.h"

namespace pruner {
namespace {

constexpr size_t kAlignment = 8;  // the largest in Halide's schema
constexpr size_t kRootBytes = sizeof(uint32_t);
// A multiple of every page size there is.
constexpr size_t kGuardBytes = kMaxPipelineBytes;

}  // namespace

absl::StatusOr<GuardedFlatbuffer> GuardedFlatbuffer::Copy(
    absl::string_view bytes) {
  CHECK_GE(bytes.size(), kRootBytes);
  CHECK_LE(bytes.size(), kGuardBytes);
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  GuardedFlatbuffer result;
  std::vector<uint8_t>& copy = result.bytes_;
  copy.reserve(bytes.size() + page + kGuardBytes);
  const auto begin = reinterpret_cast<uintptr_t>(copy.data());
  const size_t before_guard = RoundUp(begin + bytes.size(), page) - begin;
  const size_t padding =
      (before_guard - bytes.size()) / kAlignment * kAlignment;
  copy.resize(bytes.size() + padding);

  uint32_t root = 0;
  std::memcpy(&root, bytes.data(), kRootBytes);
  root += static_cast<uint32_t>(padding);
  std::memcpy(copy.data(), &root, kRootBytes);
  std::copy(bytes.begin() + kRootBytes, bytes.end(),
            copy.begin() + static_cast<ptrdiff_t>(kRootBytes + padding));

  void* guard = copy.data() + before_guard;
  if (mprotect(guard, kGuardBytes, PROT_NONE) != 0)
    return absl::ErrnoToStatus(errno, "cannot protect memory");
  result.guard_ = guard;
  return result;
}

GuardedFlatbuffer::~GuardedFlatbuffer() {
  // The allocator may write there again.
  if (guard_ != nullptr)
    PCHECK(mprotect(guard_, kGuardBytes, PROT_READ | PROT_WRITE) == 0);
}

}  // namespace pruner
