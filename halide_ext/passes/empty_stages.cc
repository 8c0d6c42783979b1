#include "halide_ext/passes/empty_stages.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace pruner {
namespace {

using Halide::Expr;
namespace ir = Halide::Internal;
using ir::Stmt;

// Numbers of a halide_dimension_t: min, extent, stride, flags.
constexpr size_t kNumbersOfDimension = 4;

Expr AtLeastOne(const Expr& extent) {
  return ir::simplify(Halide::max(extent, ir::make_one(extent.type())));
}

// Whether a value is a buffer that is made here, not one of the caller's.
class MakesBuffer : public ir::IRVisitor {
 public:
  bool result = false;

 protected:
  using IRVisitor::visit;
  void visit(const ir::Call* op) override {
    result |= op->is_intrinsic(ir::Call::alloca);
    IRVisitor::visit(op);
  }
};

// Whether all loops over blocks in a kernel have iterations. Their extents are
// known outside of it.
class AnyBlocks : public ir::IRVisitor {
 public:
  Expr condition = ir::const_true();

 protected:
  using IRVisitor::visit;
  void visit(const ir::For* op) override {
    if (op->for_type != ir::ForType::GPUBlock) return;
    condition = condition && op->extent > 0;
    op->body.accept(this);
  }
};

}  // namespace

Stmt MendEmptyStages::visit(const ir::Allocate* op) {
  const bool has_buffer =
      ir::stmt_uses_var(op->body, absl::StrCat(op->name, ".buffer"));
  if (!has_buffer) return IRMutator::visit(op);
  std::vector<Expr> extents;
  for (const Expr& extent : op->extents) extents.push_back(AtLeastOne(extent));
  return ir::Allocate::make(op->name, op->type, op->memory_type, extents,
                            op->condition, mutate(op->body), op->new_expr,
                            op->free_function, op->padding);
}

Stmt MendEmptyStages::visit(const ir::LetStmt* op) {
  MakesBuffer is_made;
  if (absl::EndsWith(op->name, ".buffer")) op->value.accept(&is_made);
  if (!is_made.result) return IRMutator::visit(op);
  is_in_buffer_ = true;
  Expr value = mutate(op->value);
  is_in_buffer_ = false;
  return ir::LetStmt::make(op->name, std::move(value), mutate(op->body));
}

Expr MendEmptyStages::visit(const ir::Call* op) {
  const bool are_dimensions = is_in_buffer_ &&
                              op->is_intrinsic(ir::Call::make_struct) &&
                              op->args.size() % kNumbersOfDimension == 0;
  if (!are_dimensions) return IRMutator::visit(op);
  std::vector<Expr> numbers = op->args;
  // A region that is less than empty has extents below 0, and strides are
  // products of these.
  for (size_t i = 1; i < numbers.size(); i += kNumbersOfDimension) {
    numbers[i] = AtLeastOne(numbers[i]);
    numbers[i + 1] = AtLeastOne(numbers[i + 1]);
  }
  return ir::Call::make(op->type, op->name, numbers, op->call_type);
}

Stmt MendEmptyStages::visit(const ir::For* op) {
  if (op->for_type != ir::ForType::GPUBlock) return IRMutator::visit(op);
  AnyBlocks blocks;
  op->accept(&blocks);
  const Expr condition = ir::simplify(blocks.condition);
  if (ir::is_const_one(condition)) return op;
  return ir::IfThenElse::make(condition, op);
}

void AddMendEmptyStages(Halide::Pipeline& pipeline) {
  pipeline.add_custom_lowering_pass(new MendEmptyStages);
}

}  // namespace pruner
