#include "halide_ext/tests/halide_loops.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "Halide.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

using Halide::Func;
using Halide::MemoryType;
using Halide::RDom;
using Halide::RVar;
using Halide::TailStrategy;
using Halide::Target;
using Halide::Tuple;
using Halide::Var;

Target Cpu() {
  return Target("x86-64-linux-avx2-fma-no_asserts-no_bounds_query");
}
Target OpenCl() { return Target("x86-64-linux-avx2-opencl-no_bounds_query"); }

// Of a pipeline whose output has these extents, from 0.
std::string Lowered(const Func& output, const std::vector<int>& extents,
                    const Target& target = Cpu()) {
  for (Halide::OutputImageParam buffer : output.output_buffers()) {
    for (size_t d = 0; d < extents.size(); ++d)
      buffer.dim(static_cast<int>(d)).set_bounds(0, extents[d]);
  }
  const absl::StatusOr<HalideProgram> program =
      LowerWithHalide(Halide::Pipeline(output), target);
  return program.ok() ? "\n" + program->ToString()
                      : std::string(program.status().message());
}

struct Vars {
  Var x{"x"}, y{"y"}, xo{"xo"}, xi{"xi"}, xv{"xv"}, yo{"yo"}, yi{"yi"};
};

TEST(HalideLoopsTest, ATailIsAGuardOrAShiftOrMoreThanIsAskedFor) {
  const Vars v;
  Func guard("tail_guard"), shift("tail_shift");
  guard(v.x) = Halide::cast<float>(v.x);
  guard.split(v.x, v.xo, v.xi, 8, TailStrategy::GuardWithIf);
  EXPECT_EQ(Lowered(guard, {100}), R"(
for tail_guard.s0 xo 13, 1 times, 13 iterations
  for tail_guard.s0 xi 8, 13 times, 104 iterations
    store tail_guard.0 s0 guarded, 1 copies, lanes 1
)");
  shift(v.x) = Halide::cast<float>(v.x);
  shift.split(v.x, v.xo, v.xi, 8, TailStrategy::ShiftInwards);
  EXPECT_EQ(Lowered(shift, {100}), R"(
for tail_shift.s0 xo 13, 1 times, 13 iterations
  for tail_shift.s0 xi 8, 13 times, 104 iterations
    store tail_shift.0 s0, 1 copies, lanes 1
)");
  Func round("tail_round"), reader("tail_reader");
  round(v.x) = Halide::cast<float>(v.x);
  round.compute_root().split(v.x, v.xo, v.xi, 8, TailStrategy::RoundUp);
  reader(v.x) = round(v.x) + 1;
  EXPECT_EQ(Lowered(reader, {100}), R"(
allocate tail_round.0 float32[104] in Auto
for tail_round.s0 xo 13, 1 times, 13 iterations
  for tail_round.s0 xi 8, 13 times, 104 iterations
    store tail_round.0 s0, 1 copies, lanes 1
for tail_reader.s0 x 100, 1 times, 100 iterations
  store tail_reader.0 s0, 1 copies, lanes 1
)");
}

TEST(HalideLoopsTest, BoundsOfLessThanIsNeededAreFound) {
  const auto exceeded = [](int extent) {
    const Vars v;
    Func f("exceeded_f"), g("exceeded_g");
    f(v.x) = Halide::cast<float>(v.x);
    g(v.x) = f(v.x) + f(Halide::min(v.x + 1, 99));
    g.output_buffer().dim(0).set_bounds(0, 100);
    f.compute_at(g, v.x).bound_extent(v.x, extent);
    return LowerWithHalide(Halide::Pipeline(g), Cpu())->exceeded_bounds;
  };
  EXPECT_EQ(exceeded(1), std::vector<std::string>{"x of exceeded_f"});
  EXPECT_EQ(exceeded(2), std::vector<std::string>{});
}

TEST(HalideLoopsTest, LoopsThatRunOnceAreDropped) {
  const Vars v;
  Func f("once_f"), g("once_g");
  RDom r(0, 5, "r");
  f(v.x, v.y) = 0.f;
  f(v.x, v.y) += Halide::cast<float>(v.x + r);
  g(v.x, v.y) = f(v.x, v.y) * 2;
  g.split(v.x, v.xo, v.xi, 1, TailStrategy::GuardWithIf);
  f.compute_at(g, v.xo);
  f.update().unroll(r);
  EXPECT_EQ(Lowered(g, {7, 1}), R"(
for once_g.s0 xo 7, 1 times, 7 iterations
  allocate once_f.0 float32[1][1] in Auto
  store once_f.0 s0, 1 copies, lanes 1
  unrolled once_f.s1 r$x 5, 7 times, 35 iterations
    store once_f.0 s1, 5 copies, lanes 1
  store once_g.0 s0, 1 copies, lanes 1
)");
}

