#include "halide_ext/analyze/partial_reads.h"

#include <algorithm>
#include <memory>

#include "Halide.h"

namespace pruner {
namespace {

using Halide::Expr;
using namespace Halide::Internal;

using Names = std::set<std::string>;
using Reads = std::map<std::string, std::set<int>>;

// The variables in an expression, but for those that say where a Func or an
// input is read, and whether a Func is.
class Contents : public IRGraphVisitor {
 public:
  explicit Contents(const Expr& e) { e.accept(this); }

  Names variables;
  bool has_call = false;

 protected:
  using IRGraphVisitor::visit;
  void visit(const Variable* op) override { variables.insert(op->name); }
  void visit(const Call* op) override {
    has_call = has_call || op->call_type == Call::Halide;
    if (op->call_type != Call::Halide && op->call_type != Call::Image)
      IRGraphVisitor::visit(op);
  }
};

bool Meet(const Names& a, const Names& b) {
  return std::any_of(a.begin(), a.end(),
                     [&](const std::string& name) { return b.contains(name); });
}

// Visits each expression once for each set of variables in the conditions
// around it, for expressions are graphs.
class Finder : public IRGraphVisitor {
 public:
  using Finders = std::map<Names, std::unique_ptr<Finder>>;

  Finder(const Names& conditions, Finders& finders, Reads& reads)
      : conditions_(conditions), finders_(finders), reads_(reads) {}

  // The one for expressions under a further condition.
  Finder& Under(const Expr& condition) {
    Names names = Contents(condition).variables;
    names.insert(conditions_.begin(), conditions_.end());
    std::unique_ptr<Finder>& finder = finders_[names];
    if (finder == nullptr)
      finder = std::make_unique<Finder>(names, finders_, reads_);
    return *finder;
  }

  void Find(const Expr& e) { include(e); }

 protected:
  using IRGraphVisitor::visit;
  void visit(const Select* op) override {
    include(op->condition);
    Finder& inside = Under(op->condition);
    inside.Find(op->true_value);
    inside.Find(op->false_value);
  }
  void visit(const Call* op) override {
    if (op->is_intrinsic(Call::if_then_else)) {
      include(op->args[0]);
      Finder& inside = Under(op->args[0]);
      for (size_t i = 1; i < op->args.size(); ++i) inside.Find(op->args[i]);
      return;
    }
    if (op->call_type == Call::Halide || op->call_type == Call::Image) {
      for (size_t d = 0; d < op->args.size(); ++d) {
        const Contents index(op->args[d]);
        if (index.has_call || Meet(index.variables, conditions_))
          reads_[op->name].insert(static_cast<int>(d));
      }
    }
    IRGraphVisitor::visit(op);
  }

 private:
  const Names conditions_;
  Finders& finders_;
  Reads& reads_;
};

}  // namespace

Reads PartialReads(const ResolvedDefinition& definition) {
  Reads reads;
  Finder::Finders finders;
  Finder outermost({}, finders, reads);
  Finder* inside = &outermost;
  for (const Expr& condition : definition.Conditions()) {
    inside->Find(condition);
    inside = &inside->Under(condition);
  }
  for (const Expr& e : definition.values) inside->Find(e);
  for (const Expr& e : definition.args) inside->Find(e);
  return reads;
}

}  // namespace pruner
