#include "pruner/features/cpu_costs.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "pruner/features/cpu_symbols.h"
#include "pruner/features/locality.h"
#include "pruner/program/program.h"
#include "pruner/target/target_spec.h"

namespace pruner {
namespace {

// Of cores with vectors of today: loads and stores of a cycle, cycles until the
// result of an FMA can be added to, operations that wait for each other or for
// memory at once.
constexpr double kLoadPorts = 2, kStorePorts = 1;
constexpr double kFmaLatency = 4;
constexpr double kWindow = 448;
// Until a line has come from memory; and instructions for each operation on
// vectors, loads of what it needs among them.
constexpr double kMemoryNs = 100, kPerOperation = 1.5;
// Registers that the compiler needs beside accumulators and vectors; more if
// loads of several steps of a reduction are in the body, of which it does many
// first. Of the vectors of a step not all are held at once.
constexpr double kSpareRegisters = 2, kUnrolledRegisters = 3;
constexpr double kHeldVectors = 4;
// Operations on vectors of a body that the compiler still orders well.
constexpr double kShortBody = 128;
// Of a parallel loop: until all threads have begun, and for each iteration.
constexpr double kStartNs = 1000, kChunkNs = 250;

int Index(CpuCost cost) { return static_cast<int>(cost); }

// Cycles until a line has come, at the share that a core has of `gb_per_s`.
double LineCycles(const TargetSpec& target, double gb_per_s, double cores) {
  return static_cast<double>(target.l1.line_bytes) * GigaHertzOf(target) *
         cores / gb_per_s;
}

double Spills(const CpuSymbols& symbols, const TargetSpec& target) {
  if (!symbols.is_update || symbols.kept <= 1) return 0;
  const double held =
      symbols.accumulators +
      std::min(symbols.vector_loads / symbols.reduction_steps, kHeldVectors) +
      (symbols.reduction_steps > 1 ? kUnrolledRegisters : 0);
  const double registers =
      static_cast<double>(target.registers.count) - kSpareRegisters;
  return std::max(held - registers, 0.0) * symbols.reduction_steps;
}

// Of a body that follows others which add to the same accumulators.
double Latency(const CpuSymbols& symbols) {
  const double chain = symbols.chained / std::max(symbols.accumulators, 1.0);
  // Bodies that begin anew run beside the end of those before.
  const double waiting = symbols.kept > 1 ? symbols.same_accumulators : 1;
  return kFmaLatency * chain *
         std::min(1.0, waiting * 2 * (symbols.operations + 2) / kWindow);
}

// A core waits for as many lines at once as it has instructions in sight for.
double Awaited(const CpuSymbols& symbols, const TargetSpec& target) {
  if (symbols.awaited_lines == 0) return 0;
  const double between =
      kPerOperation * symbols.operations / symbols.awaited_in_body;
  return symbols.awaited_lines * kMemoryNs * GigaHertzOf(target) *
         std::min(1.0, between / kWindow);
}

}  // namespace

// To the logarithms of 10,000 latencies of ResNet-50's operators on two Zen 5
// cores with AVX-512, where constants come from memory.
const CpuWeights kCpuWeights = {1,    1,   1,    1,    0.35, 0.1,  0.25, 1.25,
                                0.23, 0.8, 0.04, 0.11, 0.95, 1.06, 0.77, 0.26,
                                2,    18,  0.5,  0.9,  0.16, 0};

absl::string_view CpuCostName(CpuCost cost) {
  static constexpr absl::string_view kNames[kCpuCosts] = {
      "operations",
      "loads",
      "stores",
      "latency",
      "spills",
      "unrolled reductions",
      "long bodies",
      "passes",
      "aliased accumulators",
      "gathers",
      "guards",
      "iterations",
      "L2",
      "LLC",
      "far LLC",
      "memory",
      "read conflicts",
      "write conflicts",
      "awaited",
      "starts",
      "chunks",
      "balance"};
  return kNames[Index(cost)];
}

double GigaHertzOf(const TargetSpec& target) {
  const Units& units = target.units;
  return target.peaks.fp32_gflops_per_core /
         (2 * static_cast<double>(units.simd_lanes * units.fma_pipes));
}

CpuCosts StatementCosts(const CpuSymbols& symbols, const TargetSpec& target) {
  const auto cores = static_cast<double>(target.units.cores);
  const bool is_kept = symbols.is_update && symbols.kept > 1;
  const bool is_aliased = symbols.is_update && symbols.kept <= 1;
  const double spills = Spills(symbols, target);
  const double aliased = is_aliased ? symbols.accumulators : 0;
  const double operations =
      symbols.operations / static_cast<double>(target.units.fma_pipes);
  CpuCosts costs = {};
  const auto add = [&](CpuCost cost, double of_body) {
    costs[Index(cost)] = of_body * symbols.bodies;
  };
  add(CpuCost::kOperations, operations);
  add(CpuCost::kLoads,
      (symbols.vector_loads + symbols.broadcasts + aliased + spills) /
          kLoadPorts);
  add(CpuCost::kStores,
      ((symbols.is_update ? aliased : symbols.accumulators) + spills) /
          kStorePorts);
  if (symbols.is_update) add(CpuCost::kLatency, Latency(symbols));
  add(CpuCost::kSpills, spills);
  if (symbols.is_update && symbols.reduction_steps > 1)
    add(CpuCost::kUnrolledReductions, operations);
  add(CpuCost::kLongBodies, std::max(symbols.operations - kShortBody, 0.0));
  if (is_kept) add(CpuCost::kPasses, symbols.accumulators / symbols.kept);
  add(CpuCost::kAliased, aliased);
  add(CpuCost::kReadConflicts, symbols.read_conflicts);
  if (is_aliased) add(CpuCost::kWriteConflicts, symbols.write_conflicts);
  add(CpuCost::kGathers, symbols.gathers);
  add(CpuCost::kGuards, symbols.guards);
  add(CpuCost::kIterations, 1);
  costs[Index(CpuCost::kL2)] =
      symbols.lines[0] * LineCycles(target, target.l2.gb_per_s, 1);
  const double llc = LineCycles(target, target.llc.gb_per_s, cores);
  costs[Index(CpuCost::kLlc)] = symbols.lines[1] * llc;
  costs[Index(CpuCost::kFarLlc)] = symbols.far_lines[1] * llc;
  costs[Index(CpuCost::kMemory)] =
      symbols.lines[2] * LineCycles(target, target.peaks.dram_gb_per_s, cores);
  costs[Index(CpuCost::kAwaited)] = Awaited(symbols, target);
  return costs;
}

CpuCosts ParallelCosts(const Program& program, const TargetSpec& target) {
  CpuCosts costs = {};
  const auto cores = static_cast<double>(target.units.cores);
  for (const ProgramLoop& loop : program.loops) {
    if (loop.kind != LoopKind::kParallel) continue;
    const auto starts = static_cast<double>(loop.executions);
    costs[Index(CpuCost::kStarts)] += starts * kStartNs * GigaHertzOf(target);
    costs[Index(CpuCost::kChunks)] +=
        starts * std::ceil(static_cast<double>(loop.extent) / cores) *
        kChunkNs * GigaHertzOf(target);
  }
  return costs;
}

double CyclesOf(const CpuCosts& costs, const CpuWeights& weights) {
  double at_once = 0, compute = 0, memory = 0, others = 0;
  for (int i = 0; i < kCpuCosts; ++i) {
    const double weighed = weights[i] * costs[i];
    if (i <= Index(CpuCost::kLatency)) {
      at_once = std::max(at_once, weighed);
    } else if (i <= Index(CpuCost::kIterations)) {
      compute += weighed;
    } else if (i <= Index(CpuCost::kWriteConflicts)) {
      memory += weighed;
    } else {
      others += weighed;
    }
  }
  const double of_core = at_once + compute;
  return std::sqrt(of_core * of_core + memory * memory) + others;
}

}  // namespace pruner