TEST(HalideLoopsTest, FusedVectorizedUnrolledAndParallel) {
  const Vars v;
  Func f("fused_f");
  Var p("p");
  f(v.x, v.y) = Halide::cast<float>(v.x * v.y);
  f.split(v.x, v.xo, v.xi, 32, TailStrategy::RoundUp)
      .split(v.xi, v.xi, v.xv, 8, TailStrategy::RoundUp)
      .fuse(v.xo, v.y, p)
      .reorder(v.xv, v.xi, p)
      .vectorize(v.xv)
      .unroll(v.xi)
      .parallel(p);
  EXPECT_EQ(Lowered(f, {96, 6}), R"(
parallel fused_f.s0 p 18, 1 times, 18 iterations
  unrolled fused_f.s0 xi 4, 18 times, 72 iterations
    vectorized fused_f.s0 xv 8, 72 times, 576 iterations
      store fused_f.0 s0, 4 copies, lanes 8
)");
}

TEST(HalideLoopsTest, AClampedReadMakesExtentsVary) {
  const Vars v;
  Func f("clamped_f"), g("clamped_g");
  f(v.x) = Halide::cast<float>(v.x);
  g(v.x) = f(max(v.x - 1, 0)) + f(min(v.x + 1, 99));
  g.split(v.x, v.xo, v.xi, 8, TailStrategy::GuardWithIf);
  f.compute_at(g, v.xo);
  EXPECT_EQ(Lowered(g, {100}), R"(
for clamped_g.s0 xo 13, 1 times, 13 iterations
  allocate clamped_f.0 float32[varying 5..10] in Auto
  for clamped_f.s0 x varying 5..10, 13 times, 124 iterations
    store clamped_f.0 s0, 1 copies, lanes 1
  for clamped_g.s0 xi 8, 13 times, 104 iterations
    store clamped_g.0 s0 guarded, 1 copies, lanes 1
)");
}

TEST(HalideLoopsTest, ALoopThatIsNotProvenToRunOnceStays) {
  const Vars v;
  Func f("unproven_f"), g("unproven_g");
  f(v.x) = Halide::cast<float>(v.x);
  g(v.x) = f(max(v.x - 1, 0)) + f(min(v.x + 1, 99));
  g.split(v.x, v.xo, v.xi, 8, TailStrategy::GuardWithIf);
  f.compute_at(g, v.xo).split(v.x, v.yo, v.xv, 16, TailStrategy::GuardWithIf);
  f.vectorize(v.xv);
  EXPECT_EQ(Lowered(g, {100}), R"(
for unproven_g.s0 xo 13, 1 times, 13 iterations
  allocate unproven_f.0 float32[varying 5..10] in Auto
  for unproven_f.s0 yo varying 1, 13 times, 13 iterations
    vectorized unproven_f.s0 xv 16, 13 times, 208 iterations
      store unproven_f.0 s0 guarded, 1 copies, lanes 16
  for unproven_g.s0 xi 8, 13 times, 104 iterations
    store unproven_g.0 s0 guarded, 1 copies, lanes 1
)");
}

TEST(HalideLoopsTest, ABoundedExtentIsGuarded) {
  const Vars v;
  Func f("bounded_f"), g("bounded_g");
  f(v.x) = Halide::cast<float>(v.x);
  g(v.x) = f(v.x) + 1;
  g.split(v.x, v.xo, v.xi, 8, TailStrategy::GuardWithIf);
  f.compute_at(g, v.xo).vectorize(v.x);
  EXPECT_EQ(Lowered(g, {100}), R"(
for bounded_g.s0 xo 13, 1 times, 13 iterations
  allocate bounded_f.0 float32[varying 4..8] in Auto
  vectorized bounded_f.s0 x 8, 13 times, 104 iterations
    store bounded_f.0 s0 guarded, 1 copies, lanes 8
  for bounded_g.s0 xi 8, 13 times, 104 iterations
    store bounded_g.0 s0 guarded, 1 copies, lanes 1
)");
}

