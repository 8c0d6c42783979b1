// The lets in scope, so that indices can be compared.
#ifndef HALIDE_EXT_PASSES_LET_VALUES_H_
#define HALIDE_EXT_PASSES_LET_VALUES_H_

#include <map>
#include <optional>
#include <set>
#include <string>

#include "Halide.h"

namespace pruner {

// The variables an expression names, and whether it may have another value when
// evaluated again (it loads, or calls what is not pure).
struct Mentions {
  std::set<std::string> variables;
  bool pure = true;
};
Mentions MentionsOf(const Halide::Expr& expr);

// Values of the enclosing lets in terms of variables that are none. Lets whose
// value is not pure are variables.
class LetValues {
 public:
  // `expr` without lets, its own or enclosing.
  Halide::Expr Expand(const Halide::Expr& expr) const;

  bool Knows(const std::string& name) const { return values_.count(name) > 0; }

  // Makes `name` stand for `value` (which is expanded), or for itself if there
  // is none or it is not pure, until the end of the scope.
  class Scope {
   public:
    Scope(LetValues& lets, const std::string& name, const Halide::Expr& value);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    LetValues& lets_;
    std::string name_;
    std::optional<Halide::Expr> hidden_;
  };

 private:
  std::map<std::string, Halide::Expr> values_;
};

}  // namespace pruner

#endif  // HALIDE_EXT_PASSES_LET_VALUES_H_
