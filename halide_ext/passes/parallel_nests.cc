#include "halide_ext/passes/parallel_nests.h"

namespace pruner {
namespace {

namespace hi = Halide::Internal;

class FindParallelNests : public hi::IRMutator {
 public:
  explicit FindParallelNests(bool* has_nests) : has_nests_(has_nests) {}

  using IRMutator::mutate;
  hi::Stmt mutate(const hi::Stmt& s) override {
    if (depth_ == 0) *has_nests_ = false;
    ++depth_;
    hi::Stmt same = IRMutator::mutate(s);
    --depth_;
    return same;
  }

 protected:
  using IRMutator::visit;
  hi::Stmt visit(const hi::For* op) override {
    const bool is_parallel = op->for_type == hi::ForType::Parallel;
    *has_nests_ |= is_parallel && parallel_ > 0;
    parallel_ += is_parallel;
    hi::Stmt same = IRMutator::visit(op);
    parallel_ -= is_parallel;
    return same;
  }

 private:
  bool* const has_nests_;
  int depth_ = 0;
  int parallel_ = 0;
};

}  // namespace

void AddFindParallelNests(Halide::Pipeline& pipeline, bool* has_nests) {
  pipeline.add_custom_lowering_pass(new FindParallelNests(has_nests));
}

}  // namespace pruner
