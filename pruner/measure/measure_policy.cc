#include "pruner/measure/measure_policy.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

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
      // Of as much as the cache holds some may still be there.
      return 2 * target.llc.size_bytes;
  }
  return 0;
}

}  // namespace pruner