TEST(HalideLoopsTest, AnExtentWithoutABoundIsRefused) {
  const Vars v;
  Func f("refused_f"), g("refused_g");
  f(v.x) = Halide::cast<float>(v.x);
  g(v.x) = f(max(v.x - 1, 0)) + f(min(v.x + 1, 99)) + f(v.x);
  g.split(v.x, v.xo, v.xi, 8, TailStrategy::GuardWithIf);
  f.compute_at(g, v.xo).vectorize(v.x);
  EXPECT_EQ(
      Lowered(g, {100}),
      R"(Halide: Error: Can only vectorize for loops over a constant extent.
Loop over refused_f.s0.x has extent ((max(min(refused_g.s0.x.xo*8, 92), min(refused_g.s0.x.xo*8, 91) + 1) - min(refused_g.s0.x.xo*8, min(max(refused_g.s0.x.xo*8, 1), (refused_g.s0.x.xo*8) + 2) + -1)) + 8).)");
}

TEST(HalideLoopsTest, AReductionIsInitializedWhereItIsComputed) {
  const Vars v;
  Func f("sum_f"), g("sum_g");
  RDom r(0, 20, "r");
  RVar ro("ro"), ri("ri");
  f(v.x, v.y) = 0.f;
  f(v.x, v.y) += Halide::cast<float>(r + v.x * v.y);
  g(v.x, v.y) = f(v.x, v.y) * 2;
  g.split(v.x, v.xo, v.xi, 8, TailStrategy::ShiftInwards).parallel(v.y);
  f.compute_at(g, v.xo).store_in(MemoryType::Stack).vectorize(v.x);
  f.update()
      .split(r, ro, ri, 4, TailStrategy::GuardWithIf)
      .reorder(v.x, ri, ro, v.y)
      .unroll(ri)
      .vectorize(v.x);
  EXPECT_EQ(Lowered(g, {100, 3}), R"(
parallel sum_g.s0 y 3, 1 times, 3 iterations
  for sum_g.s0 xo 13, 3 times, 39 iterations
    allocate sum_f.0 float32[8][1] in Stack
    vectorized sum_f.s0 x 8, 39 times, 312 iterations
      store sum_f.0 s0, 1 copies, lanes 8
    for sum_f.s1 ro 5, 39 times, 195 iterations
      unrolled sum_f.s1 ri 4, 195 times, 780 iterations
        vectorized sum_f.s1 x 8, 780 times, 6240 iterations
          store sum_f.0 s1, 4 copies, lanes 8
    for sum_g.s0 xi 8, 39 times, 312 iterations
      store sum_g.0 s0, 1 copies, lanes 1
)");
}

TEST(HalideLoopsTest, AFactoredReductionIsAFuncOfItsOwn) {
  const Vars v;
  Func f("factored");
  RDom r(0, 24, "r");
  RVar ro("ro"), ri("ri");
  Var u("u");
  f(v.x) = 0.f;
  f(v.x) += Halide::cast<float>(r + v.x);
  f.update().split(r, ro, ri, 6, TailStrategy::GuardWithIf);
  Func partial = f.update().rfactor(ro, u);
  partial.compute_root().vectorize(v.x, 8).parallel(u);
  partial.update().parallel(u);
  EXPECT_EQ(Lowered(f, {16}), R"(
allocate factored_intm.0 float32[16][4] in Auto
parallel factored_intm.s0 u 4, 1 times, 4 iterations
  for factored_intm.s0 x 2, 4 times, 8 iterations
    vectorized factored_intm.s0 v20 8, 8 times, 64 iterations
      store factored_intm.0 s0, 1 copies, lanes 8
for factored_intm.s1 x 16, 1 times, 16 iterations
  parallel factored_intm.s1 u 4, 16 times, 64 iterations
    for factored_intm.s1 ri 6, 64 times, 384 iterations
      store factored_intm.0 s1, 1 copies, lanes 1
for factored.s0 x 16, 1 times, 16 iterations
  store factored.0 s0, 1 copies, lanes 1
for factored.s1 x 16, 1 times, 16 iterations
  for factored.s1 ro 4, 16 times, 64 iterations
    store factored.0 s1, 1 copies, lanes 1
)");
}

