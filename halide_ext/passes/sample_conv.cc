#include "halide_ext/passes/sample_conv.h"

#include <vector>

namespace pruner {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::RVar;
using Halide::Stage;
using Halide::TailStrategy;
using Halide::Var;
using Halide::VarOrRVar;

// The loops of one dimension inside a block.
struct Loops {
  Var virtual_thread, thread, inner;
};
// Of all dimensions, innermost first: channel, x, y.
using BlockLoops = std::vector<Loops>;

std::vector<GemmTile> Tiles(const ConvOptions& options) {
  return {options.channel, options.x, options.y};
}

int ThreadsOf(const ConvOptions& options) {
  return options.channel.threads * options.x.threads * options.y.threads;
}

// Splits what a block has of each dimension, and orders: inner loops, virtual
// threads, `between`, threads, `outside`.
void TileBlock(Stage stage, const std::vector<Var>& dimensions,
               const ConvOptions& options, bool vectorize,
               const std::vector<VarOrRVar>& between,
               const std::vector<VarOrRVar>& outside) {
  BlockLoops loops(3);
  const std::vector<GemmTile> tiles = Tiles(options);
  std::vector<VarOrRVar> order;
  for (int d = 0; d < 3; ++d) {
    const Var rest;
    stage
        .split(dimensions[d], loops[d].virtual_thread, rest,
               tiles[d].threads * tiles[d].inner, TailStrategy::RoundUp)
        .split(rest, loops[d].thread, loops[d].inner, tiles[d].inner);
    order.emplace_back(loops[d].inner);
  }
  for (const Loops& l : loops) order.emplace_back(l.virtual_thread);
  order.insert(order.end(), between.begin(), between.end());
  for (const Loops& l : loops) order.emplace_back(l.thread);
  order.insert(order.end(), outside.begin(), outside.end());
  stage.reorder(order);
  for (int d = 0; d < 3; ++d) {
    stage.unroll(loops[d].virtual_thread);
    if (d == 0 && vectorize) {
      stage.vectorize(loops[d].inner);
    } else {
      stage.unroll(loops[d].inner);
    }
  }
  if (options.fused_threads) {
    const Var two, all;
    stage.fuse(loops[0].thread, loops[1].thread, two)
        .fuse(two, loops[2].thread, all)
        .gpu_threads(all);
  } else {
    stage.gpu_threads(loops[0].thread, loops[1].thread, loops[2].thread);
  }
}

// All threads copy what the block needs, `vector` elements at a time.
void StageInShared(Func staged, const ConvOptions& options, int vector) {
  std::vector<Var> args = staged.args();
  Var all = args[0];
  for (size_t d = 1; d < args.size(); ++d) {
    const Var fused;
    staged.fuse(all, args[d], fused);
    all = fused;
  }
  const Var vectors, lane, rest, threads;
  staged.split(all, vectors, lane, vector)
      .split(vectors, rest, threads, ThreadsOf(options),
             TailStrategy::GuardWithIf)
      .vectorize(lane)
      .never_partition_all();
  if (options.fused_threads) {
    staged.gpu_threads(threads);
    return;
  }
  const Var thread_yx, thread_y, thread_x, thread_channel;
  staged.split(threads, thread_yx, thread_channel, options.channel.threads)
      .split(thread_yx, thread_y, thread_x, options.x.threads)
      .gpu_threads(thread_channel, thread_x, thread_y);
}

void FixShape(Halide::OutputImageParam image, const std::vector<int>& extents) {
  int stride = 1;
  for (size_t d = 0; d < extents.size(); ++d) {
    image.dim(static_cast<int>(d)).set_bounds(0, extents[d]).set_stride(stride);
    stride *= extents[d];
  }
  image.set_host_alignment(64);
}

}  // namespace

Conv ConvAlgorithm(const ConvOptions& options) {
  Conv conv = {.input = Halide::ImageParam(Halide::Float(32), 3, "input"),
               .weights = Halide::ImageParam(Halide::Float(32), 4, "weights"),
               .funcs = {.padded = Func("padded"),
                         .weights = Func(),
                         .acc = Func("acc"),
                         .out = Func("out")},
               .pipeline = {}};
  const Var co("co"), x("x"), y("y"), ci("ci");
  const RDom k(0, options.in_channels, 0, 3, 0, 3, "k");
  ConvFuncs& funcs = conv.funcs;
  funcs.weights = conv.weights;
  const Expr inside =
      x >= 1 && x <= options.size && y >= 1 && y <= options.size;
  funcs.padded(ci, x, y) =
      Halide::select(inside,
                     conv.input(ci, Halide::clamp(x - 1, 0, options.size - 1),
                                Halide::clamp(y - 1, 0, options.size - 1)),
                     0.0f);
  funcs.acc(co, x, y) +=
      funcs.padded(k.x, x + k.y, y + k.z) * conv.weights(co, k.x, k.y, k.z);
  funcs.out(co, x, y) = Halide::max(funcs.acc(co, x, y), 0.0f);
  FixShape(conv.input, {options.in_channels, options.size, options.size});
  FixShape(conv.weights, {options.out_channels, options.in_channels, 3, 3});
  FixShape(funcs.out.output_buffer(),
           {options.out_channels, options.size, options.size});
  conv.pipeline = Halide::Pipeline(funcs.out);
  return conv;
}

void ScheduleConv(const ConvOptions& options, ConvFuncs funcs) {
  Func& out = funcs.out;
  Func& acc = funcs.acc;
  const std::vector<GemmTile> tiles = Tiles(options);
  std::vector<Var> blocks(3), rests(3);
  std::vector<VarOrRVar> outside;
  for (int d = 0; d < 3; ++d) {
    out.split(out.args()[d], blocks[d], rests[d], tiles[d].Block(),
              TailStrategy::ShiftInwards);
    outside.emplace_back(blocks[d]);
  }
  TileBlock(out, rests, options, options.vectorize_output, {}, outside);
  out.gpu_blocks(blocks[0], blocks[1], blocks[2]);

  acc.compute_at(out, blocks[0]).store_in(Halide::MemoryType::Register);
  TileBlock(acc, acc.args(), options, options.vectorize, {}, {});

  const RVar chunk, step;
  const RVar ci = acc.rvars()[0], kx = acc.rvars()[1], ky = acc.rvars()[2];
  Stage update = acc.update();
  update.split(ci, chunk, step, options.channel_tile);
  if (options.kernel_rows_outside) {
    TileBlock(update, acc.args(), options, options.vectorize, {step, kx},
              {ky, chunk});
  } else {
    TileBlock(update, acc.args(), options, options.vectorize, {step, kx, ky},
              {chunk});
  }
  if (options.unrolled_channels > 1) {
    update.unroll(step, options.unrolled_channels);
  }
  const RVar innermost_chunk = options.kernel_rows_outside ? ky : chunk;
  for (Func staged : {funcs.weights.in(acc), funcs.padded}) {
    staged.compute_at(acc, innermost_chunk)
        .store_in(Halide::MemoryType::GPUShared);
    StageInShared(staged, options, 4);
  }
}

Conv MakeConv(const ConvOptions& options) {
  Conv conv = ConvAlgorithm(options);
  ScheduleConv(options, conv.funcs);
  return conv;
}

}  // namespace pruner
