#include "halide_ext/analyze/extensible.h"

#include <algorithm>
#include <cstddef>

namespace pruner {
namespace {

using Halide::Expr;
using namespace Halide::Internal;

bool IsBounded(const Function& function, const std::string& variable) {
  const std::vector<Bound>& bounds = function.schedule().bounds();
  return std::any_of(bounds.begin(), bounds.end(),
                     [&](const Bound& bound) { return bound.var == variable; });
}

// Whether the index stays within limits wherever the variable is.
bool IsClamped(const Expr& index, const std::string& variable) {
  if (!expr_uses_var(index, variable)) return true;
  Scope<Interval> scope;
  scope.push(variable, Interval::everything());
  return bounds_of_expr_in_scope(index, scope).is_bounded();
}

}  // namespace

bool ExtensibleDimensions::Contains(const Function& function, int d) {
  const auto [entry, is_new] =
      known_.try_emplace({function.name(), d}, /*value=*/false);
  if (!is_new) return entry->second;
  const std::string& name = function.name();
  const auto definitions = regions_.definitions.find(name);
  const bool is_given =
      function.has_extern_definition() || !function.has_pure_definition() ||
      definitions == regions_.definitions.end() ||
      regions_.read_by_extern.contains(name) ||
      std::find(regions_.outputs.begin(), regions_.outputs.end(), name) !=
          regions_.outputs.end() ||
      IsBounded(function, function.args()[d]);
  if (is_given) return false;
  for (const ResolvedDefinition& definition : definitions->second) {
    if (!AsksNoMore(definition, function.args()[d], name)) return false;
  }
  return entry->second = true;
}

bool ExtensibleDimensions::AsksNoMore(const ResolvedDefinition& definition,
                                      const std::string& variable,
                                      const std::string& name) {
  for (const Expr& e : definition.Calls()) {
    const Call* call = e.as<Call>();
    if (call->name == name) continue;
    for (size_t k = 0; k < call->args.size(); ++k) {
      if (IsClamped(call->args[k], variable)) continue;
      if (call->call_type != Call::Halide ||
          !Contains(Function(call->func), static_cast<int>(k)))
        return false;
    }
  }
  return true;
}

}  // namespace pruner
