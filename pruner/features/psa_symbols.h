// The symbols of Pruner's draft model (docs/algorithms.md B2, S1 to S8), read
// off a Program: of each statement that stores what others read.
#ifndef PRUNER_FEATURES_PSA_SYMBOLS_H_
#define PRUNER_FEATURES_PSA_SYMBOLS_H_

#include <vector>

#include "pruner/features/loop_moves.h"
#include "pruner/program/program.h"

namespace pruner {

// Of one statement. Loops that are no blocks and no threads belong to each
// thread, virtual threads among them.
struct PsaSymbols {
  int statement = 0;           // Program::statements
  double thread_ops = 0;       // S2: floating-point operations of a thread
  double registers = 0;        // S1: elements that a thread keeps
  double thread_reads = 0;     // accesses of a thread, where each is repeated
                               // only by loops that move it
  double shared_elements = 0;  // S3: of the block's shared buffer
  double threads = 1;          // S4: of a block
  double footprint = 0;        // S5: elements moved from device memory
  double blocks = 1;           // S6
  double transaction = 1;      // S7: neighbouring elements of the first read
  double total_ops = 0;        // S8
};

struct PsaSymbolOptions {
  // Ansor fuses the axes of a level, so that an access that depends on one axis
  // is charged with the virtual threads of all.
  bool compat_fused_vthread = false;
};

// Keeps its memory from call to call. Not thread-safe.
class PsaExtractor {
 public:
  explicit PsaExtractor(const PsaSymbolOptions& options = {})
      : options_(options) {}

  // Of the last definition of each stage, in the program's order.
  const std::vector<PsaSymbols>& Extract(const Program& program);

 private:
  PsaSymbols SymbolsOf(int statement);
  // The product of the extents of those of the statement's loops (of a thread)
  // that move the access; and, if `of_output`, the statement's output too.
  double Moved(const Statement& statement, int access, bool of_output) const;
  // Of one loop.
  double MovesOf(const Statement& statement, int access, bool of_output,
                 int loop) const;
  bool IsMoved(int access, const AxisMove& move) const;

  const PsaSymbolOptions options_;
  const Program* program_ = nullptr;
  LoopMoves moves_;
  std::vector<PsaSymbols> symbols_;
};

}  // namespace pruner

#endif  // PRUNER_FEATURES_PSA_SYMBOLS_H_
