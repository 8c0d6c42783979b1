#include "pruner/draft/psa.h"

#include <algorithm>
#include <cmath>

#include "pruner/features/psa_symbols.h"
#include "pruner/program/program.h"
#include "pruner/program/root_of.h"
#include "pruner/target/target_spec.h"

namespace pruner {
namespace {

// The authors' abstraction of a GPU (docs/algorithms.md B1): elements that a
// thread may keep, blocks that a core works on at once.
constexpr double kRegistersOfThread = 128;
constexpr double kActiveBlocks = 1;

// What a core does in the time that a block takes to start, in cycles, and what
// a thread takes to find out where it is, in instructions: from a kernel on an
// H200 whose blocks and elements per thread were varied (docs/algorithms.md
// B2).
constexpr double kBlockCycles = 128;
// A block of more threads counts as several: a core needs room for all of it.
constexpr double kThreadsOfBlock = 256;
constexpr double kThreadInstructions = 80;

// How much of its rounding up to a multiple a number is.
double Fill(double number, double multiple) {
  return number / (std::ceil(number / multiple) * multiple);
}

// Whether the stage is a kernel in which nothing else is computed, and nothing
// added up.
bool IsPlainKernel(const Program& program, int stage) {
  return program.stages[stage].at_stage < 0 &&
         !program.dag->stage(stage).HasReduction() &&
         !HoldsOthers(program, stage);
}

}  // namespace

double Psa::Score(const Program& program, const TargetSpec& target) const {
  PsaExtractor extractor(options_.symbols);
  double latency = 0;
  for (const PsaSymbols& symbols : extractor.Extract(program)) {
    latency += Latency(symbols, target);
    if (options_.starts &&
        IsPlainKernel(program, program.statements[symbols.statement].stage))
      latency += StartLatency(symbols, target);
  }
  return latency > 0 ? 1e3 / latency : 0;
}

double Psa::Latency(const PsaSymbols& symbols, const TargetSpec& target) const {
  if (symbols.thread_ops > 0)
    return options_.compute ? ComputeLatency(symbols, target) : 0;
  return options_.memory ? MemoryLatency(symbols, target) : 0;
}

double Psa::ComputeLatency(const PsaSymbols& symbols,
                           const TargetSpec& target) const {
  const auto cores = static_cast<double>(target.units.cores);
  const auto warp = static_cast<double>(target.units.simd_lanes);
  const auto schedulers = static_cast<double>(target.units.sub_partitions);
  double time = symbols.total_ops / (target.peaks.fp32_gflops * 1e6);
  if (options_.intensity) {
    const double reuse = 1 + symbols.thread_ops / symbols.thread_reads;
    time *= 1 + 1 / reuse;
  }
  if (options_.register_limit)
    time *= std::max(symbols.registers / kRegistersOfThread, 1.0);
  if (options_.warps) time /= Fill(symbols.threads, warp);
  if (options_.parallelism) {
    // Blocks are spread over cores; where they are too few, their warps over
    // all schedulers.
    const bool fills = symbols.blocks >= cores * kActiveBlocks;
    const double warps =
        std::min(std::ceil(symbols.threads / warp), schedulers);
    time /= fills ? Fill(symbols.blocks, cores * kActiveBlocks)
                  : Fill(symbols.blocks * warps, cores * schedulers);
  }
  if (options_.shared_limit && symbols.shared_elements > 0) {
    time *= std::max(
        1.0, symbols.shared_elements * 4 /
                 static_cast<double>(target.limits.shared_bytes_per_block));
  }
  return time;
}

double Psa::StartLatency(const PsaSymbols& symbols, const TargetSpec& target) {
  const auto lanes = static_cast<double>(target.units.simd_lanes *
                                         target.units.fma_pipes);  // of a core
  const double blocks =
      symbols.blocks * std::max(symbols.threads / kThreadsOfBlock, 1.0);
  const double instructions =
      blocks * kBlockCycles * lanes +
      symbols.blocks * symbols.threads * kThreadInstructions;
  constexpr double kOpsOfInstruction = 2;  // that the peak counts
  return kOpsOfInstruction * instructions / (target.peaks.fp32_gflops * 1e6);
}

double Psa::MemoryLatency(const PsaSymbols& symbols,
                          const TargetSpec& target) const {
  double moved = symbols.footprint;
  if (options_.memory_bytes) moved *= 4;
  if (options_.transaction_elements > 0) {
    moved /= Fill(symbols.transaction,
                  static_cast<double>(options_.transaction_elements));
  }
  return moved / target.peaks.dram_gb_per_s * 1000 / (1 << 30);
}

}  // namespace pruner
