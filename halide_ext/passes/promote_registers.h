// A lowering pass that turns accumulators of GPU threads into registers.
//
// A tile with virtual threads is accumulated in a stage that is computed at the
// block, has thread loops of its own and is stored in registers
// (docs/algorithms.md E2a). Halide 21 gives each thread the whole tile, in
// local memory, and lets it use the elements base(thread) + c for a few
// constants c. This pass proves that this is so, numbers the constants and
// keeps only those elements.
#ifndef HALIDE_EXT_PASSES_PROMOTE_REGISTERS_H_
#define HALIDE_EXT_PASSES_PROMOTE_REGISTERS_H_

#include <vector>

#include "Halide.h"
#include "halide_ext/passes/let_values.h"
#include "halide_ext/passes/promotion_report.h"
#include "halide_ext/passes/thread_loop.h"

namespace pruner {

// Shrinks each Allocate of MemoryType::Register inside a GPU block whose loads
// and stores all have indices base(thread) + c (or dense ramps of such), where
// base is the same value at each of them and no two threads reach the same
// element. Other allocations stay as they are, which is no error.
//
// Expects statements as custom lowering passes get them, that is after thread
// loops were fused. The meaning of the program does not change.
class PromoteRegisters : public Halide::Internal::IRMutator {
 public:
  // What is done is appended to `report`, which may be null and must live as
  // long as the pass.
  explicit PromoteRegisters(PromotionReport* report) : report_(report) {}

 protected:
  using IRMutator::visit;
  Halide::Internal::Stmt visit(const Halide::Internal::For* op) override;
  Halide::Internal::Stmt visit(const Halide::Internal::LetStmt* op) override;
  Halide::Internal::Stmt visit(const Halide::Internal::Allocate* op) override;

 private:
  PromotionReport* report_;
  LetValues lets_;
  int blocks_ = 0;                   // how many block loops enclose
  std::vector<ThreadLoop> threads_;  // that enclose
};

// Has `pipeline` run the pass whenever it is compiled. `report`, which may be
// null, must outlive the pipeline's last compilation; each appends to it.
// Copies of a Pipeline share their contents, so this reaches the caller's.
void AddPromoteRegisters(Halide::Pipeline& pipeline, PromotionReport* report);

}  // namespace pruner

#endif  // HALIDE_EXT_PASSES_PROMOTE_REGISTERS_H_
