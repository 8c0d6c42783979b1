#include "halide_ext/passes/promote_registers.h"

#include <optional>
#include <string>

#include "halide_ext/passes/expand_indices.h"
#include "halide_ext/passes/private_elements.h"

namespace pruner {
namespace {

using Halide::Expr;
namespace ir = Halide::Internal;
using ir::Stmt;

// Gives the loads and stores of an allocation other indices.
class ReplaceIndices : public ir::IRMutator {
 public:
  ReplaceIndices(const std::string& allocation, const PrivateElements& elements)
      : allocation_(allocation), elements_(elements) {}

 protected:
  using IRMutator::visit;

  Expr visit(const ir::Load* op) override {
    if (op->name != allocation_) return IRMutator::visit(op);
    return ir::Load::make(op->type, op->name, elements_.indices.at(op->index),
                          op->image, op->param, mutate(op->predicate),
                          op->alignment);
  }

  Stmt visit(const ir::Store* op) override {
    if (op->name != allocation_) return IRMutator::visit(op);
    return ir::Store::make(op->name, mutate(op->value),
                           elements_.indices.at(op->index), op->param,
                           mutate(op->predicate), op->alignment);
  }

 private:
  const std::string& allocation_;
  const PrivateElements& elements_;
};

}  // namespace

Stmt PromoteRegisters::visit(const ir::For* op) {
  const bool block = op->for_type == ir::ForType::GPUBlock;
  const std::optional<ThreadLoop> thread = ThreadLoopOf(*op, lets_);
  const LetValues::Scope loop_variable(lets_, op->name, Expr());
  if (block) ++blocks_;
  if (thread.has_value()) threads_.push_back(*thread);
  Stmt result = IRMutator::visit(op);
  if (thread.has_value()) threads_.pop_back();
  if (block) --blocks_;
  return result;
}

Stmt PromoteRegisters::visit(const ir::LetStmt* op) {
  // The inherited one goes through nested lets without asking for each.
  const LetValues::Scope let(lets_, op->name, op->value);
  const Stmt body = mutate(op->body);
  if (body.same_as(op->body)) return op;
  return ir::LetStmt::make(op->name, op->value, body);
}

Stmt PromoteRegisters::visit(const ir::Allocate* op) {
  Stmt inner = IRMutator::visit(op);
  const auto* allocation = inner.as<ir::Allocate>();
  if (op->memory_type != Halide::MemoryType::Register || blocks_ == 0) {
    return inner;
  }
  const ExpandedIndices expanded = ExpandIndices(*allocation, lets_, threads_);
  if (expanded.refusal.has_value()) {
    if (report_ != nullptr) report_->refusals.push_back(*expanded.refusal);
    return inner;
  }
  const PrivateElements elements = FindPrivateElements(op->name, expanded);
  if (elements.refusal.has_value()) {
    if (report_ != nullptr) report_->refusals.push_back(*elements.refusal);
    return inner;
  }
  if (!elements.thread_dependent) return inner;
  if (report_ != nullptr) {
    report_->promotions.push_back(
        {.allocation = op->name,
         .elements_before = op->constant_allocation_size(),
         .elements = elements.count});
  }
  return ir::Allocate::make(
      op->name, op->type, op->memory_type, {elements.count}, op->condition,
      ReplaceIndices(op->name, elements).mutate(expanded.body), op->new_expr,
      op->free_function, op->padding);
}

void AddPromoteRegisters(Halide::Pipeline& pipeline, PromotionReport* report) {
  pipeline.add_custom_lowering_pass(new PromoteRegisters(report));
}

}  // namespace pruner
