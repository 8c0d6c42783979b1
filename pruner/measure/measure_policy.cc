#include "pruner/measure/measure_policy.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "pruner/base/factors.h"

namespace pruner {
namespace {

// By enumerator.
constexpr const char* kNames[] = {"warm", "llc", "memory"};

// Of all cores.
int64_t InnerCacheBytes(const TargetSpec& target) {
  return target.l2.size_bytes * std::max<int64_t>(1, target.units.cores);
}

}  // namespace

absl::string_view MeasurePolicyName(MeasurePolicy policy) {
  return kNames[static_cast<int>(policy)];
}

std::string MeasurePolicyNames() { return absl::StrJoin(kNames, ", "); }

absl::StatusOr<MeasurePolicy> ParseMeasurePolicy(absl::string_view name) {
  for (const MeasurePolicy policy :
       {MeasurePolicy::kWarm, MeasurePolicy::kLlc, MeasurePolicy::kMemory}) {
    if (name == MeasurePolicyName(policy)) return policy;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("there is no measuring policy '", name, "'; it is one of ",
                   MeasurePolicyNames()));
}

MeasurePolicy PolicyOfNetwork(int64_t bytes, const TargetSpec& target) {
  // Devices have no such caches that constants would stay in.
  if (target.backend != Backend::kHost) return MeasurePolicy::kWarm;
  if (bytes > target.llc.size_bytes) return MeasurePolicy::kMemory;
  return bytes > InnerCacheBytes(target) ? MeasurePolicy::kLlc
                                         : MeasurePolicy::kWarm;
}

int64_t BytesBetweenUses(MeasurePolicy policy, const TargetSpec& target) {
  switch (policy) {
    case MeasurePolicy::kWarm:
      return 0;
    case MeasurePolicy::kLlc:
      // More than the inner caches hold, and no more than stays in the last.
      return std::max(InnerCacheBytes(target), target.llc.size_bytes / 2);
    case MeasurePolicy::kMemory:
      // The cache does not simply drop what is oldest: of twice as much as it
      // holds a part is still there (docs/cold_constants.md).
      return 6 * target.llc.size_bytes;
  }
  return 0;
}

absl::Status CheckMemoryForCopies(MeasurePolicy policy,
                                  const TargetSpec& target, int64_t available) {
  constexpr int64_t kMegabyte = 1 << 20;
  // Half of the copies will do (RotatingTensors).
  const int64_t needed = BytesBetweenUses(policy, target) / 2;
  if (needed <= available) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "timing constants as cold as a network leaves them takes copies of ",
      CeilDiv(needed, kMegabyte), " MB, and there are ", available / kMegabyte,
      " MB of memory available: end other programs, or time them warm with "
      "--measure_policy=warm"));
}

}  // namespace pruner
