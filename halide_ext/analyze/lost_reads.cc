#include "halide_ext/analyze/lost_reads.h"

#include <set>
#include <string>
#include <vector>

namespace pruner {
namespace {

using Halide::Expr;
using namespace Halide::Internal;

class FuncsRead : public IRGraphVisitor {
 public:
  void Add(const Expr& e) { include(e); }

  std::set<std::string> names;

 protected:
  using IRGraphVisitor::visit;
  void visit(const Call* op) override {
    if (op->call_type == Call::Halide) names.insert(op->name);
    IRGraphVisitor::visit(op);
  }
};

bool LosesReads(const Definition& definition) {
  FuncsRead written, left;
  for (const std::vector<Expr>& all :
       {definition.values(), definition.args(),
        std::vector<Expr>{definition.predicate()}}) {
    for (const Expr& e : all) {
      written.Add(e);
      left.Add(simplify(e));
    }
  }
  return written.names != left.names;
}

}  // namespace

bool LosesReads(const Function& function) {
  if (!function.has_pure_definition()) return false;
  if (LosesReads(function.definition())) return true;
  for (const Definition& update : function.updates()) {
    if (LosesReads(update)) return true;
  }
  return false;
}

}  // namespace pruner
