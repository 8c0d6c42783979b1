#include "pruner/draft/cpu_psa.h"

#include <vector>

#include "pruner/features/cpu_costs.h"
#include "pruner/features/cpu_symbols.h"
#include "pruner/program/program.h"
#include "pruner/target/target_spec.h"

namespace pruner {

namespace {

// What is larger is mapped anew by each call, and its pages are cleared one by
// one when they are first written: glibc keeps memory of smaller blocks
// (M_MMAP_THRESHOLD's largest value).
constexpr int64_t kKeptBytes = int64_t{32} << 20;
constexpr double kPageBytes = 4096;
constexpr double kPageNs = 700;

// Until all pages have been mapped that are needed anew, on all cores.
double MappingNs(const Program& program) {
  double pages = 0;
  for (const Buffer& buffer : program.buffers) {
    const int64_t bytes = buffer.elements * buffer.element_bytes;
    if (!buffer.is_external && buffer.loop < 0 && bytes > kKeptBytes)
      pages += static_cast<double>(bytes) / kPageBytes;
  }
  return pages * kPageNs;
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
                  MappingNs(program) * GigaHertzOf(target) /
                      static_cast<double>(target.units.cores);
  for (const CpuSymbols& symbols : extractor.Extract(program, target)) {
    const double cores =
        is_balanced_ ? symbols.cores : static_cast<double>(target.units.cores);
    cycles += Cycles(StatementCosts(WithShuffles(symbols), target)) / cores;
  }
  return cycles > 0 ? GigaHertzOf(target) * 1e9 / cycles : 0;
}

}  // namespace pruner
