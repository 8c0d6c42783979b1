// A lowering pass that mends what Halide makes of kernels.
#ifndef HALIDE_EXT_PASSES_MEND_KERNELS_H_
#define HALIDE_EXT_PASSES_MEND_KERNELS_H_

#include <set>
#include <string>

#include "Halide.h"

namespace pruner {

// Inside of loops over blocks, without changing what is computed:
//
// - Loads and stores of what a pipeline allocates have the alignment that
//   follows from their index. Halide 21 puts allocations in shared memory one
//   behind the other and leaves the alignment as it was, and a vector of four
//   goes to the next lower multiple of four.
// - With `for_opencl`: vectors of 3 have no alignment, for aligned ones are
//   written as if elements were 4 apart; and vectors of lengths that OpenCL C
//   does not have, which Halide makes of strided loads, of clamped ones and of
//   interleaved stores, are taken apart. A number that is broadcast is written
//   element by element: else the code of one length is taken for another's.
// - There are no assertions, which kernels cannot report, and no barriers where
//   a block has a single thread: nothing to wait for, and PoCL does not compile
//   all of them.
//
// Throws Halide::CompileError for an assertion that fails in any case.
// Expects statements as custom lowering passes get them.
class MendKernels : public Halide::Internal::IRMutator {
 public:
  explicit MendKernels(bool for_opencl) : for_opencl_(for_opencl) {}

 protected:
  using IRMutator::visit;
  Halide::Internal::Stmt visit(const Halide::Internal::For* op) override;
  Halide::Internal::Stmt visit(const Halide::Internal::LetStmt* op) override;
  Halide::Expr visit(const Halide::Internal::Let* op) override;
  Halide::Internal::Stmt visit(const Halide::Internal::Allocate* op) override;
  Halide::Internal::Stmt visit(const Halide::Internal::AssertStmt* op) override;
  Halide::Internal::Stmt visit(const Halide::Internal::Store* op) override;
  Halide::Expr visit(const Halide::Internal::Load* op) override;
  Halide::Expr visit(const Halide::Internal::Shuffle* op) override;
  Halide::Expr visit(const Halide::Internal::Broadcast* op) override;
  Halide::Internal::Stmt visit(const Halide::Internal::Evaluate* op) override;

 private:
  template <typename Body, typename LetOrLetStmt>
  Body VisitLet(const LetOrLetStmt* op);
  // There is no such vector.
  bool IsMissing(const Halide::Type& type) const;
  Halide::Internal::ModulusRemainder AlignmentOf(
      const std::string& buffer, const Halide::Expr& index,
      Halide::Internal::ModulusRemainder known) const;
  Halide::Internal::Stmt StoreInParts(const Halide::Internal::Store& store);

  const bool for_opencl_;
  int blocks_ = 0;            // how many block loops enclose
  bool has_threads_ = false;  // more than one
  std::multiset<std::string> allocations_;
  Halide::Internal::Scope<Halide::Internal::ModulusRemainder> lets_;
};

// Has `pipeline` run the pass whenever it is compiled. Copies of a Pipeline
// share their contents, so this reaches the caller's.
void AddMendKernels(Halide::Pipeline& pipeline, bool for_opencl);

}  // namespace pruner

#endif  // HALIDE_EXT_PASSES_MEND_KERNELS_H_
