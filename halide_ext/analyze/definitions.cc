#include "halide_ext/analyze/definitions.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"

namespace pruner {
namespace {

using Halide::cast;
using Halide::Expr;
using namespace Halide::Internal;

class CallCollector : public IRGraphVisitor {
 public:
  std::vector<Expr> calls;

 protected:
  using IRGraphVisitor::visit;
  void visit(const Call* op) override {
    if (op->call_type == Call::Halide || op->call_type == Call::Image)
      calls.push_back(op);
    IRGraphVisitor::visit(op);
  }
};

// Replaces "input.extent.0" and "input.min.0" by the bounds of the input, or by
// its estimates; or also parameters that are numbers by theirs.
class SizeResolver : public IRMutator {
 public:
  enum class By { kBounds, kEstimatedSizes, kEstimates };
  explicit SizeResolver(By by) : by_(by) {}

 protected:
  using IRMutator::visit;
  Expr visit(const Variable* op) override {
    if (!op->param.defined()) return op;
    if (!op->param.is_buffer()) return Number(op);
    const std::vector<std::string> parts = absl::StrSplit(op->name, '.');
    int d = 0;
    if (parts.size() < 3 || !absl::SimpleAtoi(parts.back(), &d)) return op;
    const std::string& what = parts[parts.size() - 2];
    const Halide::Parameter& p = op->param;
    if (d < 0 || d >= p.dimensions()) return op;
    const bool bounds = by_ == By::kBounds;
    Expr size;
    if (what == "extent") {
      size = bounds ? p.extent_constraint(d) : p.extent_constraint_estimate(d);
    } else if (what == "min") {
      size = bounds ? p.min_constraint(d) : p.min_constraint_estimate(d);
    }
    return size.defined() ? size : Expr(op);
  }

 private:
  Expr Number(const Variable* op) const {
    if (by_ != By::kEstimates) return op;
    const Expr estimate = op->param.estimate();
    // That of a bool is an int.
    return estimate.defined() ? cast(op->type, estimate) : Expr(op);
  }

  const By by_;
};

// Replaces calls of a Func by its pure definition. (Halide's inline_function
// wants a pipeline that is being lowered.)
class Inliner : public IRMutator {
 public:
  explicit Inliner(const Function& function) : function_(function) {}

 protected:
  using IRMutator::visit;
  Expr visit(const Call* op) override {
    Expr call = IRMutator::visit(op);
    op = call.as<Call>();
    if (op->call_type != Call::Halide || op->name != function_.name())
      return call;
    std::map<std::string, Expr> arguments;
    for (size_t d = 0; d < op->args.size(); ++d)
      arguments[function_.args()[d]] = op->args[d];
    return substitute(
        arguments, substitute_in_all_lets(function_.values()[op->value_index]));
  }

 private:
  const Function& function_;
};

std::set<std::string> NamesOfCalls(const Expr& e) {
  CallCollector collector;
  e.accept(&collector);
  std::set<std::string> names;
  for (const Expr& call : collector.calls) names.insert(call.as<Call>()->name);
  return names;
}

// Transforms the indices of calls and nothing else.
class IndexTransformer : public IRMutator {
 public:
  explicit IndexTransformer(const std::function<Expr(const Expr&)>& transform)
      : transform_(transform) {}

 protected:
  using IRMutator::visit;
  Expr visit(const Call* op) override {
    const bool has_indices =
        op->call_type == Call::Halide || op->call_type == Call::Image;
    std::vector<Expr> args;
    for (const Expr& e : op->args)
      args.push_back(has_indices ? transform_(e) : mutate(e));
    return Call::make(op->type, op->name, args, op->call_type, op->func,
                      op->value_index, op->image, op->param);
  }

