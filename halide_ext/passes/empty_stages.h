// A lowering pass for stages of which nothing is needed.
#ifndef HALIDE_EXT_PASSES_EMPTY_STAGES_H_
#define HALIDE_EXT_PASSES_EMPTY_STAGES_H_

#include "Halide.h"

namespace pruner {

// Where a number that the pipeline is called with makes a stage's region empty,
// Halide 21 asks the device for memory of 0 bytes and starts a kernel of 0
// blocks, both of which are errors. Without changing what is computed:
//
// - Buffers that are allocated have at least one element.
// - Kernels run only if there are blocks.
//
// Expects statements as custom lowering passes get them.
class MendEmptyStages : public Halide::Internal::IRMutator {
 protected:
  using IRMutator::visit;
  Halide::Internal::Stmt visit(const Halide::Internal::Allocate* op) override;
  Halide::Internal::Stmt visit(const Halide::Internal::LetStmt* op) override;
  Halide::Expr visit(const Halide::Internal::Call* op) override;
  Halide::Internal::Stmt visit(const Halide::Internal::For* op) override;

 private:
  bool is_in_buffer_ = false;  // in what makes a buffer
};

// Has `pipeline` run the pass whenever it is compiled. Copies of a Pipeline
// share their contents, so this reaches the caller's.
void AddMendEmptyStages(Halide::Pipeline& pipeline);

}  // namespace pruner

#endif  // HALIDE_EXT_PASSES_EMPTY_STAGES_H_
