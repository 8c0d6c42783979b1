#include "halide_ext/passes/let_values.h"

namespace pruner {
namespace {

using Halide::Expr;
namespace ir = Halide::Internal;

class MentionsVisitor : public ir::IRGraphVisitor {
 public:
  Mentions mentions;

 protected:
  using IRGraphVisitor::visit;
  void visit(const ir::Variable* op) override {
    mentions.variables.insert(op->name);
  }
  void visit(const ir::Load*) override { mentions.pure = false; }
  void visit(const ir::Call* op) override {
    mentions.pure = mentions.pure && op->is_pure();
    IRGraphVisitor::visit(op);
  }
};

}  // namespace

Mentions MentionsOf(const Expr& expr) {
  MentionsVisitor visitor;
  expr.accept(&visitor);
  return visitor.mentions;
}

Expr LetValues::Expand(const Expr& expr) const {
  return ir::substitute_in_all_lets(ir::substitute(values_, expr));
}

LetValues::Scope::Scope(LetValues& lets, const std::string& name,
                        const Expr& value)
    : lets_(lets), name_(name) {
  Expr expanded = value.defined() ? lets_.Expand(value) : value;
  if (const auto found = lets_.values_.find(name);
      found != lets_.values_.end()) {
    hidden_ = found->second;
    lets_.values_.erase(found);
  }
  if (expanded.defined() && MentionsOf(expanded).pure) {
    lets_.values_.emplace(name, expanded);
  }
}

LetValues::Scope::~Scope() {
  lets_.values_.erase(name_);
  if (hidden_.has_value()) lets_.values_.emplace(name_, *hidden_);
}

}  // namespace pruner
