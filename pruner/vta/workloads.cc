#include "pruner/vta/workloads.h"

#include <algorithm>

namespace pruner {
namespace {

// Columns as the fields of VtaWorkload. DeepBench writes the kernels of 3 and 5
// alike, 10 wide and 5 high. Table II's size of 5 is that of such outputs, 38 x
// 166; its size of 3 is that of a kernel 5 wide and 10 high, 35 x 169.
constexpr VtaWorkload kWorkloads[] = {
    // clang-format off
    {3, 1, 32, 32, 79, 341, 10, 5, 2, 0, 768, 0.060, false},
    {5, 4, 32, 32, 79, 341, 5, 10, 2, 0, 3072, 0.068, true},
    {8, 1, 64, 32, 12, 120, 3, 3, 1, 1, 9216, 0.067, false},
    {17, 1, 256, 128, 56, 56, 3, 3, 1, 1, 20480, 0.027, false},
    {42, 1, 64, 64, 56, 56, 3, 3, 1, 1, 9216, 0.047, true},
    {48, 1, 1024, 256, 14, 14, 1, 1, 2, 0, 2240, 0.151, false},
    {53, 2, 128, 128, 28, 28, 3, 3, 1, 1, 18433, 0.035, true},
    {59, 2, 512, 2048, 7, 7, 1, 1, 2, 3, 6145, 0.008, false},
    {76, 1, 64, 64, 112, 112, 1, 1, 1, 0, 14400, 0.088, false},
    {78, 1, 64, 256, 56, 56, 1, 1, 1, 0, 15361, 0.099, true},
    {92, 2, 64, 64, 112, 112, 1, 1, 1, 0, 28800, 0.082, false},
    {106, 2, 2048, 1024, 14, 14, 1, 1, 2, 0, 7169, 0.122, true},
    {107, 2, 512, 2048, 7, 7, 1, 1, 1, 0, 6144, 0.231, false},
    // clang-format on
};

}  // namespace

absl::Span<const VtaWorkload> VtaWorkloads() { return kWorkloads; }

const VtaWorkload* FindVtaWorkload(int id) {
  const auto* found = std::find_if(
      std::begin(kWorkloads), std::end(kWorkloads),
      [id](const VtaWorkload& workload) { return workload.id == id; });
  return found == std::end(kWorkloads) ? nullptr : found;
}

}  // namespace pruner
