#include "pruner/features/cpu_symbols.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "absl/types/span.h"
#include "pruner/features/footprints.h"
#include "pruner/features/locality.h"
#include "pruner/program/program.h"
#include "pruner/target/target_spec.h"

namespace pruner {
namespace {

// L1 is looked up by the address within a page, so that the lines of a page are
// its sets, and it has as many ways as it has pages.
constexpr int64_t kPageBytes = 4096;
// Of a buffer that Halide keeps on the stack. The compiler sees that nothing
// else names it, and a prefetch in the loop does not make it write and read
// what it accumulates there.
constexpr int64_t kStackBytes = 16 * 1024;
// Neighbouring iterations that lie further apart than a prefetcher looks.
constexpr double kFarBytes = 512;
// Vectors of numbers that lie so far apart are picked out of dense ones.
constexpr double kMaxShuffled = 4;
// A level begins to miss when this share of it is used, and keeps nothing when
// data exceed it by so much.
constexpr double kFirstMiss = 0.75, kAllMiss = 1.25;
// Multiply-adds that take as long as one division or one function.
constexpr double kDivision = 8, kFunction = 20;

// Each operation that a pipe of FMAs executes; an addition to a product is none
// of its own.
double Operations(const OpCounts& ops) {
  return static_cast<double>(ops.float_mad +
                             std::max(ops.float_add, ops.float_mul) +
                             ops.float_compare) +
         kDivision * static_cast<double>(ops.float_div) +
         kFunction * static_cast<double>(ops.float_math);
}

// Operations on indices, and selections; those of data count as operations.
double Guards(const Statement& statement) {
  const OpCounts& ops = statement.ops;
  return static_cast<double>(
      std::max<int64_t>(0, ops.int_add + ops.int_mul + ops.int_mad +
                               ops.int_div + ops.int_compare + ops.boolean +
                               ops.select - statement.integer_work.operations));
}

}  // namespace

const std::vector<CpuSymbols>& CpuSymbolExtractor::Extract(
    const Program& program, const TargetSpec& target) {
  own_footprints_.Compute(program);
  return Extract(program, own_footprints_, target);
}

const std::vector<CpuSymbols>& CpuSymbolExtractor::Extract(
    const Program& program, const Footprints& footprints,
    const TargetSpec& target) {
  program_ = &program;
  footprints_ = &footprints;
  target_ = &target;
  FindStreamed();
  symbols_.clear();
  for (size_t s = 0; s < program.statements.size(); ++s) {
    if (program.statements[s].stream < 0)
      symbols_.push_back(SymbolsOf(static_cast<int>(s)));
  }
  return symbols_;
}

void CpuSymbolExtractor::FindStreamed() {
  is_streamed_.assign(program_->loops.size(), 0);
  for (const Statement& statement : program_->statements) {
    if (statement.stream < 0) continue;
    for (int l = statement.loop; l >= 0; l = program_->loops[l].parent)
      is_streamed_[l] = 1;
  }
}

CpuSymbols CpuSymbolExtractor::SymbolsOf(int s) {
  const Statement& statement = program_->statements[s];
  loops_ = footprints_->LoopsAround(s);
  const Body body = BodyOf();
  CpuSymbols symbols = {.statement = s, .is_update = statement.definition > 0};
  symbols.bodies =
      static_cast<double>(statement.executions) / (body.lanes * body.unrolled);
  symbols.operations =
      OperationsOf(statement, body) * body.unrolled * statement.done_anew;
  AddRegisters(statement, body, symbols);
  symbols.guards = Guards(statement) * std::max(1.0, symbols.broadcasts);
  if (symbols.is_update) AddKept(statement, body, symbols);
  symbols.chained = ChainedOf(statement, body, symbols);
  AddConflicts(statement, body, symbols);
  AddLines(statement, body, symbols);
  double parallel = 1;
  for (size_t k = 0; k < loops_.size(); ++k) {
    if (LoopAt(k).kind == LoopKind::kParallel)
      parallel *= static_cast<double>(LoopAt(k).extent);
  }
  symbols.cores =
      parallel /
      std::ceil(parallel / static_cast<double>(target_->units.cores));
  return symbols;
}

CpuSymbolExtractor::Body CpuSymbolExtractor::BodyOf() const {
  Body body;
  for (; body.loops < loops_.size(); ++body.loops) {
    const ProgramLoop& loop = LoopAt(body.loops);
    if (loop.kind == LoopKind::kVectorized) {
      body.lanes *= static_cast<double>(loop.extent);
      body.vector_loops += body.vector_loops == body.loops ? 1 : 0;
    } else if (IsUnrolled(loop.kind)) {
      body.unrolled *= static_cast<double>(loop.extent);
    } else {
      break;
    }
  }
  return body;
}

double CpuSymbolExtractor::VectorsOf(const Body& body, double bytes) const {
  return std::max(1.0,
                  std::ceil(body.lanes * bytes /
                            static_cast<double>(target_->registers.bytes)));
}

double CpuSymbolExtractor::OperationsOf(const Statement& statement,
                                        const Body& body) const {
  const IntegerWork& work = statement.integer_work;
  const auto integers = static_cast<double>(work.operations);
  const double bytes =
      work.operations > 0 ? static_cast<double>(work.bytes) / integers : 0;
  return FloatOperationsOf(statement, body) + integers * VectorsOf(body, bytes);
}

double CpuSymbolExtractor::FloatOperationsOf(const Statement& statement,
                                             const Body& body) const {
  // Whatever is stored, they are computed with as 32 bits or more.
  constexpr int64_t kFloatBytes = 4;
  const ProgramAccess& write = program_->accesses[statement.first_access];
  const int64_t element = program_->buffers[write.buffer].element_bytes;
  return Operations(statement.ops) *
         VectorsOf(body, static_cast<double>(std::max(kFloatBytes, element)));
}

double CpuSymbolExtractor::ChainedOf(const Statement& statement,
                                     const Body& body,
                                     const CpuSymbols& symbols) const {
  const double floats = FloatOperationsOf(statement, body) * body.unrolled;
  if (floats > 0 || statement.integer_work.operations == 0) return floats;
  return symbols.accumulators * symbols.reduction_steps;
}

void CpuSymbolExtractor::AddRegisters(const Statement& statement,
                                      const Body& body,
                                      CpuSymbols& symbols) const {
  const bool is_vector = body.vector_loops > 0;
  for (int a = 0; a < statement.num_accesses; ++a) {
    const int index = statement.first_access + a;
    const ProgramAccess& access = program_->accesses[index];
    const absl::Span<const Footprint> footprints = footprints_->Of(index);
    const double count =
        access.is_write ? 1 : static_cast<double>(access.count);
    // Where an index depends on data, any element may be the one.
    const double elements =
        std::min(footprints[body.loops].elements, body.lanes * body.unrolled) *
        count;
    const auto element_bytes =
        static_cast<double>(program_->buffers[access.buffer].element_bytes);
    const double vectors =
        elements / body.lanes * VectorsOf(body, element_bytes);
    const double stride = is_vector ? footprints[1].stride : 0;
    const bool is_dense = stride == 1 &&
                          footprints[body.vector_loops].run >= body.lanes &&
                          !footprints[1].is_scattered;
    if (stride != 0 && !is_dense) symbols.gathers += elements;
    if (!access.is_write && !is_dense && !footprints[1].is_scattered &&
        stride > 1 && stride <= kMaxShuffled) {
      symbols.strided += elements;
      symbols.strided_vectors += vectors * stride;
    }
    if (access.is_write) {
      symbols.accumulators = stride != 0 ? vectors : elements;
    } else if (is_dense) {
      symbols.vector_loads += vectors;
    } else if (stride == 0) {
      symbols.broadcasts += elements;
    }
  }
}

void CpuSymbolExtractor::AddKept(const Statement& statement, const Body& body,
                                 CpuSymbols& symbols) const {
  for (size_t k = 0; k < body.loops; ++k) {
    if (LoopAt(k).is_reduction && LoopAt(k).kind != LoopKind::kVectorized)
      symbols.reduction_steps *= static_cast<double>(LoopAt(k).extent);
  }
  const absl::Span<const Footprint> write =
      footprints_->Of(statement.first_access);
  const Buffer& buffer =
      program_->buffers[program_->accesses[statement.first_access].buffer];
  // Which element it is, no loop says.
  if (program_->accesses[statement.first_access].opaque_dimensions != 0) return;
  const bool is_on_stack =
      buffer.loop >= 0 && buffer.elements * buffer.element_bytes <= kStackBytes;
  bool is_kept = true;
  for (size_t k = body.loops; k < loops_.size(); ++k) {
    const ProgramLoop& loop = LoopAt(k);
    if (write[k + 1].stride != 0 || loop.kind != LoopKind::kSerial) break;
    symbols.same_accumulators *= static_cast<double>(loop.extent);
    is_kept = is_kept && (is_on_stack || is_streamed_[loops_[k]] == 0);
    if (is_kept) symbols.kept *= static_cast<double>(loop.extent);
  }
}

void CpuSymbolExtractor::AddConflicts(const Statement& statement,
                                      const Body& body,
                                      CpuSymbols& symbols) const {
  const int64_t line = std::max<int64_t>(1, target_->l1.line_bytes);
  const int64_t all_sets = std::max<int64_t>(1, kPageBytes / line);
  const auto ways = static_cast<double>(target_->l1.size_bytes) / kPageBytes;
  for (int a = 0; a < statement.num_accesses; ++a) {
    const int index = statement.first_access + a;
    const ProgramAccess& access = program_->accesses[index];
    const int64_t element = program_->buffers[access.buffer].element_bytes;
    const absl::Span<const Footprint> footprints = footprints_->Of(index);
    double lines = 1, sets = 1;
    int64_t step = all_sets;  // of the sets that are met, from each to the next
    for (size_t k = 0; k < body.loops; ++k) {
      const auto far = static_cast<int64_t>(footprints[k + 1].stride) * element;
      if (far < line) continue;
      const auto extent = static_cast<double>(LoopAt(k).extent);
      const int64_t of_loop = std::gcd(far / line, all_sets);
      lines *= extent;
      const int64_t sets_of_loop = all_sets / of_loop;
      sets *= std::min(extent, static_cast<double>(sets_of_loop));
      step = std::gcd(step, of_loop);
    }
    lines = std::min(lines, footprints[body.loops].elements);
    const int64_t sets_of_steps = all_sets / step;
    sets = std::min(sets, static_cast<double>(sets_of_steps));
    const double excess = (lines / sets - ways) / ways;
    (access.is_write ? symbols.write_conflicts : symbols.read_conflicts) +=
        lines * std::clamp(excess, 0.0, 1.0);
  }
}

void CpuSymbolExtractor::AddLines(const Statement& statement, const Body& body,
                                  CpuSymbols& symbols) {
  const MemoryLevel* const levels[kCacheLevels] = {&target_->l1, &target_->l2,
                                                   &target_->llc};
  const int cold_buffer = program_->stages[statement.stage].cold_buffer;
  const bool awaits = cold_buffer >= 0 &&
                      StreamStatementOf(*program_, statement.stage) == nullptr;
  for (int a = 0; a < statement.num_accesses; ++a) {
    const int index = statement.first_access + a;
    const auto element = static_cast<double>(
        program_->buffers[program_->accesses[index].buffer].element_bytes);
    const auto line =
        static_cast<double>(std::max<int64_t>(1, target_->l1.line_bytes));
    lines_.clear();
    for (const Footprint& footprint : footprints_->Of(index)) {
      lines_.push_back(footprint.Lines(element, line));
    }
    const bool is_far = IsFar(index, body);
    const bool is_awaited =
        awaits && program_->accesses[index].buffer == cold_buffer;
    for (int i = 0; i < kCacheLevels; ++i) {
      const double lines =
          LinesFetched(index, static_cast<double>(levels[i]->size_bytes));
      symbols.lines[i] += lines;
      if (is_far) symbols.far_lines[i] += lines;
      if (is_awaited && i == kCacheLevels - 1) symbols.awaited_lines += lines;
    }
    if (is_awaited) symbols.awaited_in_body += lines_[body.loops];
  }
}

double CpuSymbolExtractor::LinesFetched(int access, double size) const {
  const Buffer& buffer = program_->buffers[program_->accesses[access].buffer];
  double lines = lines_[0];
  bool is_outside = false;  // of the loop in which the buffer is allocated
  for (size_t k = 0; k < loops_.size(); ++k) {
    const auto extent = static_cast<double>(LoopAt(k).extent);
    const bool is_inside = k > 0;
    // What an iteration uses, before the next comes to the same.
    const double bytes = is_inside ? footprints_->BytesIn(loops_[k - 1]) : 0;
    const double missed = std::clamp(
        (bytes / size - kFirstMiss) / (kAllMiss - kFirstMiss), 0.0, 1.0);
    double kept = 0;
    if (is_outside) {
      kept = lines * extent;
    } else if (loops_[k] == buffer.loop) {
      // Each iteration has the same memory anew.
      kept = std::max(0.0, lines - lines_[k]) * extent;
      is_outside = true;
    } else {
      kept = lines * lines_[k + 1] / lines_[k];
    }
    lines = kept + (lines * extent - kept) * missed;
  }
  return lines;
}

bool CpuSymbolExtractor::IsFar(int access, const Body& body) const {
  const absl::Span<const Footprint> footprints = footprints_->Of(access);
  const auto element = static_cast<double>(
      program_->buffers[program_->accesses[access].buffer].element_bytes);
  for (size_t k = body.loops; k < loops_.size(); ++k) {
    if (footprints[k + 1].stride != 0)
      return footprints[k + 1].stride * element > kFarBytes;
  }
  return false;
}

}  // namespace pruner
