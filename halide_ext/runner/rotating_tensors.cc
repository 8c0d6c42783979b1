#include "halide_ext/runner/rotating_tensors.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "pruner/base/factors.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

// What kernels expect of their tensors.
constexpr int64_t kAlignment = 64;
// Of constants so small that it would take more, the first lines are waited for
// and little else.
constexpr int64_t kMaxCopies = 1024;

int64_t AlignedBytes(const KernelArgument& argument) {
  return CeilDiv(argument.Bytes(), kAlignment) * kAlignment;
}

int64_t NumCopies(int64_t constant, int64_t bytes) {
  if (constant == 0) return 1;
  return std::clamp<int64_t>(CeilDiv(bytes, constant), 2, kMaxCopies);
}

absl::Status Enlarge(HugeMemory& memory, int64_t bytes) {
  if (memory.bytes() >= static_cast<size_t>(bytes)) return absl::OkStatus();
  memory = HugeMemory();  // There need not be room for both.
  ASSIGN_OR_RETURN(memory, HugeMemory::Allocate(bytes));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<RotatingTensors> RotatingTensors::Create(
    absl::Span<const KernelArgument> arguments,
    absl::Span<KernelTensor* const> tensors,
    const std::vector<bool>& is_constant, int64_t bytes, HugeMemory& memory) {
  RotatingTensors rotating;
  int64_t constant = 0, other = 0;  // bytes
  for (size_t i = 0; i < arguments.size(); ++i)
    (is_constant[i] ? constant : other) += AlignedBytes(arguments[i]);
  rotating.turns_.emplace_back(tensors.begin(), tensors.end());
  if (bytes == 0) return rotating;
  int64_t copies = NumCopies(constant, bytes);
  absl::Status enough = Enlarge(memory, other + copies * constant);
  while (!enough.ok() && copies > 2 && copies * constant > bytes / 2) {
    copies = std::max<int64_t>(2, copies * 3 / 4);
    enough = Enlarge(memory, other + copies * constant);
  }
  if (!enough.ok()) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "copies of the constants, to time them as cold as a network leaves "
        "them: ",
        enough.message()));
  }
  auto* place = static_cast<char*>(memory.data());
  rotating.copies_.reserve(copies * arguments.size());
  const auto copy = [&](size_t i) {
    std::memcpy(place, tensors[i]->host(), arguments[i].Bytes());
    KernelTensor* const made =
        &rotating.copies_.emplace_back(arguments[i], place);
    place += AlignedBytes(arguments[i]);
    return made;
  };
  std::vector<KernelTensor*>& first = rotating.turns_[0];
  for (size_t i = 0; i < arguments.size(); ++i) first[i] = copy(i);
  while (static_cast<int64_t>(rotating.turns_.size()) < copies) {
    std::vector<KernelTensor*> turn = rotating.turns_[0];
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (is_constant[i]) turn[i] = copy(i);
    }
    rotating.turns_.push_back(std::move(turn));
  }
  return rotating;
}

absl::Span<KernelTensor* const> RotatingTensors::Next() {
  // In descending order of addresses: what a kernel prefetches beyond the end
  // of a constant is not the one that comes next.
  next_ = (next_ + turns_.size() - 1) % turns_.size();
  return turns_[next_];
}

}  // namespace pruner
