// The symbols of the draft model of CPUs (docs/algorithms.md E3), read off a
// Program: what each statement asks of a core and of its memory.
#ifndef PRUNER_FEATURES_CPU_SYMBOLS_H_
#define PRUNER_FEATURES_CPU_SYMBOLS_H_

#include <array>
#include <cstddef>
#include <vector>

#include "absl/types/span.h"
#include "pruner/features/footprints.h"
#include "pruner/features/locality.h"
#include "pruner/program/program.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// Of one statement that is no stream. Its body is what the innermost loops make
// that are vectors or unrolled: straight code. A vector is one of the machine;
// where nothing is vectorized each number counts as one.
struct CpuSymbols {
  int statement = 0;  // Program::statements
  bool is_update = false;
  double bodies = 1;  // how often the body runs
  // Of vectors, in the body; an FMA is one, and so is any of integers that are
  // no indices.
  double operations = 0;
  // Those of them that wait for the one before, one for each vector that is
  // written if they are of integers.
  double chained = 0;
  // Vectors that the body writes. An update accumulates in them.
  double accumulators = 0;
  double vector_loads = 0;  // side by side in memory
  double broadcasts = 0;    // numbers loaded that all lanes share
  double gathers = 0;       // numbers loaded or stored one by one
  // Of the gathered ones, loads of some elements apart, and of how many dense
  // vectors the compiler picks them.
  double strided = 0, strided_vectors = 0;
  double guards = 0;  // operations on indices, and selections
  // Steps of the reduction in one body.
  double reduction_steps = 1;
  // Bodies that follow each other and update the same accumulators; and for how
  // many the compiler can keep these in registers. 1: each body loads and
  // stores them.
  double same_accumulators = 1, kept = 1;
  // Lines that the body reads (writes), as far as more of them fall into one
  // set of L1 than it has ways.
  double read_conflicts = 0, write_conflicts = 0;
  // Lines that are fetched into each level while the program runs; and those of
  // them that lie far from each other.
  std::array<double, kCacheLevels> lines = {};
  std::array<double, kCacheLevels> far_lines = {};
  // Those of a cold input that come from memory, if no stream asks for them
  // before they are needed; and how many of them a body reads.
  double awaited_lines = 0, awaited_in_body = 0;
  // That work on it, on the average.
  double cores = 1;
};

// Keeps its memory from call to call. Not thread-safe.
class CpuSymbolExtractor {
 public:
  // In the program's order.
  const std::vector<CpuSymbols>& Extract(const Program& program,
                                         const TargetSpec& target);
  // With what its accesses touch, which was computed before.
  const std::vector<CpuSymbols>& Extract(const Program& program,
                                         const Footprints& footprints,
                                         const TargetSpec& target);

 private:
  // Of the innermost loops, those that make the body.
  struct Body {
    size_t loops = 0;         // how many
    size_t vector_loops = 0;  // of them, from the innermost on
    double lanes = 1;         // iterations of the vectorized ones
    double unrolled = 1;      // of the others
  };

  void FindStreamed();
  CpuSymbols SymbolsOf(int statement);
  Body BodyOf() const;
  // Of the machine, for as many numbers of so many bytes as there are lanes.
  double VectorsOf(const Body& body, double bytes) const;
  // For one element of each lane.
  double OperationsOf(const Statement& statement, const Body& body) const;
  double FloatOperationsOf(const Statement& statement, const Body& body) const;
  double ChainedOf(const Statement& statement, const Body& body,
                   const CpuSymbols& symbols) const;
  void AddRegisters(const Statement& statement, const Body& body,
                    CpuSymbols& symbols) const;
  void AddKept(const Statement& statement, const Body& body,
               CpuSymbols& symbols) const;
  void AddConflicts(const Statement& statement, const Body& body,
                    CpuSymbols& symbols) const;
  void AddLines(const Statement& statement, const Body& body,
                CpuSymbols& symbols);
  // Of one access, fetched into a level of `size` bytes.
  double LinesFetched(int access, double size) const;
  bool IsFar(int access, const Body& body) const;
  const ProgramLoop& LoopAt(size_t k) const {
    return program_->loops[loops_[k]];
  }

  const Program* program_ = nullptr;
  const TargetSpec* target_ = nullptr;
  Footprints own_footprints_;
  const Footprints* footprints_ = nullptr;
  absl::Span<const int> loops_;    // of the statement at hand
  std::vector<char> is_streamed_;  // by loop: whether something streams in it
  std::vector<double> lines_;      // of the access at hand, by depth
  std::vector<CpuSymbols> symbols_;
};

}  // namespace pruner

#endif  // PRUNER_FEATURES_CPU_SYMBOLS_H_
