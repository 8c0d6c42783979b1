#include "halide_ext/passes/linear_form.h"

#include <utility>

namespace pruner {
namespace {

using Halide::Expr;
namespace ir = Halide::Internal;

LinearForm Constant(int64_t value) { return {.terms = {}, .constant = value}; }

void Add(const LinearForm& other, int64_t factor, LinearForm& form) {
  form.constant += factor * other.constant;
  for (const auto& [term, multiple] : other.terms) {
    int64_t& sum = form.terms[term];
    sum += factor * multiple;
    if (sum == 0) form.terms.erase(term);
  }
}

bool IsConstant(const LinearForm& form) { return form.terms.empty(); }

// Splits `form` into divisor * quotient + remainder, where the remainder has no
// multiple of the divisor and its constant is from 0 on. `divisor` > 0.
std::pair<LinearForm, LinearForm> Divide(const LinearForm& form,
                                         int64_t divisor) {
  LinearForm quotient, remainder;
  for (const auto& [term, factor] : form.terms) {
    (factor % divisor == 0 ? quotient : remainder).terms[term] = factor;
  }
  for (auto& [term, factor] : quotient.terms) factor /= divisor;
  remainder.constant = ir::mod_imp(form.constant, divisor);
  quotient.constant = (form.constant - remainder.constant) / divisor;
  return {std::move(quotient), std::move(remainder)};
}

// Brings what is inside of a term into the form that equal ones have.
class Canonical : public ir::IRMutator {
 public:
  using IRMutator::mutate;
  Expr mutate(const Expr& expr) override {
    return expr.type() == Halide::Int(32) ? ToExpr(LinearFormOf(expr))
                                          : IRMutator::mutate(expr);
  }
  // `expr` itself stays what it is.
  Expr Inside(const Expr& expr) { return IRMutator::mutate(expr); }
};

LinearForm Term(const Expr& term) {
  return {.terms = {{term, 1}}, .constant = 0};
}

LinearForm Quotient(const Expr& a, const Expr& b) {
  const LinearForm numerator = LinearFormOf(a);
  const LinearForm denominator = LinearFormOf(b);
  if (!IsConstant(denominator) || denominator.constant <= 0) {
    return Term(ToExpr(numerator) / ToExpr(denominator));
  }
  const int64_t divisor = denominator.constant;
  auto [quotient, remainder] = Divide(numerator, divisor);
  // Whatever the remainder, it adds a whole number.
  if (!IsConstant(remainder)) {
    Add(Term(ToExpr(remainder) / ir::make_const(a.type(), divisor)), 1,
        quotient);
  }
  return quotient;
}

LinearForm Remainder(const Expr& a, const Expr& b) {
  const LinearForm numerator = LinearFormOf(a);
  const LinearForm denominator = LinearFormOf(b);
  if (!IsConstant(denominator) || denominator.constant <= 0) {
    return Term(ToExpr(numerator) % ToExpr(denominator));
  }
  const int64_t divisor = denominator.constant;
  LinearForm remainder = Divide(numerator, divisor).second;
  if (IsConstant(remainder)) return remainder;
  // (x % 56) % 8 is x % 8.
  const Expr inner = ToExpr(remainder);
  if (const auto* mod = inner.as<ir::Mod>()) {
    const std::optional<int64_t> modulus = ir::as_const_int(mod->b);
    if (modulus.has_value() && *modulus % divisor == 0) {
      return Remainder(mod->a, b);
    }
  }
  return Term(inner % ir::make_const(a.type(), divisor));
}

LinearForm Product(const Expr& a, const Expr& b) {
  const LinearForm left = LinearFormOf(a);
  const LinearForm right = LinearFormOf(b);
  LinearForm product;
  if (IsConstant(right)) {
    Add(left, right.constant, product);
  } else if (IsConstant(left)) {
    Add(right, left.constant, product);
  } else {
    // The smaller one first, so that the order does not matter.
    Expr x = ToExpr(left), y = ToExpr(right);
    if (ir::graph_less_than(y, x)) std::swap(x, y);
    return Term(x * y);
  }
  return product;
}

// Puts one remainder and its quotient together: c * (x / c) + x % c is x. Which
// of both an index has depends on how its loops came about. Whether there was
// one.
bool PutTogether(LinearForm& form) {
  for (const auto& [term, factor] : form.terms) {
    const auto* mod = term.as<ir::Mod>();
    if (mod == nullptr) continue;
    const std::optional<int64_t> divisor = ir::as_const_int(mod->b);
    const auto quotient = form.terms.find(mod->a / mod->b);
    if (!divisor || quotient == form.terms.end() ||
        quotient->second != factor * *divisor) {
      continue;
    }
    const Expr whole = mod->a, remainder = term;
    const int64_t times = factor;
    form.terms.erase(quotient);
    form.terms.erase(remainder);
    Add(LinearFormOf(whole), times, form);
    return true;
  }
  return false;
}

LinearForm Sum(const Expr& a, const Expr& b, int64_t factor) {
  LinearForm sum = LinearFormOf(a);
  Add(LinearFormOf(b), factor, sum);
  return sum;
}

}  // namespace

LinearForm LinearFormOf(const Expr& expr) {
  if (expr.type() != Halide::Int(32)) return Term(Canonical().Inside(expr));
  if (const std::optional<int64_t> value = ir::as_const_int(expr)) {
    return Constant(*value);
  }
  if (const auto* add = expr.as<ir::Add>()) return Sum(add->a, add->b, 1);
  if (const auto* sub = expr.as<ir::Sub>()) return Sum(sub->a, sub->b, -1);
  if (const auto* mul = expr.as<ir::Mul>()) return Product(mul->a, mul->b);
  if (const auto* div = expr.as<ir::Div>()) return Quotient(div->a, div->b);
  if (const auto* mod = expr.as<ir::Mod>()) return Remainder(mod->a, mod->b);
  return Term(Canonical().Inside(expr));
}

LinearForm Difference(const LinearForm& a, const LinearForm& b) {
  LinearForm difference = a;
  Add(b, -1, difference);
  while (PutTogether(difference)) {
  }
  return difference;
}

Expr ToExpr(const LinearForm& form) {
  Expr sum;
  for (const auto& [term, factor] : form.terms) {
    const Expr scaled =
        factor == 1 ? term : term * ir::make_const(term.type(), factor);
    sum = sum.defined() ? sum + scaled : scaled;
  }
  if (!sum.defined()) return static_cast<int>(form.constant);
  return form.constant == 0 ? sum
                            : sum + ir::make_const(sum.type(), form.constant);
}

}  // namespace pruner
