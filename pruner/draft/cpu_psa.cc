#include "pruner/draft/cpu_psa.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "pruner/base/os/glibc_malloc.h"
#include "pruner/features/cpu_costs.h"
#include "pruner/features/cpu_symbols.h"
#include "pruner/program/program.h"
#include "pruner/target/target_spec.h"

namespace pruner {

namespace {

// Until the next page is there, on all cores together: the kernel has them wait
// for each other.
constexpr double kPageNs = 700;

// Others call it, with inputs of sizes that are theirs. What is for one size
// runs here, in memory that is kept.
bool IsForOthers(const ComputeDag& dag) {
  return std::any_of(
      dag.stages().begin(), dag.stages().end(), [](const Stage& stage) {
        return stage.kind == StageKind::kPlaceholder && !stage.sizes_are_known;
      });
}

// What is allocated at once.
struct Blocks {
  int64_t large = 0, others = 0;  // bytes
};

// Until all pages have been mapped that are needed anew, and cleared one by one
// when they are first written.
double MappingNs(const Program& program) {
  if (!IsForOthers(*program.dag)) return 0;
  std::map<int, Blocks> by_loop;
  int64_t largest = 0;
  for (const Buffer& buffer : program.buffers) {
    const int64_t bytes = buffer.elements * buffer.element_bytes;
    if (buffer.is_external || (buffer.loop >= 0 && bytes <= kMostOnStack))
      continue;
    Blocks& blocks = by_loop[buffer.loop];
    if (bytes > glibc::kMostKept) {
      blocks.large += bytes;
    } else {
      blocks.others += bytes;
      largest = std::max(largest, bytes);
    }
  }
  const int64_t kept = largest >= glibc::kLeastMapped
                           ? glibc::kTimesLargest * largest
                           : glibc::kLeastGivenBack;
  double mapped = 0;
  for (const auto& [loop, blocks] : by_loop) {
    const int64_t bytes =
        blocks.large +
        (blocks.others > kept ? blocks.others - glibc::kRest : 0);
    mapped += static_cast<double>(ExecutionsInside(program, loop)) *
              static_cast<double>(bytes);
  }
  return mapped / static_cast<double>(glibc::kPage) * kPageNs;
}

// Learned models' columns have all gathers alike.
CpuSymbols WithShuffles(CpuSymbols symbols) {
  symbols.gathers -= symbols.strided;
  symbols.vector_loads += symbols.strided_vectors;
  symbols.operations += symbols.strided_vectors;
  return symbols;
}

}  // namespace

CpuPsa::CpuPsa(const std::vector<CpuCost>& without, const CpuWeights& weights)
    : weights_(weights) {
  for (const CpuCost cost : without) {
    weights_[static_cast<int>(cost)] = 0;
    if (cost == CpuCost::kBalance) is_balanced_ = false;
  }
}

double CpuPsa::Score(const Program& program, const TargetSpec& target) const {
  thread_local CpuSymbolExtractor extractor;
  double cycles = Cycles(ParallelCosts(program, target)) +
                  MappingNs(program) * GigaHertzOf(target);
  for (const CpuSymbols& symbols : extractor.Extract(program, target)) {
    const double cores =
        is_balanced_ ? symbols.cores : static_cast<double>(target.units.cores);
    cycles += Cycles(StatementCosts(WithShuffles(symbols), target)) / cores;
  }
  return cycles > 0 ? GigaHertzOf(target) * 1e9 / cycles : 0;
}

}  // namespace pruner
