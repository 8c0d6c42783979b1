#include "halide_ext/analyze/definitions.h"

#include <map>
#include <string>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"

namespace pruner {
namespace {

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

// Replaces "input.extent.0" and "input.min.0" by what is known of the input.
class SizeResolver : public IRMutator {
 protected:
  using IRMutator::visit;
  Expr visit(const Variable* op) override {
    if (!op->param.defined() || !op->param.is_buffer()) return op;
    const std::vector<std::string> parts = absl::StrSplit(op->name, '.');
    int d = 0;
    if (parts.size() < 3 || !absl::SimpleAtoi(parts.back(), &d)) return op;
    const std::string& what = parts[parts.size() - 2];
    const Halide::Parameter& p = op->param;
    if (d < 0 || d >= p.dimensions()) return op;
    Expr size;
    if (what == "extent") {
      size = p.extent_constraint(d);
      if (!size.defined()) size = p.extent_constraint_estimate(d);
    } else if (what == "min") {
      size = p.min_constraint(d);
      if (!size.defined()) size = p.min_constraint_estimate(d);
    }
    return size.defined() ? size : Expr(op);
  }
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

Expr ResolveSizes(const Expr& e) {
  const Expr resolved = SizeResolver().mutate(e);
  return resolved.same_as(e) ? e : simplify(resolved);
}

bool IsVariable(const Expr& e, const std::string& name) {
  const auto* variable = e.as<Variable>();
  return variable != nullptr && variable->name == name;
}

}  // namespace

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
    const Function& function, const std::vector<Function>& inlined) {
  if (function.has_extern_definition()) return {};
  const auto inline_all = [&](Expr e) {
    for (const Function& other : inlined) e = Inliner(other).mutate(e);
    return e;
  };
  const auto resolve = [&](const Expr& e) {
    return ResolveSizes(substitute_in_all_lets(inline_all(e)));
  };
  std::vector<ResolvedDefinition> result;
  const auto add = [&](int update, const Definition& definition) {
    ResolvedDefinition& resolved = result.emplace_back();
    resolved.update = update;
    for (const Expr& e : definition.values())
      resolved.values.push_back(resolve(e));
    for (const Expr& e : definition.args()) resolved.args.push_back(resolve(e));
    const Expr& predicate = definition.predicate();
    if (predicate.defined() && !is_const_one(predicate))
      resolved.predicate = resolve(predicate);
    for (ReductionVariable r : definition.schedule().rvars()) {
      r.min = simplify(resolve(r.min));
      r.extent = simplify(resolve(r.extent));
      resolved.rvars.push_back(std::move(r));
    }
  };
  if (function.has_pure_definition()) add(-1, function.definition());
  for (size_t i = 0; i < function.updates().size(); ++i)
    add(static_cast<int>(i), function.update(static_cast<int>(i)));
  return result;
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

}  // namespace pruner
