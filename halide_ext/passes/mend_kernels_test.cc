#include "halide_ext/passes/mend_kernels.h"

#include <functional>
#include <sstream>
#include <string>

#include "Halide.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

using Halide::Expr;
using Halide::Float;
using Halide::Int;
namespace ir = Halide::Internal;
using ir::Stmt;

const Expr kT = ir::Variable::make(Int(32), "t");

Expr Dense(const Expr& base, int lanes) {
  return lanes == 1 ? base : ir::Ramp::make(base, 1, lanes);
}

Expr Load(const std::string& buffer, const Expr& index,
          ir::ModulusRemainder alignment = {}) {
  const int lanes = index.type().lanes();
  return ir::Load::make(Float(32, lanes), buffer, index, {}, {},
                        ir::const_true(lanes), alignment);
}

Stmt Store(const std::string& buffer, const Expr& index, const Expr& value,
           ir::ModulusRemainder alignment = {}) {
  return ir::Store::make(buffer, value, index, {},
                         ir::const_true(index.type().lanes()), alignment);
}

Stmt InThreads(const Stmt& body, int threads = 8) {
  const auto loop = [](const char* name, int extent, ir::ForType type,
                       const Stmt& inner) {
    return ir::For::make(name, 0, extent, type, Halide::Partition::Auto,
                         Halide::DeviceAPI::OpenCL, inner);
  };
  return loop(
      "b", 8, ir::ForType::GPUBlock,
      ir::Allocate::make("shared", Float(32), Halide::MemoryType::GPUShared,
                         {64}, ir::const_true(),
                         loop("t", threads, ir::ForType::GPUThread, body)));
}

std::string ToText(const Stmt& stmt) {
  std::ostringstream text;
  text << stmt;
  return text.str();
}

void ExpectChanged(const Stmt& before, const Stmt& after,
                   bool for_opencl = true) {
  const Stmt result = MendKernels(for_opencl).mutate(InThreads(before));
  EXPECT_EQ(ToText(result), ToText(InThreads(after)));
  EXPECT_TRUE(ir::equal(result, InThreads(after)));
}

TEST(MendKernelsTest, AlignmentFollowsFromTheIndex) {
  for (const bool for_opencl : {false, true}) {
    // The first of an allocation that begins at 29 now.
    ExpectChanged(
        Store("shared", Dense(29, 4), Load("in", Dense(kT * 4, 4)), {0, 0}),
        Store("shared", Dense(29, 4), Load("in", Dense(kT * 4, 4)), {0, 29}),
        for_opencl);
    ExpectChanged(
        ir::LetStmt::make(
            "base", kT * 4,
            Store("out", Dense(0, 2),
                  Load("shared",
                       Dense(ir::Variable::make(Int(32), "base") + 2, 2),
                       {4, 0}))),
        ir::LetStmt::make(
            "base", kT * 4,
            Store("out", Dense(0, 2),
                  Load("shared",
                       Dense(ir::Variable::make(Int(32), "base") + 2, 2),
                       {4, 2}))),
        for_opencl);
  }
}

TEST(MendKernelsTest, ThreeElementsAreNotAligned) {
  const Expr index = Dense(kT * 3, 3);
  const ir::ModulusRemainder aligned = {3, 0};
  ExpectChanged(Store("out", index, Load("in", index, aligned), aligned),
                Store("out", index, Load("in", index)));
}

TEST(MendKernelsTest, LoadsThatWereMadeLonger) {
  const Expr all = Load("in", Dense(kT, 6));
  const Expr whole = ir::Shuffle::make_slice(all, 1, 3, 2);
  const auto at = [](int offset) { return Load("in", kT + offset); };
  ExpectChanged(
      Store("out", Dense(0, 2), whole),
      Store("out", Dense(0, 2), ir::Shuffle::make_concat({at(1), at(4)})));
  const Expr variable = ir::Variable::make(Float(32, 6), "v");
  ExpectChanged(
      ir::LetStmt::make(
          "v", all,
          Store("out", 0, ir::Shuffle::make_extract_element(variable, 5))),
      Store("out", 0, at(5)));
}

TEST(MendKernelsTest, StoresThatWereJoined) {
  const Expr a = Load("in", Dense(0, 4)), b = Load("in", Dense(4, 4)),
             c = Load("in", Dense(8, 4));
  const auto part = [&](const std::vector<int>& indices) {
    return ir::Shuffle::make({a, b, c}, indices);
  };
  ExpectChanged(
      Store("out", Dense(kT, 12), ir::Shuffle::make_interleave({a, b, c})),
      ir::Block::make(
          Store("out", Dense(kT, 8), part({0, 4, 8, 1, 5, 9, 2, 6})),
          Store("out", Dense(kT + 8, 4), part({10, 3, 7, 11}))));
}

TEST(MendKernelsTest, WhatThereIsStays) {
  const Stmt narrow = Store("out", Dense(kT, 4), Load("in", Dense(kT, 4)));
  ExpectChanged(narrow, narrow);
  const Stmt odd = Store("out", Dense(kT, 6), Load("in", Dense(kT, 6)));
  ExpectChanged(odd, odd, /*for_opencl=*/false);
  EXPECT_TRUE(ir::equal(MendKernels(true).mutate(odd), odd));
}

TEST(MendKernelsTest, BroadcastNumbersAreWrittenOut) {
  const Expr wide = ir::Broadcast::make(kT, 4);
  const Stmt stmt = InThreads(
      ir::Store::make("out", wide, Dense(0, 4), {}, ir::const_true(4), {}));
  const std::string text = ToText(MendKernels(true).mutate(stmt));
  EXPECT_NE(text.find("let b"), std::string::npos) << text;
  EXPECT_NE(text.find("concat_vectors(b"), std::string::npos) << text;
  EXPECT_TRUE(ir::equal(MendKernels(false).mutate(stmt), stmt));
}

TEST(MendKernelsTest, ASingleThreadWaitsForNone) {
  const Stmt barrier = ir::Evaluate::make(ir::Call::make(
      Int(32), ir::Call::gpu_thread_barrier, {Expr(0)}, ir::Call::Intrinsic));
  ExpectChanged(barrier, barrier);
  EXPECT_TRUE(ir::equal(MendKernels(true).mutate(InThreads(barrier, 1)),
                        InThreads(ir::Evaluate::make(0), 1)));
}

TEST(MendKernelsTest, AssertionsAreLeftOutOfKernels) {
  const Stmt check = ir::AssertStmt::make(kT < 9, Expr(1));
  ExpectChanged(check, ir::Evaluate::make(0));
  EXPECT_TRUE(ir::equal(MendKernels(true).mutate(check), check));
  const Stmt failing =
      InThreads(ir::AssertStmt::make(ir::const_false(), Expr(1)));
  EXPECT_THROW(MendKernels(true).mutate(failing), Halide::CompileError);
}

}  // namespace
}  // namespace pruner
