#include "halide_ext/build/mixed_products.h"

namespace pruner {
namespace {

using Halide::Internal::Call;

class FindsDoubles : public Halide::Internal::IRVisitor {
 public:
  bool found() const { return found_; }

 private:
  using IRVisitor::visit;

  void visit(const Halide::Internal::Cast* op) override {
    using Halide::Internal::Cast;
    if (op->type.element_of() == Halide::Float(64)) {
      // Types in between change nothing.
      for (const Cast* cast = op; cast != nullptr;
           cast = cast->value.as<Cast>()) {
        found_ |= cast->value.type().element_of() == Halide::UInt(16);
      }
    }
    IRVisitor::visit(op);
  }

  bool found_ = false;
};

class FindsMixedProducts : public Halide::Internal::IRVisitor {
 public:
  bool found() const { return found_; }

 private:
  using IRVisitor::visit;

  void visit(const Call* op) override {
    if (op->is_intrinsic(Call::widening_mul) &&
        op->args[0].type().is_float() != op->args[1].type().is_float())
      found_ = true;
    IRVisitor::visit(op);
  }

  bool found_ = false;
};

}  // namespace

bool MayMixProducts(const Halide::Internal::Stmt& body) {
  FindsDoubles doubles;
  body.accept(&doubles);
  return doubles.found();
}

absl::Status CheckProducts(const Halide::Module& module) {
  FindsMixedProducts products;
  for (const Halide::Internal::LoweredFunc& function : module.functions())
    function.body.accept(&products);
  if (!products.found()) return absl::OkStatus();
  return absl::FailedPreconditionError(
      "Halide 21 compiles no vectors of a uint16_t as a double times a "
      "constant");
}

}  // namespace pruner
