#include "models/partition/memory_plan.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "absl/log/check.h"

namespace pruner {
namespace {

bool AliveTogether(const BufferLifetime& a, const BufferLifetime& b) {
  return a.first <= b.last && b.first <= a.last;
}

}  // namespace

MemoryPlan PlanMemory(absl::Span<const BufferLifetime> buffers,
                      int64_t alignment) {
  CHECK_GT(alignment, 0);
  std::vector<int> order(buffers.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return buffers[a].bytes > buffers[b].bytes;
  });
  MemoryPlan plan;
  plan.offsets.resize(buffers.size());
  std::vector<int> placed;  // by ascending offset
  for (const int i : order) {
    int64_t offset = 0;
    for (const int other : placed) {
      if (!AliveTogether(buffers[i], buffers[other])) continue;
      if (offset + buffers[i].bytes <= plan.offsets[other]) break;
      const int64_t end = plan.offsets[other] + buffers[other].bytes;
      offset = std::max(offset, (end + alignment - 1) / alignment * alignment);
    }
    plan.offsets[i] = offset;
    plan.bytes = std::max(plan.bytes, offset + buffers[i].bytes);
    placed.insert(std::upper_bound(placed.begin(), placed.end(), i,
                                   [&](int a, int b) {
                                     return plan.offsets[a] < plan.offsets[b];
                                   }),
                  i);
  }
  return plan;
}

int64_t PeakLiveBytes(absl::Span<const BufferLifetime> buffers) {
  std::map<int, int64_t> change;  // at the beginning of a step
  for (const BufferLifetime& buffer : buffers) {
    change[buffer.first] += buffer.bytes;
    change[buffer.last + 1] -= buffer.bytes;
  }
  int64_t live = 0;
  int64_t peak = 0;
  for (const auto& [step, bytes] : change) {
    live += bytes;
    peak = std::max(peak, live);
  }
  return peak;
}

}  // namespace pruner
