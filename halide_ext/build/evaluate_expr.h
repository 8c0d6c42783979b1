// Integer expressions as numbers.
#ifndef HALIDE_EXT_BUILD_EVALUATE_EXPR_H_
#define HALIDE_EXT_BUILD_EVALUATE_EXPR_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "Halide.h"

namespace pruner {

// Evaluates what bounds are made of: integers, their arithmetic and
// comparisons, conditions. What is shared is evaluated once.
class ExprEvaluator {
 public:
  // What variables are in terms of others, and numbers for the others.
  ExprEvaluator(const std::map<std::string, Halide::Expr>& lets,
                std::map<std::string, int64_t> numbers)
      : lets_(lets), numbers_(std::move(numbers)) {}

  // Nothing if it holds a variable that nobody knows, or something else.
  std::optional<int64_t> Evaluate(const Halide::Expr& e);

 private:
  std::optional<int64_t> Compute(const Halide::Expr& e);
  std::optional<int64_t> Variable(const std::string& name);

  const std::map<std::string, Halide::Expr>& lets_;
  std::map<std::string, int64_t> numbers_;
  std::map<const Halide::Internal::IRNode*, std::optional<int64_t>> known_;
};

}  // namespace pruner

#endif  // HALIDE_EXT_BUILD_EVALUATE_EXPR_H_
