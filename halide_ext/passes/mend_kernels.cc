#include "halide_ext/passes/mend_kernels.h"

#include <algorithm>
#include <string>
#include <vector>

namespace pruner {
namespace {

using Halide::Expr;
namespace ir = Halide::Internal;
using ir::Stmt;

bool IsInOpenCl(int lanes) { return lanes <= 4 || lanes == 8 || lanes == 16; }

Expr Lane(const Expr& vector, int lane) {
  return ir::simplify(ir::extract_lane(vector, lane));
}

// Lanes first..first+lanes-1.
Expr Part(const Expr& vector, int first, int lanes) {
  if (lanes == 1) return Lane(vector, first);
  if (const auto* shuffle = vector.as<ir::Shuffle>()) {
    const auto begin = shuffle->indices.begin() + first;
    return ir::Shuffle::make(shuffle->vectors,
                             std::vector<int>(begin, begin + lanes));
  }
  const auto* ramp = vector.as<ir::Ramp>();
  if (ramp != nullptr && ramp->base.type().is_scalar())
    return ir::Ramp::make(Lane(vector, first), ramp->stride, lanes);
  const auto* broadcast = vector.as<ir::Broadcast>();
  if (broadcast != nullptr && broadcast->value.type().is_scalar())
    return ir::Broadcast::make(broadcast->value, lanes);
  if (const auto* load = vector.as<ir::Load>()) {
    return ir::Load::make(load->type.with_lanes(lanes), load->name,
                          Part(load->index, first, lanes), load->image,
                          load->param, Part(load->predicate, first, lanes),
                          ir::ModulusRemainder());
  }
  std::vector<Expr> elements;
  for (int i = 0; i < lanes; ++i) elements.push_back(Lane(vector, first + i));
  return ir::Shuffle::make_concat(elements);
}

}  // namespace

bool MendKernels::IsMissing(const Halide::Type& type) const {
  return for_opencl_ && blocks_ > 0 && !IsInOpenCl(type.lanes());
}

// Of a vector's first element.
ir::ModulusRemainder MendKernels::AlignmentOf(
    const std::string& buffer, const Expr& index,
    ir::ModulusRemainder known) const {
  if (for_opencl_ && index.type().lanes() == 3) return {};
  const auto* ramp = index.as<ir::Ramp>();
  if (ramp == nullptr || !allocations_.contains(buffer)) return known;
  return ir::modulus_remainder(ramp->base, lets_);
}

Stmt MendKernels::visit(const ir::For* op) {
  const bool block = op->for_type == ir::ForType::GPUBlock;
  const bool had_threads = has_threads_;
  has_threads_ |=
      op->for_type == ir::ForType::GPUThread && !ir::is_const_one(op->extent);
  if (block) ++blocks_;
  Stmt result = IRMutator::visit(op);
  if (block) --blocks_;
  has_threads_ = had_threads;
  return result;
}

template <typename Body, typename LetOrLetStmt>
Body MendKernels::VisitLet(const LetOrLetStmt* op) {
  if (IsMissing(op->value.type()))
    return mutate(ir::substitute(op->name, op->value, op->body));
  const Expr value = mutate(op->value);
  const bool is_index = value.type() == Halide::Int(32);
  const ir::ScopedBinding<ir::ModulusRemainder> bind(
      is_index, lets_, op->name,
      is_index ? ir::modulus_remainder(value, lets_) : ir::ModulusRemainder());
  const Body body = mutate(op->body);
  if (value.same_as(op->value) && body.same_as(op->body)) return op;
  return LetOrLetStmt::make(op->name, value, body);
}

Stmt MendKernels::visit(const ir::LetStmt* op) { return VisitLet<Stmt>(op); }

Expr MendKernels::visit(const ir::Let* op) { return VisitLet<Expr>(op); }

Stmt MendKernels::visit(const ir::Allocate* op) {
  const auto here = allocations_.insert(op->name);
  Stmt result = IRMutator::visit(op);
  allocations_.erase(here);
  return result;
}

Stmt MendKernels::visit(const ir::AssertStmt* op) {
  if (blocks_ == 0) return IRMutator::visit(op);
  _halide_user_assert(!ir::is_const_zero(op->condition))
      << "a kernel fails the assertion " << op->message << "\n";
  return ir::Evaluate::make(0);
}

Stmt MendKernels::visit(const ir::Evaluate* op) {
  const auto* call = op->value.as<ir::Call>();
  const bool is_barrier =
      call != nullptr && call->is_intrinsic(ir::Call::gpu_thread_barrier);
  if (!is_barrier || has_threads_) return IRMutator::visit(op);
  return ir::Evaluate::make(0);
}

// Of the longest lengths that there are; 3 is not worth it.
Stmt MendKernels::StoreInParts(const ir::Store& store) {
  const int lanes = store.value.type().lanes();
  std::vector<Stmt> parts;
  int first = 0;
  for (const int length : {16, 8, 4, 2, 1}) {
    for (; lanes - first >= length; first += length) {
      parts.push_back(ir::Store::make(
          store.name, Part(store.value, first, length),
          Part(store.index, first, length), store.param,
          Part(store.predicate, first, length), ir::ModulusRemainder()));
    }
  }
  return ir::Block::make(parts);
}

Stmt MendKernels::visit(const ir::Store* op) {
  if (blocks_ == 0 || op->value.type().is_scalar()) return IRMutator::visit(op);
  if (IsMissing(op->value.type())) return mutate(StoreInParts(*op));
  const Expr index = mutate(op->index);
  return ir::Store::make(op->name, mutate(op->value), index, op->param,
                         mutate(op->predicate),
                         AlignmentOf(op->name, index, op->alignment));
}

Expr MendKernels::visit(const ir::Load* op) {
  if (blocks_ == 0 || op->type.is_scalar()) return IRMutator::visit(op);
  const Expr index = mutate(op->index);
  return ir::Load::make(op->type, op->name, index, op->image, op->param,
                        mutate(op->predicate),
                        AlignmentOf(op->name, index, op->alignment));
}

Expr MendKernels::visit(const ir::Shuffle* op) {
  const bool of_missing =
      std::any_of(op->vectors.begin(), op->vectors.end(),
                  [&](const Expr& vector) { return IsMissing(vector.type()); });
  if (!of_missing) return IRMutator::visit(op);
  const Expr all = op;
  std::vector<Expr> elements;
  for (int i = 0; i < op->type.lanes(); ++i)
    elements.push_back(mutate(Lane(all, i)));
  return elements.size() == 1 ? elements[0]
                              : ir::Shuffle::make_concat(elements);
}

// Constant integers stay, for divisions by them.
Expr MendKernels::visit(const ir::Broadcast* op) {
  const Halide::Type type = op->value.type();
  if (!for_opencl_ || blocks_ == 0 || type.is_vector() || type.is_bool() ||
      (!type.is_float() && ir::is_const(op->value))) {
    return IRMutator::visit(op);
  }
  const std::string name = ir::unique_name('b');
  const Expr element = ir::Variable::make(type, name);
  return ir::Let::make(
      name, mutate(op->value),
      ir::Shuffle::make_concat(std::vector<Expr>(op->lanes, element)));
}

void AddMendKernels(Halide::Pipeline& pipeline, bool for_opencl) {
  pipeline.add_custom_lowering_pass(new MendKernels(for_opencl));
}

}  // namespace pruner
