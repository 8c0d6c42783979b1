#include "halide_ext/analyze/lost_reads.h"

#include <set>
#include <string>

#include "halide_ext/analyze/definitions.h"

namespace pruner {
namespace {

using Halide::Expr;
using namespace Halide::Internal;

std::set<std::string> FuncsRead(const ResolvedDefinition& definition) {
  std::set<std::string> names;
  for (const Expr& e : definition.Calls()) {
    const Call* call = e.as<Call>();
    if (call->call_type == Call::Halide) names.insert(call->name);
  }
  return names;
}

bool LosesReads(const Definition& definition) {
  ResolvedDefinition written;
  written.values = definition.values();
  written.args = definition.args();
  written.predicate = definition.predicate();
  ResolvedDefinition left = written;
  for (Expr& e : left.values) e = simplify(e);
  for (Expr& e : left.args) e = simplify(e);
  left.predicate = simplify(left.predicate);
  return FuncsRead(written) != FuncsRead(left);
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
