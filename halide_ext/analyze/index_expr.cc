#include "halide_ext/analyze/index_expr.h"

#include <optional>
#include <set>
#include <utility>

namespace pruner {
namespace {

using Halide::Expr;
using namespace Halide::Internal;  // IR node types

// sum of coefficient * axis, plus a constant.
struct Linear {
  std::map<int, int64_t> coefficients;
  int64_t constant = 0;

  bool IsConstant() const { return coefficients.empty(); }

  Linear Scaled(int64_t factor) const {
    Linear scaled;
    if (factor == 0) return scaled;
    for (const auto& [axis, c] : coefficients)
      scaled.coefficients[axis] = c * factor;
    scaled.constant = constant * factor;
    return scaled;
  }

  Linear Plus(const Linear& other) const {
    Linear sum = *this;
    for (const auto& [axis, c] : other.coefficients) {
      if ((sum.coefficients[axis] += c) == 0) sum.coefficients.erase(axis);
    }
    sum.constant += other.constant;
    return sum;
  }
};

std::optional<Linear> ToLinear(const Expr& e, const AxisVariables& variables) {
  if (const std::optional<int64_t> value = as_const_int(e)) {
    return Linear{.coefficients = {}, .constant = *value};
  }
  if (const auto* cast = e.as<Cast>()) return ToLinear(cast->value, variables);
  if (const auto* variable = e.as<Variable>()) {
    const auto found = variables.find(variable->name);
    if (found == variables.end()) return std::nullopt;
    return Linear{.coefficients = {{found->second.axis, 1}},
                  .constant = found->second.min};
  }
  const auto* add = e.as<Add>();
  const auto* sub = e.as<Sub>();
  if (add != nullptr || sub != nullptr) {
    const std::optional<Linear> a =
        ToLinear(add != nullptr ? add->a : sub->a, variables);
    const std::optional<Linear> b =
        ToLinear(add != nullptr ? add->b : sub->b, variables);
    if (!a || !b) return std::nullopt;
    return a->Plus(b->Scaled(add != nullptr ? 1 : -1));
  }
  if (const auto* mul = e.as<Mul>()) {
    const std::optional<Linear> a = ToLinear(mul->a, variables);
    const std::optional<Linear> b = ToLinear(mul->b, variables);
    if (!a || !b) return std::nullopt;
    if (b->IsConstant()) return a->Scaled(b->constant);
    if (a->IsConstant()) return b->Scaled(a->constant);
  }
  return std::nullopt;
}

// Peels clamps to constants off: min(max(e, a), b) and the like.
Expr WithoutClamp(Expr e, bool& clamped) {
  for (;;) {
    if (const auto* cast = e.as<Cast>()) {
      e = cast->value;
      continue;
    }
    if (const auto* call = e.as<Call>();
        call != nullptr && (call->is_intrinsic(Call::likely) ||
                            call->is_intrinsic(Call::likely_if_innermost))) {
      e = call->args[0];
      continue;
    }
    const auto* min = e.as<Min>();
    const auto* max = e.as<Max>();
    if (min == nullptr && max == nullptr) return e;
    const Expr& a = min != nullptr ? min->a : max->a;
    const Expr& b = min != nullptr ? min->b : max->b;
    if (is_const(b)) {
      e = a;
    } else if (is_const(a)) {
      e = b;
    } else {
      return e;
    }
    clamped = true;
  }
}

// The axes that an expression varies with, whatever it does with them.
class AxisFinder : public IRVisitor {
 public:
  explicit AxisFinder(const AxisVariables& variables) : variables_(variables) {}

  std::set<int> axes;

 protected:
  using IRVisitor::visit;
  void visit(const Variable* op) override {
    const auto found = variables_.find(op->name);
    if (found != variables_.end()) axes.insert(found->second.axis);
  }

 private:
  const AxisVariables& variables_;
};

IndexExpr Opaque(const Expr& e, const AxisVariables& variables) {
  AxisFinder finder(variables);
  e.accept(&finder);
  IndexExpr index;
  index.opaque = true;
  for (int axis : finder.axes) index.terms.push_back({.axis = axis});
  return index;
}

std::optional<int64_t> PositiveConstant(const Expr& e) {
  const std::optional<int64_t> value = as_const_int(e);
  return value && *value > 0 ? value : std::nullopt;
}

}  // namespace

IndexExpr ToIndexExpr(const Expr& index, const AxisVariables& variables,
                      int64_t dimension_min) {
  IndexExpr result;
  Expr e = WithoutClamp(index, result.clamped);
  if (const auto* mod = e.as<Mod>()) {
    if (const std::optional<int64_t> modulus = PositiveConstant(mod->b)) {
      result.modulus = *modulus;
      e = mod->a;
    }
  }
  if (const auto* div = e.as<Div>()) {
    if (const std::optional<int64_t> divisor = PositiveConstant(div->b)) {
      result.divisor = *divisor;
      e = div->a;
    }
  }
  const std::optional<Linear> linear = ToLinear(e, variables);
  const bool scaled = result.divisor != 1 || result.modulus != 0;
  // A dimension that starts elsewhere shifts the quotient, which the form
  // cannot say.
  if (!linear || (scaled && dimension_min != 0))
    return Opaque(index, variables);
  for (const auto& [axis, coefficient] : linear->coefficients) {
    result.terms.push_back({.axis = axis, .coefficient = coefficient});
  }
  result.constant = linear->constant - dimension_min;
  return result;
}

}  // namespace pruner
