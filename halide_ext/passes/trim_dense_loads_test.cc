#include "halide_ext/passes/trim_dense_loads.h"

#include <sstream>
#include <string>
#include <vector>

#include "Halide.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

using Halide::Expr;
using Halide::Float;
using Halide::Int;
namespace ir = Halide::Internal;
using ir::Stmt;

const Expr kX = ir::Variable::make(Int(32), "x");

Expr Load(const Expr& first, int lanes, int stride = 1) {
  const Expr index = lanes == 1 ? first : ir::Ramp::make(first, stride, lanes);
  return ir::Load::make(Float(32, lanes), "in", index, {}, {},
                        ir::const_true(lanes), ir::ModulusRemainder());
}

// Four elements, every fifth of a dense load.
Expr Slice(const Expr& load, int first) {
  return ir::Shuffle::make_slice(load, first, 5, 4);
}

Stmt Store(const Expr& value) {
  return ir::Store::make("out", value, ir::Ramp::make(0, 1, 4), {},
                         ir::const_true(4), ir::ModulusRemainder());
}

Stmt Loop(const Stmt& body) {
  return ir::For::make("x", 0, 2, ir::ForType::Serial, Halide::Partition::Auto,
                       Halide::DeviceAPI::Host, body);
}

std::string ToText(const Stmt& stmt) {
  std::ostringstream text;
  text << stmt;
  return text.str();
}

void ExpectChanged(const Stmt& before, const Stmt& after) {
  EXPECT_EQ(ToText(TrimDenseLoads(before)), ToText(after));
  EXPECT_TRUE(ir::equal(TrimDenseLoads(before), after));
}

void ExpectKept(const Stmt& stmt) { ExpectChanged(stmt, stmt); }

TEST(TrimDenseLoadsTest, AnotherLoopOfTheSameNameVouchesForNothing) {
  const Stmt other = Loop(Store(Load(kX - 2, 4, 5)));
  ExpectChanged(ir::Block::make(Loop(Store(Slice(Load(kX - 2, 20), 4))), other),
                ir::Block::make(Loop(Store(Load(kX + 2, 4, 5))), other));
}

TEST(TrimDenseLoadsTest, LoadsBesideItVouchForIt) {
  const Expr all = Load(kX - 2, 20);
  const Expr last = Slice(Load(kX + 2, 20), 0);  // x + 2, ..., x + 17
  ExpectKept(Loop(Store(Slice(all, 0) + Slice(all, 4))));
  ExpectKept(
      Loop(ir::Block::make(Store(Slice(all, 4)), Store(Load(kX - 3, 4)))));
  // Where x is; in terms of a let.
  const Expr base = ir::Variable::make(Int(32), "base");
  ExpectKept(Loop(
      ir::LetStmt::make("base", kX - 7,
                        ir::Block::make(Store(Slice(Load(base + 5, 20), 4)),
                                        Store(Slice(all, 0))))));
  // Only the last element is known to be there.
  ExpectChanged(Loop(ir::Block::make(Store(Slice(all, 3)), Store(last))),
                Loop(ir::Block::make(Store(Load(kX + 1, 4, 5)),
                                     Store(Load(kX + 2, 4, 5)))));
}

TEST(TrimDenseLoadsTest, WhatIsSometimesLoadedVouchesInsideOnly) {
  const Expr all = Load(kX - 2, 20);
  const Stmt sometimes = ir::IfThenElse::make(kX > 0, Store(Load(kX - 2, 4)));
  ExpectChanged(Loop(ir::Block::make(sometimes, Store(Slice(all, 4)))),
                Loop(ir::Block::make(sometimes, Store(Load(kX + 2, 4, 5)))));
  ExpectKept(Loop(
      ir::Block::make(Store(Load(kX - 2, 4)),
                      ir::IfThenElse::make(kX > 0, Store(Slice(all, 4))))));
}

TEST(TrimDenseLoadsTest, SharedLoads) {
  const Expr variable = ir::Variable::make(Float(32, 20), "all");
  const auto with = [&](const Expr& value) {
    return Loop(ir::LetStmt::make("all", Load(kX - 2, 20), Store(value)));
  };
  ExpectChanged(with(Slice(variable, 1) + Slice(variable, 4)),
                Loop(Store(Load(kX + -1, 4, 5) + Load(kX + 2, 4, 5))));
  ExpectKept(with(Slice(variable, 0) + Slice(variable, 4)));
  ExpectChanged(with(ir::Shuffle::make({variable}, {18, 3, 3, 1})),
                Loop(Store(ir::Shuffle::make_concat(
                    {Load(kX + 16, 1), Load(kX + 1, 1), Load(kX + 1, 1),
                     Load(kX + -1, 1)}))));
}

TEST(TrimDenseLoadsTest, WhatHalideAllocatesIsPadded) {
  ExpectKept(ir::Allocate::make("in", Float(32), Halide::MemoryType::Heap, {40},
                                ir::const_true(),
                                Loop(Store(Slice(Load(kX, 20), 4)))));
}

}  // namespace
}  // namespace pruner
