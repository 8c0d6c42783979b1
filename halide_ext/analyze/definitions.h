// The definitions of a Func as the analysis reads them: every index in terms of
// the definition's own variables and of numbers.
#ifndef HALIDE_EXT_ANALYZE_DEFINITIONS_H_
#define HALIDE_EXT_ANALYZE_DEFINITIONS_H_

#include <string>
#include <vector>

#include "Halide.h"

namespace pruner {

// What is said of the sizes of a pipeline's outputs and inputs.
enum class Sizes {
  // They are always what their bounds say, or their estimates.
  kExact,
  // What has bounds has these; all else may be of any size in each run, and
  // numbers have any value: estimates say what is typical. Nothing that is
  // computed may depend on them.
  kEstimates,
};

// Whether some value of a Func or an input is in the expression.
bool ReadsData(const Halide::Expr& e);

struct ResolvedDefinition {
  int update = -1;  // -1: the pure definition
  std::vector<Halide::Expr> values;
  std::vector<Halide::Expr> args;
  Halide::Expr predicate;  // undefined: none
  std::vector<Halide::Internal::ReductionVariable> rvars;
  // `rvars` are what is typical of what is iterated over.
  bool domain_is_estimated = false;
  // `rvars` are larger than what is iterated over: of each variable that was
  // made larger, whether it is within its range.
  std::vector<Halide::Expr> exact_domain;
  // By dimension: the least and the largest index that it is computed for,
  // where that is known (RegionFinder) to be less than of earlier definitions.
  std::vector<std::pair<int64_t, int64_t>> region;
  // By dimension of the Func: whether iterations that differ in the dimension's
  // variable neither read nor write the same elements of the Func, so that they
  // may run in any order and at once. So it is where the variable stands as
  // itself on the left-hand side and in every reference of the Func to itself,
  // whatever is only estimated.
  std::vector<bool> independent;

  // Calls of Funcs and inputs in the right and left sides and in the
  // conditions.
  std::vector<Halide::Expr> Calls() const;
  // Without which an iteration does nothing: the predicate, the exact domain.
  std::vector<Halide::Expr> Conditions() const;
};

// All definitions, the pure one first; none for an extern Func. What Halide has
// taken out of common expressions (it does so when a Func is defined) is put
// back. Sizes of inputs become numbers where they are bounded or estimated, and
// so do parameters with estimates where sizes are. Funcs of `inlined`, readers
// before what they read, are replaced by their definitions.
std::vector<ResolvedDefinition> ResolveDefinitions(
    const Halide::Internal::Function& function,
    const std::vector<Halide::Internal::Function>& inlined, Sizes sizes);

}  // namespace pruner

#endif  // HALIDE_EXT_ANALYZE_DEFINITIONS_H_
