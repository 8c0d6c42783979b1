#include "halide_ext/passes/kernel_shape.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "halide_ext/passes/let_values.h"

namespace pruner {
namespace {

namespace ir = Halide::Internal;

class ShapeVisitor : public ir::IRVisitor {
 public:
  std::vector<KernelShape> shapes;

 protected:
  using IRVisitor::visit;

  void visit(const ir::LetStmt* op) override {
    const LetValues::Scope let(lets_, op->name, op->value);
    op->body.accept(this);
  }

  void visit(const ir::For* op) override {
    const LetValues::Scope loop_variable(lets_, op->name, Halide::Expr());
    const bool block = op->for_type == ir::ForType::GPUBlock;
    const bool thread = op->for_type == ir::ForType::GPUThread ||
                        op->for_type == ir::ForType::GPULane;
    if (block && depth_++ == 0) shapes.push_back({.name = op->name});
    if (depth_ > 0 && (block || thread)) {
      KernelShape& shape = shapes.back();
      Widen(*op, block ? shape.blocks : shape.threads);
    }
    op->body.accept(this);
    if (block) --depth_;
  }

  void visit(const ir::Allocate* op) override {
    if (op->memory_type == Halide::MemoryType::GPUShared && depth_ > 0) {
      int64_t bytes = op->type.bytes();
      for (const Halide::Expr& extent : op->extents) bytes *= Constant(extent);
      shapes.back().shared_bytes += bytes;
      if (bytes == 0) shapes.back().fixed_shared = false;
    }
    op->body.accept(this);
  }

 private:
  // Its value, or 0 if it has no single one.
  int64_t Constant(const Halide::Expr& expr) const {
    return ir::as_const_int(ir::simplify(lets_.Expand(expr))).value_or(0);
  }

  // Loops of a kernel end in the dimension they stand for.
  void Widen(const ir::For& loop, LaunchExtents& extents) const {
    int64_t& extent = absl::EndsWith(loop.name, "_id_z")   ? extents.z
                      : absl::EndsWith(loop.name, "_id_y") ? extents.y
                                                           : extents.x;
    const int64_t iterations = Constant(loop.extent);
    extent = iterations == 0 || extent == 0 ? 0 : std::max(extent, iterations);
  }

  LetValues lets_;
  int depth_ = 0;  // loops over blocks around
};

class Describe : public ir::IRMutator {
 public:
  explicit Describe(std::vector<KernelShape>* shapes) : shapes_(shapes) {}

  using IRMutator::mutate;
  ir::Stmt mutate(const ir::Stmt& stmt) override {
    for (KernelShape& shape : KernelShapesOf(stmt)) {
      shapes_->push_back(std::move(shape));
    }
    return stmt;
  }

 private:
  std::vector<KernelShape>* shapes_;
};

}  // namespace

std::vector<KernelShape> KernelShapesOf(const ir::Stmt& stmt) {
  ShapeVisitor visitor;
  stmt.accept(&visitor);
  return std::move(visitor.shapes);
}

void AddKernelShapes(Halide::Pipeline& pipeline,
                     std::vector<KernelShape>* shapes) {
  pipeline.add_custom_lowering_pass(new Describe(shapes));
}

}  // namespace pruner
