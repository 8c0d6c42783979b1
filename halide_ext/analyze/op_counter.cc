#include "halide_ext/analyze/op_counter.h"

namespace pruner {
namespace {

using namespace Halide::Internal;  // IR node types

class OpCounter : public IRGraphVisitor {
 public:
  OpCounts counts;

 protected:
  using IRGraphVisitor::visit;

  void visit(const Add* op) override { Binary(op, counts.float_add); }
  void visit(const Sub* op) override { Binary(op, counts.float_add); }
  void visit(const Mul* op) override { Binary(op, counts.float_mul); }
  void visit(const Div* op) override { Binary(op, counts.float_div); }
  void visit(const Mod* op) override { Binary(op, counts.float_div); }
  void visit(const Min* op) override { Binary(op, counts.float_compare); }
  void visit(const Max* op) override { Binary(op, counts.float_compare); }
  void visit(const EQ* op) override { Binary(op, counts.float_compare); }
  void visit(const NE* op) override { Binary(op, counts.float_compare); }
  void visit(const LT* op) override { Binary(op, counts.float_compare); }
  void visit(const LE* op) override { Binary(op, counts.float_compare); }
  void visit(const GT* op) override { Binary(op, counts.float_compare); }
  void visit(const GE* op) override { Binary(op, counts.float_compare); }

  void visit(const Select* op) override {
    ++counts.select;
    IRGraphVisitor::visit(op);
  }

  void visit(const Call* op) override {
    if (op->call_type == Call::Halide || op->call_type == Call::Image) return;
    if (op->type.is_float() && !op->is_intrinsic()) ++counts.float_math;
    IRGraphVisitor::visit(op);
  }

 private:
  template <typename Op>
  void Binary(const Op* op, int64_t& float_count) {
    ++(op->a.type().is_float() ? float_count : counts.integer);
    IRGraphVisitor::visit(op);
  }
};

}  // namespace

OpCounts CountOps(const Halide::Expr& e) {
  OpCounter counter;
  e.accept(&counter);
  return counter.counts;
}

}  // namespace pruner
