#include "halide_ext/build/evaluate_expr.h"

#include <algorithm>

namespace pruner {
namespace {

namespace hi = Halide::Internal;
using Number = std::optional<int64_t>;

template <typename Node, typename Combine>
Number Binary(const Halide::Expr& e, ExprEvaluator& evaluator,
              Combine combine) {
  const auto* op = e.as<Node>();
  const Number a = evaluator.Evaluate(op->a), b = evaluator.Evaluate(op->b);
  if (!a || !b) return std::nullopt;
  return combine(*a, *b);
}

// What Halide only tells itself.
bool IsTransparent(const hi::Call& call) {
  return call.is_intrinsic({hi::Call::likely, hi::Call::likely_if_innermost,
                            hi::Call::promise_clamped,
                            hi::Call::unsafe_promise_clamped});
}

}  // namespace

Number ExprEvaluator::Evaluate(const Halide::Expr& e) {
  const auto found = known_.find(e.get());
  if (found != known_.end()) return found->second;
  const Number number = Compute(e);
  known_.emplace(e.get(), number);
  return number;
}

Number ExprEvaluator::Variable(const std::string& name) {
  const auto number = numbers_.find(name);
  if (number != numbers_.end()) return number->second;
  const auto let = lets_.find(name);
  if (let == lets_.end()) return std::nullopt;
  const Number value = Evaluate(let->second);
  if (value) numbers_[name] = *value;
  return value;
}

Number ExprEvaluator::Compute(const Halide::Expr& e) {
  using hi::IRNodeType;
  switch (e.node_type()) {
    case IRNodeType::IntImm:
      return e.as<hi::IntImm>()->value;
    case IRNodeType::UIntImm:
      return static_cast<int64_t>(e.as<hi::UIntImm>()->value);
    case IRNodeType::Variable:
      return Variable(e.as<hi::Variable>()->name);
    case IRNodeType::Cast:
      if (!e.type().is_int_or_uint()) return std::nullopt;
      return Evaluate(e.as<hi::Cast>()->value);
    case IRNodeType::Add:
      return Binary<hi::Add>(e, *this, [](auto a, auto b) { return a + b; });
    case IRNodeType::Sub:
      return Binary<hi::Sub>(e, *this, [](auto a, auto b) { return a - b; });
    case IRNodeType::Mul:
      return Binary<hi::Mul>(e, *this, [](auto a, auto b) { return a * b; });
    case IRNodeType::Div:
      return Binary<hi::Div>(e, *this,
                             [](auto a, auto b) { return hi::div_imp(a, b); });
    case IRNodeType::Mod:
      return Binary<hi::Mod>(e, *this,
                             [](auto a, auto b) { return hi::mod_imp(a, b); });
    case IRNodeType::Min:
      return Binary<hi::Min>(e, *this,
                             [](auto a, auto b) { return std::min(a, b); });
    case IRNodeType::Max:
      return Binary<hi::Max>(e, *this,
                             [](auto a, auto b) { return std::max(a, b); });
    case IRNodeType::EQ:
      return Binary<hi::EQ>(e, *this, [](auto a, auto b) { return a == b; });
    case IRNodeType::NE:
      return Binary<hi::NE>(e, *this, [](auto a, auto b) { return a != b; });
    case IRNodeType::LT:
      return Binary<hi::LT>(e, *this, [](auto a, auto b) { return a < b; });
    case IRNodeType::LE:
      return Binary<hi::LE>(e, *this, [](auto a, auto b) { return a <= b; });
    case IRNodeType::GT:
      return Binary<hi::GT>(e, *this, [](auto a, auto b) { return a > b; });
    case IRNodeType::GE:
      return Binary<hi::GE>(e, *this, [](auto a, auto b) { return a >= b; });
    case IRNodeType::And:
      return Binary<hi::And>(e, *this, [](auto a, auto b) { return a && b; });
    case IRNodeType::Or:
      return Binary<hi::Or>(e, *this, [](auto a, auto b) { return a || b; });
    case IRNodeType::Not: {
      const Number a = Evaluate(e.as<hi::Not>()->a);
      return a ? Number(*a == 0) : a;
    }
    case IRNodeType::Select: {
      const auto* op = e.as<hi::Select>();
      const Number condition = Evaluate(op->condition);
      if (!condition) return condition;
      return Evaluate(*condition != 0 ? op->true_value : op->false_value);
    }
    case IRNodeType::Let: {
      // Names are unique.
      const auto* op = e.as<hi::Let>();
      const Number value = Evaluate(op->value);
      if (value) numbers_[op->name] = *value;
      return Evaluate(op->body);
    }
    case IRNodeType::Call: {
      const auto* op = e.as<hi::Call>();
      return IsTransparent(*op) ? Evaluate(op->args[0]) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

}  // namespace pruner