TEST(HalideLoopsTest, AWrapperInSharedMemory) {
  const Vars v;
  Func f("tile_f"), g("tile_g");
  f(v.x, v.y) = Halide::cast<float>(v.x * v.y);
  g(v.x, v.y) = f(v.x, v.y) + f(v.x + 1, v.y);
  g.split(v.x, v.xo, v.xi, 16, TailStrategy::GuardWithIf)
      .split(v.y, v.yo, v.yi, 4, TailStrategy::RoundUp)
      .reorder(v.xi, v.yi, v.xo, v.yo)
      .gpu_blocks(v.xo, v.yo)
      .gpu_threads(v.xi, v.yi);
  f.compute_root().split(v.x, v.xo, v.xi, 8, TailStrategy::GuardWithIf);
  f.gpu_blocks(v.xo, v.y).gpu_threads(v.xi);
  f.in(g)
      .compute_at(g, v.xo)
      .store_in(MemoryType::GPUShared)
      .gpu_threads(v.x, v.y);
  EXPECT_EQ(Lowered(g, {60, 16}, OpenCl()), R"(
allocate tile_f.0 float32[61][16] in Auto of the device
gpu_block tile_f.s0 y 16, 1 times, 16 iterations
  gpu_block tile_f.s0 xo 8, 16 times, 128 iterations
    gpu_thread tile_f.s0 xi 8, 128 times, 1024 iterations
      store tile_f.0 s0 guarded, 1 copies, lanes 1
gpu_block tile_g.s0 yo 4, 1 times, 4 iterations
  gpu_block tile_g.s0 xo 4, 4 times, 16 iterations
    allocate tile_f_in_tile_g$0.0 float32[varying 13..17][4] in GPUShared
    gpu_thread tile_f_in_tile_g$0.s0 y 4, 16 times, 64 iterations
      gpu_thread tile_f_in_tile_g$0.s0 x varying 13..17, 64 times, 1024 iterations
        store tile_f_in_tile_g$0.0 s0, 1 copies, lanes 1
    gpu_thread tile_g.s0 yi 4, 16 times, 64 iterations
      gpu_thread tile_g.s0 xi 16, 64 times, 1024 iterations
        store tile_g.0 s0 guarded, 1 copies, lanes 1
)");
}

TEST(HalideLoopsTest, ATupleIsStoredByComponents) {
  const Vars v;
  Func f("tuple_f"), g("tuple_g");
  RDom r(0, 10, "r");
  f(v.x) = Tuple(0.f, 0);
  f(v.x) = Tuple(f(v.x)[0] + Halide::cast<float>(r), f(v.x)[1] + v.x);
  g(v.x) = f(v.x)[0] * f(v.x)[1];
  f.compute_root();
  f.vectorize(v.x, 4);
  f.update().unscheduled();
  EXPECT_EQ(Lowered(g, {32}), R"(
allocate tuple_f.0 float32[32] in Auto
allocate tuple_f.1 int32[32] in Auto
for tuple_f.s0 x 8, 1 times, 8 iterations
  vectorized tuple_f.s0 v22 4, 8 times, 32 iterations
    store tuple_f.0 s0, 1 copies, lanes 4
    store tuple_f.1 s0, 1 copies, lanes 4
for tuple_f.s1 x 32, 1 times, 32 iterations
  for tuple_f.s1 r$x 10, 32 times, 320 iterations
    store tuple_f.0 s1, 1 copies, lanes 1
    store tuple_f.1 s1, 1 copies, lanes 1
for tuple_g.s0 x 32, 1 times, 32 iterations
  store tuple_g.0 s0, 1 copies, lanes 1
)");
}

TEST(HalideLoopsTest, APredicateGuardsAndDoesNotShorten) {
  const Vars v;
  Func f("where_f");
  RDom triangle(0, 10, 0, 10, "t");
  triangle.where(triangle.x <= triangle.y);
  f(v.x) = 0.f;
  f(triangle.x) += Halide::cast<float>(triangle.y);
  EXPECT_EQ(Lowered(f, {10}), R"(
for where_f.s0 x 10, 1 times, 10 iterations
  store where_f.0 s0, 1 copies, lanes 1
for where_f.s1 t$y 10, 1 times, 10 iterations
  for where_f.s1 t$x 10, 10 times, 100 iterations
    store where_f.0 s1 guarded, 1 copies, lanes 1
)");
}

TEST(HalideLoopsTest, OneDefinitionIsComputedInAnother) {
  const Vars v;
  Func f("inner_f"), g("outer_g");
  RDom r(0, 6, "r");
  f(v.x) = Halide::cast<float>(v.x);
  f(v.x) = f(v.x) * 2;
  f(v.x) = f(v.x) + 1;
  g(v.x) = 0.f;
  g(v.x) += f(v.x + r) + f(v.x + r + 1);
  f.compute_at(g, r);
  f.update(0).unroll(v.x);
  f.update(1).unscheduled();
  EXPECT_EQ(Lowered(g, {9}), R"(
for outer_g.s0 x 9, 1 times, 9 iterations
  store outer_g.0 s0, 1 copies, lanes 1
for outer_g.s1 x 9, 1 times, 9 iterations
  for outer_g.s1 r$x 6, 9 times, 54 iterations
    allocate inner_f.0 float32[2] in Auto
    for inner_f.s0 x 2, 54 times, 108 iterations
      store inner_f.0 s0, 1 copies, lanes 1
    unrolled inner_f.s1 x 2, 54 times, 108 iterations
      store inner_f.0 s1, 2 copies, lanes 1
    for inner_f.s2 x 2, 54 times, 108 iterations
      store inner_f.0 s2, 1 copies, lanes 1
    store outer_g.0 s1, 1 copies, lanes 1
)");
}

