#include "halide_ext/passes/sample_gemm.h"

namespace pruner {
namespace {

using Halide::Func;
using Halide::RDom;
using Halide::RVar;
using Halide::Stage;
using Halide::TailStrategy;
using Halide::Var;

// The loops of one dimension.
struct Loops {
  Var block, virtual_thread, thread, inner;
};

// Partial tiles are computed whole: tails that shift inwards, the default,
// would give accumulators to other threads than the output takes them from.
void SplitInBlock(Stage stage, const Var& dimension, const Loops& loops,
                  const GemmTile& tile) {
  const Var rest;
  stage
      .split(dimension, loops.virtual_thread, rest, tile.threads * tile.inner,
             TailStrategy::RoundUp)
      .split(rest, loops.thread, loops.inner, tile.inner);
}

void UnrollInner(Stage stage, const Loops& i, const Loops& j, bool vectorize) {
  if (vectorize) {
    stage.vectorize(j.inner);
  } else {
    stage.unroll(j.inner);
  }
  stage.unroll(i.inner).unroll(j.virtual_thread).unroll(i.virtual_thread);
}

void FixShape(Halide::OutputImageParam image, int width, int height) {
  image.dim(0).set_bounds(0, width).set_stride(1);
  image.dim(1).set_bounds(0, height).set_stride(width);
  image.set_host_alignment(64);
}

// All threads copy what the block needs of an input, four at a time.
void StageInShared(Func staged, const GemmOptions& options) {
  const Var all, vectors, lane, rest, threads, threads_j, threads_i;
  const Var x = staged.args()[0];
  const Var y = staged.args()[1];
  staged.fuse(x, y, all)
      .split(all, vectors, lane, 4)
      .split(vectors, rest, threads,
             options.row.threads * options.column.threads,
             TailStrategy::GuardWithIf)
      .split(threads, threads_i, threads_j, options.column.threads)
      .vectorize(lane)
      .never_partition_all()
      .gpu_threads(threads_j, threads_i);
}

}  // namespace

Gemm GemmAlgorithm(const GemmOptions& options) {
  Gemm gemm = {
      .a = Halide::ImageParam(Halide::Float(32), 2, "a"),
      .b = Halide::ImageParam(Halide::Float(32), 2, "b"),
      .funcs = {.a = Func(), .b = Func(), .c = Func("c"), .out = Func("out")},
      .pipeline = {}};
  const Var i("i"), j("j");
  const RDom k(0, options.depth, "k");
  Func& c = gemm.funcs.c;
  Func& out = gemm.funcs.out;
  c(j, i) += gemm.a(k, i) * gemm.b(j, k);
  out(j, i) = options.reads_neighbour ? Halide::max(c(j, i) + c(j + 1, i), 0.0f)
                                      : Halide::max(c(j, i), 0.0f);
  gemm.funcs.a = gemm.a;
  gemm.funcs.b = gemm.b;
  FixShape(gemm.a, options.depth, options.PaddedRows());
  FixShape(gemm.b, options.PaddedColumns() + (options.reads_neighbour ? 1 : 0),
           options.depth);
  FixShape(out.output_buffer(), options.columns, options.rows);
  gemm.pipeline = Halide::Pipeline(out);
  return gemm;
}

void ScheduleGemm(const GemmOptions& options, GemmFuncs funcs) {
  Func& c = funcs.c;
  Func& out = funcs.out;
  const Loops i, j;
  const Var rest_i, rest_j;
  Stage(out)
      .split(out.args()[0], j.block, rest_j, options.column.Block(),
             TailStrategy::GuardWithIf)
      .split(out.args()[1], i.block, rest_i, options.row.Block(),
             TailStrategy::GuardWithIf);
  SplitInBlock(out, rest_j, j, options.column);
  SplitInBlock(out, rest_i, i, options.row);
  out.reorder({j.inner, i.inner, j.virtual_thread, i.virtual_thread, j.thread,
               i.thread, j.block, i.block});
  UnrollInner(out, i, j, options.vectorize);
  out.gpu_blocks(j.block, i.block).gpu_threads(j.thread, i.thread);

  c.compute_at(out, j.block).store_in(Halide::MemoryType::Register);
  SplitInBlock(c, c.args()[0], j, options.column);
  SplitInBlock(c, c.args()[1], i, options.row);
  c.reorder({j.inner, i.inner, j.virtual_thread, i.virtual_thread, j.thread,
             i.thread});
  UnrollInner(c, i, j, options.vectorize);
  c.gpu_threads(j.thread, i.thread);

  const RVar chunk, step;
  Stage update = c.update();
  update.split(c.rvars()[0], chunk, step, options.depth_tile);
  SplitInBlock(update, c.args()[0], j, options.column);
  SplitInBlock(update, c.args()[1], i, options.row);
  update.reorder({j.inner, i.inner, j.virtual_thread, i.virtual_thread, step,
                  j.thread, i.thread, chunk});
  UnrollInner(update, i, j, options.vectorize);
  update.unroll(step, 4).gpu_threads(j.thread, i.thread);

  for (Func* input : {&funcs.a, &funcs.b}) {
    Func staged = input->in(c);
    staged.compute_at(c, chunk).store_in(Halide::MemoryType::GPUShared);
    StageInShared(staged, options);
  }
}

Gemm MakeGemm(const GemmOptions& options) {
  Gemm gemm = GemmAlgorithm(options);
  ScheduleGemm(options, gemm.funcs);
  return gemm;
}

}  // namespace pruner
