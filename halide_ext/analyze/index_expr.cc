#include "halide_ext/analyze/index_expr.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>
#include <utility>

#include "halide_ext/analyze/definitions.h"
#include "pruner/base/factors.h"

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

std::set<int> AxesOf(const Expr& e, const AxisVariables& variables) {
  AxisFinder finder(variables);
  e.accept(&finder);
  return finder.axes;
}

// floor(numerator / divisor), and up to `spread` more. What is more depends on
// the axes `spread_by`.
struct Quotient {
  Linear numerator;
  int64_t divisor = 1;
  int64_t spread = 0;
  std::set<int> spread_by = {};
};

std::optional<Quotient> ToQuotient(const Expr& e,
                                   const AxisVariables& variables);

std::optional<int64_t> PositiveConstant(const Expr& e) {
  const std::optional<int64_t> value = as_const_int(e);
  return value && *value > 0 ? value : std::nullopt;
}

// floor(a / m) + floor(b / 1) = floor((a + m b) / m).
std::optional<Quotient> Sum(const Quotient& a, const Quotient& b) {
  if (b.divisor != 1) {
    if (a.divisor != 1) return std::nullopt;
    return Sum(b, a);
  }
  Quotient sum = a;
  sum.numerator = a.numerator.Plus(b.numerator.Scaled(a.divisor));
  sum.spread += b.spread;
  sum.spread_by.insert(b.spread_by.begin(), b.spread_by.end());
  return sum;
}

std::optional<Quotient> Scaled(const Quotient& q, int64_t factor) {
  if (q.divisor != 1) return std::nullopt;
  Quotient scaled = q;
  scaled.numerator = q.numerator.Scaled(factor);
  if (factor < 0) scaled.numerator.constant += factor * q.spread;
  scaled.spread = std::abs(factor) * q.spread;
  return scaled;
}

std::optional<Quotient> OfDivision(const Div& div,
                                   const AxisVariables& variables) {
  const std::optional<int64_t> divisor = PositiveConstant(div.b);
  std::optional<Quotient> q = ToQuotient(div.a, variables);
  if (!divisor || !q) return std::nullopt;
  q->divisor *= *divisor;
  q->spread = CeilDiv(q->spread, *divisor);
  return q;
}

std::optional<Quotient> OfRemainder(const Mod& mod,
                                    const AxisVariables& variables) {
  const std::optional<int64_t> modulus = PositiveConstant(mod.b);
  if (!modulus || !ToLinear(mod.a, variables)) return std::nullopt;
  return Quotient{.numerator = {},
                  .spread = *modulus - 1,
                  .spread_by = AxesOf(mod.a, variables)};
}

// The constants that the expression is clamped to, whichever way round.
std::optional<std::pair<int64_t, int64_t>> ClampOf(const Expr& e) {
  const auto* max = e.as<Max>();
  const auto* min = e.as<Min>();
  if (max != nullptr) min = max->a.as<Min>();
  if (max == nullptr && min != nullptr) max = min->a.as<Max>();
  if (min == nullptr || max == nullptr) return std::nullopt;
  const auto low = as_const_int(max->b), high = as_const_int(min->b);
  if (!low || !high || *low > *high) return std::nullopt;
  return std::pair(*low, *high);
}

// What depends on data, and is clamped to constants: anything between them, as
// far as anybody can tell. Not where neighbouring elements of a vector have
// other data: those are read one by one.
std::optional<Quotient> OfClampedData(const Expr& e,
                                      const AxisVariables& variables) {
  const std::optional<std::pair<int64_t, int64_t>> clamp = ClampOf(e);
  if (!clamp || !ReadsData(e)) return std::nullopt;
  int vector_axis = -1;
  for (const auto& [name, variable] : variables) {
    if (!variable.is_reduction)
      vector_axis = std::max(vector_axis, variable.axis);
  }
  if (AxesOf(e, variables).contains(vector_axis)) return std::nullopt;
  return Quotient{.numerator = {.coefficients = {}, .constant = clamp->first},
                  .spread = clamp->second - clamp->first};
}

std::optional<Quotient> ToQuotient(const Expr& e,
                                   const AxisVariables& variables) {
  if (const std::optional<Linear> linear = ToLinear(e, variables))
    return Quotient{.numerator = *linear};
  if (const std::optional<Quotient> data = OfClampedData(e, variables))
    return data;
  if (const auto* cast = e.as<Cast>())
    return ToQuotient(cast->value, variables);
  if (const auto* div = e.as<Div>()) return OfDivision(*div, variables);
  if (const auto* mod = e.as<Mod>()) return OfRemainder(*mod, variables);
  const auto* add = e.as<Add>();
  const auto* sub = e.as<Sub>();
  const auto* mul = e.as<Mul>();
  if (add == nullptr && sub == nullptr && mul == nullptr) return std::nullopt;
  const std::optional<Quotient> a = ToQuotient(
      add != nullptr ? add->a : (sub != nullptr ? sub->a : mul->a), variables);
  std::optional<Quotient> b = ToQuotient(
      add != nullptr ? add->b : (sub != nullptr ? sub->b : mul->b), variables);
  if (!a || !b) return std::nullopt;
  if (mul != nullptr) {
    if (b->numerator.IsConstant() && b->divisor == 1 && b->spread == 0)
      return Scaled(*a, b->numerator.constant);
    if (a->numerator.IsConstant() && a->divisor == 1 && a->spread == 0)
      return Scaled(*b, a->numerator.constant);
    return std::nullopt;
  }
  if (sub != nullptr) b = Scaled(*b, -1);
  return b ? Sum(*a, *b) : std::nullopt;
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

IndexExpr Opaque(const Expr& e, const AxisVariables& variables) {
  IndexExpr index;
  index.opaque = true;
  for (int axis : AxesOf(e, variables)) index.terms.push_back({.axis = axis});
  return index;
}

// Whether the axes on which the spread depends are in the index anyway: then
// its two ends say all about what is read.
bool SaysWhatItVariesWith(const Quotient& q) {
  return std::all_of(q.spread_by.begin(), q.spread_by.end(), [&](int axis) {
    return q.numerator.coefficients.contains(axis);
  });
}

}  // namespace

std::vector<IndexExpr> ToIndexExprs(const Expr& index,
                                    const AxisVariables& variables,
                                    int64_t dimension_min) {
  IndexExpr result;
  Expr e = WithoutClamp(index, result.clamped);
  if (const auto* mod = e.as<Mod>()) {
    if (const std::optional<int64_t> modulus = PositiveConstant(mod->b)) {
      result.modulus = *modulus;
      e = mod->a;
    }
  }
  const std::optional<Quotient> q = ToQuotient(e, variables);
  // A dimension that starts elsewhere shifts the remainder, which the form
  // cannot say.
  if (!q || !SaysWhatItVariesWith(*q) ||
      (result.modulus != 0 && (dimension_min != 0 || q->spread != 0))) {
    return {Opaque(index, variables)};
  }
  result.divisor = q->divisor;
  for (const auto& [axis, coefficient] : q->numerator.coefficients) {
    result.terms.push_back({.axis = axis, .coefficient = coefficient});
  }
  result.constant = q->numerator.constant - dimension_min * q->divisor;
  std::vector<IndexExpr> ends = {result};
  if (q->spread > 0) {
    result.constant += q->spread * q->divisor;
    ends.push_back(std::move(result));
  }
  return ends;
}

}  // namespace pruner
