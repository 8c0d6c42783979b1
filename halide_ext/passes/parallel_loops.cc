#include "halide_ext/passes/parallel_loops.h"

#include <set>
#include <string>

namespace pruner {
namespace {

namespace hi = Halide::Internal;

// Goes through the program in the order in which it runs.
class Finder : public hi::IRVisitor {
 public:
  ParallelLoops Find(const hi::Stmt& program) {
    program.accept(this);
    found_.precede_outputs = has_loops_ && !writes_early_;
    return found_;
  }

 protected:
  using IRVisitor::visit;

  void visit(const hi::For* op) override {
    const bool is_parallel = op->for_type == hi::ForType::Parallel;
    found_.has_nests |= is_parallel && parallel_ > 0;
    has_loops_ |= is_parallel;
    is_after_loop_ |= is_parallel;
    parallel_ += is_parallel;
    IRVisitor::visit(op);
    parallel_ -= is_parallel;
  }

  // What one branch does, the other does not.
  void visit(const hi::IfThenElse* op) override {
    const bool before = is_after_loop_;
    op->then_case.accept(this);
    is_after_loop_ = before;
    if (op->else_case.defined()) op->else_case.accept(this);
    is_after_loop_ = before;
  }

  void visit(const hi::Allocate* op) override {
    allocated_.insert(op->name);
    IRVisitor::visit(op);
  }

  void visit(const hi::Store* op) override {
    writes_early_ |= !is_after_loop_ && !allocated_.contains(op->name);
    IRVisitor::visit(op);
  }

  // Nobody knows what others than Halide's write.
  void visit(const hi::Call* op) override {
    const bool is_other = op->call_type == hi::Call::Extern &&
                          !hi::starts_with(op->name, "halide_") &&
                          !hi::starts_with(op->name, "_halide_");
    writes_early_ |= is_other && !is_after_loop_;
    IRVisitor::visit(op);
  }

 private:
  ParallelLoops found_;
  std::set<std::string> allocated_;
  bool has_loops_ = false;
  bool is_after_loop_ = false;
  bool writes_early_ = false;
  int parallel_ = 0;
};

// Changes nothing.
class FindParallelLoops : public hi::IRMutator {
 public:
  explicit FindParallelLoops(ParallelLoops* found) : found_(found) {}

  using IRMutator::mutate;
  hi::Stmt mutate(const hi::Stmt& s) override {
    *found_ = Finder().Find(s);
    return s;
  }

 private:
  ParallelLoops* const found_;
};

}  // namespace

void AddFindParallelLoops(Halide::Pipeline& pipeline, ParallelLoops* found) {
  pipeline.add_custom_lowering_pass(new FindParallelLoops(found));
}

}  // namespace pruner
