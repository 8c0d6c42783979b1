// Pipelines of convolutions and poolings beyond those of op_pipeline_test.
#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "models/graph/graph_builder.h"
#include "models/ops/testing.h"
#include "pruner/base/rng.h"

namespace pruner {
namespace {

// Of the given input, with other operators behind it now and then.
void ExpectOperator(const Operator& op, const Shape& input,
                    const Shape& weights, Rng& rng) {
  const bool alone = rng.Chance(0.4);
  ExpectComputes([&](GraphBuilder& b) {
    std::vector<TensorId> inputs = {b.Input("x", input)};
    if (!weights.empty()) {
      inputs.push_back(
          b.Constant("weights", weights, {RandomValues{.low = -1}}));
    }
    TensorId y = b.Apply("y", op, inputs);
    if (!alone) {
      y = b.BiasAdd("biased", y,
                    b.Constant("bias", {b.ChannelsOf(y)}, {RandomValues{}}));
      y = b.Add("sum", y, b.Input("residual", b.ShapeOf(y)));
      y = b.Relu("relu", y);
    }
    b.Output(y);
  });
}

std::vector<int64_t> Draw(Rng& rng, size_t count, int64_t low, int64_t high) {
  std::vector<int64_t> values;
  for (size_t i = 0; i < count; ++i) values.push_back(rng.Uniform(low, high));
  return values;
}

TEST(WindowedPipelineTest, Conv3d) {
  Rng rng(1);
  for (int i = 0; i < 8; ++i) {
    const int64_t groups = rng.Chance(0.5) ? 1 : rng.Uniform(2, 3);
    const int64_t in_group = rng.Uniform(1, 4);
    const int64_t out = groups * rng.Uniform(1, 3) * (rng.Chance(0.5) ? 8 : 1);
    const Conv3d op = {.stride = Draw(rng, 3, 1, 2),
                       .padding = rng.Chance(0.7) ? Draw(rng, 6, 0, 2)
                                                  : std::vector<int64_t>{},
                       .dilation = Draw(rng, 3, 1, 2),
                       .groups = groups};
    ExpectOperator(op,
                   {rng.Uniform(1, 2), rng.Uniform(5, 7), rng.Uniform(5, 7),
                    rng.Uniform(5, 7), groups * in_group},
                   {rng.Uniform(1, 3), rng.Uniform(1, 3), rng.Uniform(1, 3),
                    in_group, out},
                   rng);
  }
}

TEST(WindowedPipelineTest, ConvTranspose2d) {
  Rng rng(2);
  for (int i = 0; i < 24; ++i) {
    const int64_t groups = rng.Chance(0.6) ? 1 : rng.Uniform(2, 3);
    const int64_t in_group = rng.Uniform(1, 4);
    const int64_t out = groups * rng.Uniform(1, 3) * (rng.Chance(0.5) ? 8 : 1);
    const Extent2d kernel = {rng.Uniform(2, 5), rng.Uniform(2, 5)};
    ConvTranspose2d op = {
        .stride = {rng.Uniform(1, 3), rng.Uniform(1, 3)},
        .padding = {rng.Uniform(0, 3), rng.Uniform(0, 3), rng.Uniform(0, 1),
                    rng.Uniform(0, 1)},
        .groups = groups,
        .output_padding = {rng.Uniform(0, 2), rng.Uniform(0, 2)}};
    if (rng.Chance(0.3)) op.dilation = {rng.Uniform(1, 3), rng.Uniform(1, 3)};
    ExpectOperator(op,
                   {rng.Uniform(1, 2), rng.Uniform(3, 6), rng.Uniform(3, 6),
                    groups * in_group},
                   {kernel.h, kernel.w, in_group, out}, rng);
  }
  // The kernel of a decoder, of which strides tile the output.
  ExpectOperator(ConvTranspose2d{.stride = {2, 2}, .padding = {1, 1, 1, 1}},
                 {1, 4, 5, 8}, {4, 4, 8, 16}, rng);
  ExpectOperator(
      ConvTranspose2d{
          .stride = {2, 2}, .padding = {1, 1, 1, 1}, .output_padding = {1, 1}},
      {1, 4, 5, 8}, {3, 3, 8, 16}, rng);
  // A residual that is the input.
  ExpectComputes([](GraphBuilder& b) {
    const TensorId x = b.Input("x", {1, 2, 2, 4});
    const TensorId w = b.Constant("w", {2, 2, 4, 4}, {RandomValues{}});
    b.Output(b.Add(
        "sum",
        b.Apply("y", ConvTranspose2d{.stride = {2, 2}, .padding = {1, 1, 1, 1}},
                {x, w}),
        x));
  });
}

TEST(WindowedPipelineTest, Pools) {
  Rng rng(3);
  for (int i = 0; i < 12; ++i) {
    const size_t rank = 1 + i % 3;
    Shape input = {rng.Uniform(1, 2)};
    for (size_t d = 0; d < rank; ++d) input.push_back(rng.Uniform(5, 9));
    input.push_back(rng.Uniform(1, 9));
    PoolWindows windows = {.kernel = Draw(rng, rank, 1, 3),
                           .stride = Draw(rng, rank, 1, 3)};
    if (rng.Chance(0.5)) windows.dilation = Draw(rng, rank, 1, 2);
    if (rng.Chance(0.7)) windows.padding_before = Draw(rng, rank, 0, 2);
    if (rng.Chance(0.7)) windows.padding_after = Draw(rng, rank, 0, 2);
    if (rng.Chance(0.5)) {
      windows.out = Draw(rng, rank, 1, 3);
    }
    for (const char* kind : {"average", "lp"}) {
      ExpectOperator(Pool{.kind = kind,
                          .p = rng.Uniform(1, 3),
                          .windows = windows,
                          .count_include_pad = rng.Chance(0.5)},
                     input, {}, rng);
    }
    // Every window has an element: the lowest number is no good measure of
    // differences.
    for (size_t d = 0; d < rank && !windows.padding_before.empty(); ++d)
      windows.padding_before[d] %= windows.kernel[d];
    windows.dilation.clear();
    if (rng.Chance(0.5)) windows.dilation.assign(rank, 2);
    if (!windows.dilation.empty()) windows.padding_before.clear();
    ExpectOperator(Pool{.windows = windows}, input, {}, rng);
  }
}

TEST(WindowedPipelineTest, WindowsBeyondTheInput) {
  Rng rng(4);
  const PoolWindows windows = {
      .kernel = {3}, .stride = {2}, .padding_before = {1}, .out = {3}};
  for (const char* kind : {"max", "average", "lp"}) {
    for (const bool include : {false, true}) {
      ExpectOperator(
          Pool{.kind = kind, .windows = windows, .count_include_pad = include},
          {1, 5, 8}, {}, rng);
    }
  }
}

TEST(WindowedPipelineTest, PlacesOfMaxima) {
  const std::vector<PoolWindows> cases = {
      {.kernel = {3}, .stride = {2}, .padding_before = {1}, .out = {3}},
      {.kernel = {2}, .dilation = {2}, .padding_before = {1}},
      {.kernel = {3, 2}, .stride = {1, 2}, .padding_after = {1, 1}},
      {.kernel = {2, 2, 2}, .dilation = {1, 2, 1}, .padding_before = {1, 1, 0}},
  };
  for (const PoolWindows& windows : cases) {
    Shape input(windows.kernel.size() + 2, 5);
    ExpectComputes([&](GraphBuilder& b) {
      b.Output(b.Apply("y", ArgMaxPool{windows}, {b.Input("x", input)}));
    });
    ExpectComputes([&](GraphBuilder& b) {
      const TensorId y =
          b.Apply("y", ArgMaxPool{windows}, {b.Input("x", input)});
      b.Output(b.Apply("z", CastToFloat{}, {y}));
    });
  }
}

TEST(WindowedPipelineTest, LrnAndGlobalPools) {
  Rng rng(5);
  for (const int64_t size : {1, 2, 5, 40}) {
    ExpectOperator(Lrn{.size = size, .alpha = 0.3, .bias = 0.5}, {1, 3, 4, 16},
                   {}, rng);
  }
  ExpectOperator(Lrn{.alpha = 0.1, .beta = 0.5}, {7}, {}, rng);
  for (const Shape& shape :
       {Shape{2, 7, 3}, Shape{2, 3, 4, 8}, Shape{1, 2, 3, 4, 5}}) {
    ExpectOperator(GlobalMaxPool{}, shape, {}, rng);
    ExpectOperator(GlobalAvgPool{}, shape, {}, rng);
  }
}

}  // namespace
}  // namespace pruner
