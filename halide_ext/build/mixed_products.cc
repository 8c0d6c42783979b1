#include "halide_ext/build/mixed_products.h"

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"

namespace pruner {
namespace {

using Halide::Internal::Call;
using Halide::Internal::Function;
using Halide::Internal::IRGraphVisitor;
using Halide::Internal::IRVisitor;
using Halide::Internal::Store;

class FindsDoubles : public IRGraphVisitor {
 public:
  bool found() const { return found_; }

 private:
  using IRGraphVisitor::visit;

  void visit(const Halide::Internal::Cast* op) override {
    using Halide::Internal::Cast;
    if (op->type.element_of() == Halide::Float(64)) {
      // Types in between change nothing.
      for (const Cast* cast = op; cast != nullptr;
           cast = cast->value.as<Cast>()) {
        found_ |= cast->value.type().element_of() == Halide::UInt(16);
      }
    }
    IRGraphVisitor::visit(op);
  }

  bool found_ = false;
};

// A tuple's elements are stored as "name.0", "name.1" and so on.
std::string FuncOf(const std::string& stored) {
  const size_t dot = stored.rfind('.');
  const bool is_element = dot != std::string::npos && dot + 1 < stored.size() &&
                          absl::c_all_of(stored.substr(dot + 1), [](char c) {
                            return absl::ascii_isdigit(c);
                          });
  return is_element ? stored.substr(0, dot) : stored;
}

// What is computed before a store, in a `let` around it, is for the stores
// inside of that.
class FindsMixedProducts : public IRVisitor {
 public:
  const std::set<std::string>& funcs() const { return funcs_; }

 private:
  using IRVisitor::visit;

  void visit(const Call* op) override {
    if (op->is_intrinsic(Call::widening_mul) &&
        op->args[0].type().is_float() != op->args[1].type().is_float())
      found_ = true;
    IRVisitor::visit(op);
  }

  void visit(const Halide::Internal::LetStmt* op) override {
    const bool outside = found_;
    op->value.accept(this);
    op->body.accept(this);
    found_ = outside;
  }

  void visit(const Store* op) override {
    const bool outside = found_;
    IRVisitor::visit(op);
    if (found_) funcs_.insert(FuncOf(op->name));
    found_ = outside;
  }

  bool found_ = false;
  std::set<std::string> funcs_;
};

}  // namespace

bool MayMixProducts(const Halide::Internal::Stmt& body) {
  FindsDoubles doubles;
  body.accept(&doubles);
  return doubles.found();
}

bool MayMixProducts(const Function& function) {
  FindsDoubles doubles;
  function.accept(&doubles);
  return doubles.found();
}

std::set<std::string> FuncsThatMixProducts(const Halide::Module& module) {
  FindsMixedProducts products;
  for (const Halide::Internal::LoweredFunc& function : module.functions())
    function.body.accept(&products);
  return products.funcs();
}

}  // namespace pruner
