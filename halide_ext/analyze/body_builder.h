// Halide definitions as the flat lists of typed operations that a ComputeDag's
// stages hold.
#ifndef HALIDE_EXT_ANALYZE_BODY_BUILDER_H_
#define HALIDE_EXT_ANALYZE_BODY_BUILDER_H_

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "Halide.h"
#include "halide_ext/analyze/index_expr.h"
#include "pruner/dag/body.h"

namespace pruner {

ElementType ToElementType(const Halide::Type& type);

// Where a call of a Func or an input reads.
struct ReadSite {
  int access = 0;  // its place in Stage::reads
  // The smallest index of what is read, innermost dimension first.
  std::vector<int64_t> mins = {};
};

// Builds one definition of a stage. Names of variables, Funcs and inputs do not
// come into it; equal operations become one, so that it does not matter which
// of them Halide keeps apart.
class BodyBuilder {
 public:
  // `self` is the name of the Func that is defined, `self_mins` the region's
  // smallest indices, innermost first; `site_of` says where a call of another
  // one reads. All refer to what must outlive the builder, expressions too.
  BodyBuilder(const std::string& self, const std::vector<int64_t>& self_mins,
              const AxisVariables& variables,
              std::function<ReadSite(const Halide::Internal::Call&)> site_of);

  // Appends what `e` needs; its own operation is the result.
  int Add(const Halide::Expr& e);
  // The same of an index, innermost dimension `d` of the Func that is defined.
  int AddIndex(const Halide::Expr& e, int64_t min);
  // A read of all of a stage, as extern stages do.
  int AddWholeRead(ElementType type, int access);

  // What was added so far; the lists of uses are the caller's to fill.
  Definition definition;

 private:
  friend class OpVisitor;

  int Intern(Op op);
  int AddConstant(ElementType type, int64_t value);
  int AddCall(const Halide::Internal::Call& call);

  const std::string& self_;
  const std::vector<int64_t>& self_mins_;
  const AxisVariables& variables_;
  const std::function<ReadSite(const Halide::Internal::Call&)> site_of_;
  std::map<const Halide::Internal::IRNode*, int> done_;
  std::map<std::string, int> interned_;    // by an unambiguous text
  std::map<std::string, int> parameters_;  // by name
  std::map<std::string, int> lets_;        // by name, innermost
};

}  // namespace pruner

#endif  // HALIDE_EXT_ANALYZE_BODY_BUILDER_H_