TEST(HalideLoopsTest, AGatherComputesWhatMayBeRead) {
  const Vars v;
  Func table("table"), f("gathered_f"), g("gathered_g");
  table(v.x) = clamp(v.x * 3, 0, 19);
  table.compute_root();
  f(v.x) = Halide::cast<float>(v.x);
  g(v.x) = f(table(v.x)) + f(table(v.x) + 1);
  f.compute_at(g, v.x);
  EXPECT_EQ(Lowered(g, {20}), R"(
allocate table.0 int32[20] in Auto
for table.s0 x 20, 1 times, 20 iterations
  store table.0 s0, 1 copies, lanes 1
for gathered_g.s0 x 20, 1 times, 20 iterations
  allocate gathered_f.0 float32[21] in Auto
  for gathered_f.s0 x 21, 20 times, 420 iterations
    store gathered_f.0 s0, 1 copies, lanes 1
  store gathered_g.0 s0, 1 copies, lanes 1
)");
}

TEST(HalideLoopsTest, WhatTheValuesOfTensorsDecideIsMarked) {
  const Vars v;
  Func condition("condition"), f("inexact_f"), g("inexact_g");
  condition(v.x) = Halide::cast<int>(sqrt(Halide::cast<float>(v.x)));
  condition.compute_root();
  RDom r(0, 8, "r");
  r.where(condition(r) > 1);
  f(v.x) = Halide::cast<float>(v.x);
  g(v.x) = 0.f;
  g(r) += f(r) + f(r + 1);
  f.compute_at(g, r);
  EXPECT_EQ(Lowered(g, {8}), R"(
allocate condition.0 int32[8] in Auto
for condition.s0 x 8, 1 times, 8 iterations
  store condition.0 s0, 1 copies, lanes 1
for inexact_g.s0 x 8, 1 times, 8 iterations
  store inexact_g.0 s0, 1 copies, lanes 1
for inexact_g.s1 r$x 8, 1 times, 8 iterations
  allocate inexact_f.0 float32[2] in Auto
  for inexact_f.s0 x 2? guarded, 8 times, 16 iterations
    store inexact_f.0 s0, 1 copies, lanes 1
  store inexact_g.0 s1 guarded, 1 copies, lanes 1
)");
  // Nor is it known how large a buffer is that comes without bounds.
  Func free("free");
  free(v.x) = Halide::cast<float>(v.x);
  EXPECT_EQ(Lowered(free, {}), R"(
for free.s0 x varying 1?, 1 times, 1 iterations
  store free.0 s0, 1 copies, lanes 1
)");
}

TEST(HalideLoopsTest, WhatIsReadBesideAnInputIsSeen) {
  const Vars v;
  Halide::ImageParam in(Halide::Float(32), 1, "in");
  in.dim(0).set_bounds(0, 20);
  Func f("read_f"), g("read_g");
  f(v.x) = in(v.x);
  g(v.x) = f(v.x) + 1;
  g.output_buffer().dim(0).set_bounds(0, 8);
  // Sixteen are computed where eight are asked for, the last ones of which
  // end where these do.
  f.compute_root().split(v.x, v.xo, v.xi, 16, TailStrategy::ShiftInwards);
  const absl::StatusOr<HalideProgram> program =
      LowerWithHalide(Halide::Pipeline(g), Cpu());
  ASSERT_TRUE(program.ok()) << program.status();
  ASSERT_EQ(program->accesses.size(), 2);
  EXPECT_EQ(program->accesses[0].buffer, "in");
  EXPECT_EQ(program->accesses[0].dimension, 0);
  EXPECT_EQ(program->accesses[0].min, -8);
  EXPECT_EQ(program->accesses[0].max, 7);
  EXPECT_EQ(program->accesses[1].buffer, "read_g");
  EXPECT_EQ(program->accesses[1].min, 0);
  EXPECT_EQ(program->accesses[1].max, 7);
}

}  // namespace
}  // namespace pruner