 private:
  const std::function<Expr(const Expr&)>& transform_;
};

// With sizes and parameters as numbers, unless some Func or input would not be
// read then: what a condition comes to does not say what has to be computed.
Expr ResolveSizes(const Expr& e, SizeResolver::By by) {
  const auto resolve_all = [by](const Expr& whole) {
    const Expr resolved = SizeResolver(by).mutate(whole);
    if (resolved.same_as(whole)) return whole;
    const Expr simplified = simplify(resolved);
    return NamesOfCalls(simplified) == NamesOfCalls(whole) ? simplified
                                                           : Expr();
  };
  Expr resolved = resolve_all(e);
  if (resolved.defined()) return resolved;
  const std::function<Expr(const Expr&)> transform = [&](const Expr& index) {
    const Expr result = resolve_all(index);
    return result.defined() ? result : index;
  };
  return IndexTransformer(transform).mutate(e);
}

bool IsVariable(const Expr& e, const std::string& name) {
  const auto* variable = e.as<Variable>();
  return variable != nullptr && variable->name == name;
}

std::vector<bool> IndependentDimensions(const Function& function,
                                        const ResolvedDefinition& definition) {
  std::vector<bool> independent;
  const std::vector<Expr> calls = definition.Calls();
  for (int d = 0; d < function.dimensions(); ++d) {
    const std::string& name = function.args()[d];
    bool result = IsVariable(definition.args[d], name);
    for (const Expr& e : calls) {
      const auto* call = e.as<Call>();
      if (call->name == function.name())
        result = result && IsVariable(call->args[d], name);
    }
    independent.push_back(result);
  }
  return independent;
}

bool HasConstantDomain(const ResolvedDefinition& definition) {
  return std::all_of(definition.rvars.begin(), definition.rvars.end(),
                     [](const ReductionVariable& r) {
                       return is_const(r.min) && is_const(r.extent);
                     });
}

void TransformExpressions(const std::function<Expr(const Expr&)>& transform,
                          ResolvedDefinition& definition) {
  for (Expr& e : definition.values) e = transform(e);
  for (Expr& e : definition.args) e = transform(e);
  if (definition.predicate.defined())
    definition.predicate = transform(definition.predicate);
  for (ReductionVariable& r : definition.rvars) {
    r.min = simplify(transform(r.min));
    r.extent = simplify(transform(r.extent));
  }
}

}  // namespace

bool ReadsData(const Expr& e) {
  CallCollector collector;
  e.accept(&collector);
  return !collector.calls.empty();
}

std::vector<Expr> ResolvedDefinition::Calls() const {
  CallCollector collector;
  for (const Expr& e : values) e.accept(&collector);
  for (const Expr& e : args) e.accept(&collector);
  for (const Expr& e : Conditions()) e.accept(&collector);
  return collector.calls;
}

std::vector<Expr> ResolvedDefinition::Conditions() const {
  std::vector<Expr> conditions = exact_domain;
  if (predicate.defined()) conditions.push_back(predicate);
  return conditions;
}

std::vector<ResolvedDefinition> ResolveDefinitions(
    const Function& function, const std::vector<Function>& inlined,
    Sizes sizes) {
  if (function.has_extern_definition()) return {};
  const auto resolve_bounds = [&](Expr e) {
    for (const Function& other : inlined) e = Inliner(other).mutate(e);
    return ResolveSizes(substitute_in_all_lets(e), SizeResolver::By::kBounds);
  };
  const auto resolve_estimates = [&](const Expr& e) {
    return ResolveSizes(e, sizes == Sizes::kExact
                               ? SizeResolver::By::kEstimatedSizes
                               : SizeResolver::By::kEstimates);
  };
  std::vector<ResolvedDefinition> result;
  const auto add = [&](int update, const Definition& definition) {
    ResolvedDefinition& resolved = result.emplace_back();
    resolved.update = update;
    resolved.values = definition.values();
    resolved.args = definition.args();
    const Expr& predicate = definition.predicate();
    if (predicate.defined() && !is_const_one(predicate))
      resolved.predicate = predicate;
    resolved.rvars = definition.schedule().rvars();
    TransformExpressions(resolve_bounds, resolved);
    if (sizes == Sizes::kExact)
      TransformExpressions(resolve_estimates, resolved);
    resolved.independent = IndependentDimensions(function, resolved);
    if (sizes == Sizes::kExact) return;
    const bool was_constant = HasConstantDomain(resolved);
    TransformExpressions(resolve_estimates, resolved);
    // Of what only has a range, that is made of it later (RegionFinder).
    resolved.domain_is_estimated = !was_constant;
  };
  if (function.has_pure_definition()) add(-1, function.definition());
  for (size_t i = 0; i < function.updates().size(); ++i)
    add(static_cast<int>(i), function.update(static_cast<int>(i)));
  return result;
}

}  // namespace pruner
