#include "halide_ext/analyze/selecting_variables.h"

#include <algorithm>

namespace pruner {
namespace {

using Halide::Expr;
using namespace Halide::Internal;

// What an expression is made of.
class Contents : public IRGraphVisitor {
 public:
  std::set<std::string> variables;
  bool reads = false;
  bool is_periodic = false;

 protected:
  using IRGraphVisitor::visit;
  void visit(const Variable* op) override { variables.insert(op->name); }
  void visit(const Mod* op) override {
    is_periodic = true;
    IRGraphVisitor::visit(op);
  }
  void visit(const Call* op) override {
    reads |= op->call_type == Call::Halide || op->call_type == Call::Image;
    IRGraphVisitor::visit(op);
  }
};

Contents ContentsOf(const Expr& e) {
  Contents contents;
  e.accept(&contents);
  return contents;
}

class Collector : public IRGraphVisitor {
 public:
  std::set<std::string> variables, periodic;

 protected:
  using IRGraphVisitor::visit;

  void visit(const Select* op) override {
    Add(op->condition, {op->true_value, op->false_value});
    IRGraphVisitor::visit(op);
  }

  void visit(const Call* op) override {
    if (op->is_intrinsic(Call::mux))
      Add(op->args[0], {op->args.begin() + 1, op->args.end()});
    IRGraphVisitor::visit(op);
  }

 private:
  void Add(const Expr& chooser, const std::vector<Expr>& choices) {
    const Contents contents = ContentsOf(chooser);
    if (contents.is_periodic)
      periodic.insert(contents.variables.begin(), contents.variables.end());
    const bool is_read =
        contents.reads ||
        std::any_of(choices.begin(), choices.end(),
                    [](const Expr& e) { return ContentsOf(e).reads; });
    if (is_read || contents.is_periodic) return;
    variables.insert(contents.variables.begin(), contents.variables.end());
  }
};

Collector ContentsOfSelects(const std::vector<Expr>& values) {
  Collector collector;
  for (const Expr& value : values) value.accept(&collector);
  return collector;
}

}  // namespace

std::set<std::string> SelectingVariables(const std::vector<Expr>& values) {
  return ContentsOfSelects(values).variables;
}

std::set<std::string> PeriodicVariables(const std::vector<Expr>& values) {
  return ContentsOfSelects(values).periodic;
}

}  // namespace pruner
