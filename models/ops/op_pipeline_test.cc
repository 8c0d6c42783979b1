#include "models/ops/op_pipeline.h"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "halide_ext/analyze/analyze.h"
#include "models/ops/testing.h"
#include "pruner/base/rng.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

TensorId Weights(GraphBuilder& b, const Shape& shape) {
  return b.Constant("weights", shape, {RandomValues{.low = -1}});
}

// Appends some elementwise operators, with or without a residual.
TensorId RandomEpilogue(GraphBuilder& b, Rng& rng, TensorId x) {
  const Shape shape = b.ShapeOf(x);
  if (rng.Chance(0.7)) {
    x = b.BiasAdd("biased", x,
                  b.Constant("bias", {shape.back()}, {RandomValues{}}));
  }
  if (rng.Chance(0.5)) x = b.Add("sum", b.Input("residual", shape), x);
  if (rng.Chance(0.5)) {
    x = rng.Chance(0.5) ? b.Relu("relu", x) : b.Relu6("relu6", x);
  }
  return x;
}

Padding2d RandomPadding(Rng& rng, int64_t highest_h, int64_t highest_w) {
  return {rng.Uniform(0, highest_h), rng.Uniform(0, highest_w),
          rng.Uniform(0, highest_h), rng.Uniform(0, highest_w)};
}

TEST(OpPipelineTest, Convolutions) {
  Rng rng(1);
  for (int i = 0; i < 24; ++i) {
    const int64_t groups = rng.Chance(0.5) ? 1 : rng.Uniform(2, 4);
    const int64_t in_group = rng.Uniform(1, 5);
    const int64_t out = groups * rng.Uniform(1, 3) * (rng.Chance(0.5) ? 8 : 1);
    const Extent2d kernel = {rng.Uniform(1, 3), rng.Uniform(1, 3)};
    const Conv2d conv = {
        .stride = {rng.Uniform(1, 3), rng.Uniform(1, 2)},
        .padding = rng.Chance(0.7) ? RandomPadding(rng, 2, 2) : Padding2d{},
        .dilation = {rng.Uniform(1, 2), rng.Uniform(1, 2)},
        .groups = groups,
        .channels_first = rng.Chance(0.3)};
    const int64_t n = rng.Uniform(1, 2), h = rng.Uniform(5, 9),
                  w = rng.Uniform(5, 9), c = groups * in_group;
    const Shape image =
        conv.channels_first ? Shape{n, c, h, w} : Shape{n, h, w, c};
    ExpectComputes(
        OnlySubgraph([&](GraphBuilder& b) {
          b.Output(RandomEpilogue(
              b, rng,
              b.Conv2d("conv", b.Input("x", image),
                       Weights(b, {kernel.h, kernel.w, in_group, out}), conv)));
        }),
        i);
  }
}

TEST(OpPipelineTest, DepthwiseConvolution) {
  ExpectComputes([](GraphBuilder& b) {
    b.Output(b.Conv2d("conv", b.Input("x", {1, 6, 7, 16}),
                      Weights(b, {3, 3, 1, 16}),
                      {.padding = {1, 1, 1, 1}, .groups = 16}));
  });
}

TEST(OpPipelineTest, WeightsThatAreActivationsStayPlain) {
  ExpectComputes([](GraphBuilder& b) {
    b.Output(b.Conv2d("conv", b.Input("x", {1, 6, 7, 3}),
                      b.Input("w", {2, 2, 3, 16})));
  });
  ExpectComputes([](GraphBuilder& b) {
    b.Output(b.Dense("y", b.Input("x", {4, 8}), b.Input("w", {8, 16})));
  });
}

TEST(OpPipelineTest, MatrixProducts) {
  Rng rng(2);
  for (int i = 0; i < 8; ++i) {
    Shape rows = {rng.Uniform(1, 3)};
    if (rng.Chance(0.5)) rows.push_back(rng.Uniform(1, 4));
    const int64_t in = rng.Uniform(1, 40);
    const int64_t out = rng.Uniform(1, 5) * (rng.Chance(0.5) ? 8 : 1);
    Shape input = rows;
    input.push_back(in);
    ExpectComputes(OnlySubgraph([&](GraphBuilder& b) {
                     b.Output(RandomEpilogue(b, rng,
                                             b.Dense("y", b.Input("x", input),
                                                     Weights(b, {in, out}))));
                   }),
                   i);
  }
}

TEST(OpPipelineTest, TensorsThatAreReadTwice) {
  // The input is also the residual.
  ExpectComputes([](GraphBuilder& b) {
    const TensorId x = b.Input("x", {1, 5, 5, 8});
    b.Output(b.Add("sum",
                   b.Conv2d("conv", x, Weights(b, {3, 3, 8, 8}),
                            {.padding = {1, 1, 1, 1}}),
                   x));
  });
  // Constant weights that are read as a residual, too, cannot be packed.
  ExpectComputes([](GraphBuilder& b) {
    const TensorId w = Weights(b, {8, 8});
    b.Output(b.Add("sum", b.Dense("y", b.Input("x", {8, 8}), w), w));
  });
  ExpectComputes([](GraphBuilder& b) {
    const TensorId x = b.Input("x", {8, 8});
    b.Output(b.Dense("y", x, x));
  });
  ExpectComputes([](GraphBuilder& b) {
    const TensorId y = b.Relu("y", b.Input("x", {3, 4}));
    b.Output(b.Add("sum", y, y));
  });
  ExpectComputes([](GraphBuilder& b) {
    const TensorId x = b.Input("x", {4});
    b.Output(b.Add("sum", b.BiasAdd("y", b.Input("x2", {4}), x), x));
  });
  ExpectComputes([](GraphBuilder& b) {
    const TensorId x = b.Input("x", {2, 1, 1, 4});
    b.Output(b.Add("sum", b.GlobalAvgPool("y", x), x));
  });
}

TEST(OpPipelineTest, Pooling) {
  Rng rng(3);
  for (int i = 0; i < 16; ++i) {
    const Extent2d kernel = {rng.Uniform(1, 4), rng.Uniform(1, 3)};
    const Extent2d stride = {rng.Uniform(1, 3), rng.Uniform(1, 3)};
    const Padding2d padding =
        rng.Chance(0.7) ? RandomPadding(rng, kernel.h - 1, kernel.w - 1)
                        : Padding2d{};
    const bool include = rng.Chance(0.5);
    const Shape image = {rng.Uniform(1, 2), rng.Uniform(4, 9),
                         rng.Uniform(4, 9), rng.Uniform(1, 9)};
    for (const bool is_max : {true, false}) {
      ExpectComputes(
          OnlySubgraph([&](GraphBuilder& b) {
            const TensorId x = b.Input("x", image);
            b.Output(RandomEpilogue(
                b, rng,
                is_max ? b.MaxPool2d("pool", x, {kernel, stride, padding})
                       : b.AvgPool2d("pool", x,
                                     {kernel, stride, padding, include})));
          }),
          i);
    }
  }
}

TEST(OpPipelineTest, MaximaOfNegativeNumbersIgnoreThePadding) {
  const Subgraph pool = OnlySubgraph([](GraphBuilder& b) {
    b.Output(b.MaxPool2d("pool", b.Input("x", {1, 3, 3, 1}),
                         {.kernel = {3, 3}, .padding = {2, 1, 1, 2}}));
  });
  const std::vector<Array> inputs = {
      {{1, 3, 3, 1}, {-1, -2, -3, -4, -5, -6, -7, -8, -9}}};
  const absl::StatusOr<OpPipeline> op = BuildPipeline(pool, SampleCpuTarget());
  ASSERT_TRUE(op.ok());
  EXPECT_EQ(RunUnscheduled(*op, inputs).values,
            (std::vector<double>{-1, -1, -2, -3, -1, -1, -2, -3, -1, -1, -2, -3,
                                 -4, -4, -5, -6}));
}

TEST(OpPipelineTest, GlobalAveragePool) {
  ExpectComputes([](GraphBuilder& b) {
    b.Output(b.GlobalAvgPool("pool", b.Input("x", {2, 7, 5, 9})));
  });
}

TEST(OpPipelineTest, SoftmaxAlongAnyAxis) {
  for (const Shape& shape :
       {Shape{7}, Shape{2, 10}, Shape{2, 3, 4}, Shape{2, 3, 4, 5}}) {
    for (int64_t axis = 0; axis < static_cast<int64_t>(shape.size()); ++axis) {
      ExpectComputes([&](GraphBuilder& b) {
        const TensorId y =
            b.Apply("y", Softmax{.axis = axis}, {b.Input("x", shape)});
        const TensorId z = b.BiasAdd(
            "z", y, b.Constant("bias", {shape.back()}, {RandomValues{}}));
        b.Output(b.Add("sum", z, b.Input("residual", shape)));
      });
    }
  }
}

TEST(OpPipelineTest, ElementwiseAlone) {
  for (const Shape& shape : {Shape{5}, Shape{2, 3}, Shape{2, 3, 4, 5}}) {
    ExpectComputes([&](GraphBuilder& b) {
      const auto parameter = [&](const char* name) {
        return b.Constant(name, {shape.back()}, {RandomValues{}});
      };
      const TensorId norm = b.BatchNorm(
          "norm", b.Input("x", shape), parameter("scale"), parameter("shift"),
          parameter("mean"), parameter("variance"), {.epsilon = 1.5});
      const TensorId sum = b.Add("sum", b.Input("r1", shape), norm);
      b.Output(b.Add("sum2", b.Relu("relu", sum), b.Input("r2", shape)));
    });
  }
  ExpectComputes(
      [](GraphBuilder& b) { b.Output(b.Relu("y", b.Input("x", {}))); });
  // On both sides of either bound.
  ExpectComputes([](GraphBuilder& b) {
    const ConstantData bias = {RandomValues{.low = -2, .high = 8}};
    b.Output(b.Relu6("y", b.BiasAdd("biased", b.Input("x", {4, 50}),
                                    b.Constant("bias", {50}, bias))));
  });
}

// Every elementwise operator of one input, alone and on sums of some hundred
// products, which are far from zero on both sides.
TEST(OpPipelineTest, Activations) {
  for (const Operator& op : std::vector<Operator>{
           Relu{}, Relu6{}, LeakyRelu{.alpha = 0.3}, Elu{.alpha = 1.5},
           Sigmoid{}, HardSigmoid{.alpha = 0.1, .beta = 0.4}, HardSwish{},
           Silu{}, Tanh{}, Gelu{}, Softplus{},
           Clip{.low = -2.5, .high = 0.3}}) {
    ExpectComputes([&](GraphBuilder& b) {
      b.Output(b.Apply("y", op, {b.Input("x", {3, 5, 7})}));
    });
    ExpectComputes([&](GraphBuilder& b) {
      const TensorId sums =
          b.Dense("sums", b.Input("x", {4, 200}), Weights(b, {200, 16}));
      b.Output(b.Apply("y", op, {sums}));
    });
  }
}

Subgraph ResidualConvolution() {
  return OnlySubgraph([](GraphBuilder& b) {
    const TensorId conv =
        b.Conv2d("conv", b.Input("x", {1, 8, 9, 3}), Weights(b, {3, 3, 3, 32}),
                 {.stride = {2, 2}, .padding = {1, 0, 1, 1}});
    const TensorId biased =
        b.BiasAdd("biased", conv, b.Constant("bias", {32}, {RandomValues{}}));
    const TensorId sum =
        b.Add("sum", biased, b.Input("residual", b.ShapeOf(conv)));
    b.Output(b.Relu("relu", sum));
  });
}

TEST(OpPipelineTest, AnalyzedConvolutionHasTheExpectedStages) {
  const absl::StatusOr<OpPipeline> op =
      BuildPipeline(ResidualConvolution(), SampleCpuTarget());
  ASSERT_TRUE(op.ok()) << op.status();
  EXPECT_EQ(
      op->inputs,
      (std::vector<OpInput>{
          {"input", {}}, {"weights", {16}}, {"bias", {}}, {"residual", {}}}));
  const absl::StatusOr<AnalyzedPipeline> analyzed =
      AnalyzePipeline(op->pipeline);
  ASSERT_TRUE(analyzed.ok()) << analyzed.status();
  EXPECT_EQ(analyzed->dag.ToString(),
            "bias[32] input f32\n"
            "residual[1,4,4,32] input f32\n"
            "weights[2,3,3,3,16] input f32\n"
            "input[1,8,9,3] input f32\n"
            "pad[n:1,y:9,x:9,c:3] f32 (int_compare:1 select:1)"
            " input[n,clamp(y-1),x,c]\n"
            "conv[n:1,y:4,x:4,c:32,ry:r3,rx:r3,rc:r3] f32 sum (float_add:1 "
            "float_mul:1)"
            " pad[n,2*y+ry,2*x+rx,rc] weights[(c)/16,ry,rx,rc,(c)%16]\n"
            "out[n:1,y:4,x:4,c:32] f32 output (float_add:2 float_compare:1)"
            " conv[n,y,x,c] bias[c] residual[n,y,x,c]\n");
}

TEST(OpPipelineTest, InputsAreReadThroughFuncs) {
  const absl::StatusOr<OpPipeline> op =
      BuildPipeline(ResidualConvolution(), SampleCpuTarget());
  ASSERT_TRUE(op.ok()) << op.status();
  std::vector<std::string> names;
  for (const auto& [name, function] : Halide::Internal::build_environment(
           {op->pipeline.outputs()[0].function()})) {
    names.push_back(name);
  }
  EXPECT_EQ(names,
            (std::vector<std::string>{"bias_f", "conv", "input_f", "out", "pad",
                                      "residual_f", "weights_f"}));
}

TEST(OpPipelineTest, BuildingTwiceGivesTheSameBytes) {
  const auto bytes = [] {
    std::vector<uint8_t> serialized;
    const absl::StatusOr<OpPipeline> op =
        BuildPipeline(ResidualConvolution(), SampleCpuTarget());
    Halide::serialize_pipeline(op->pipeline, serialized);
    return serialized;
  };
  EXPECT_EQ(bytes(), bytes());
}

TEST(OpPipelineTest, RefusesWhatIsNoKernel) {
  GraphBuilder view("view");
  view.Output(view.Flatten("y", view.Input("x", {1, 2, 3})));
  Subgraph subgraph{*std::move(view).Build(), {}};
  EXPECT_EQ(BuildPipeline(subgraph, SampleCpuTarget()).status().message(),
            "no kernel computes Reshape {1, 2, 3} -> {1, 6}: a subgraph begins "
            "with an anchor or an elementwise operator");

  GraphBuilder two("two");
  two.Output(two.Softmax("z", two.Relu("y", two.Input("x", {2, 3}))));
  subgraph.body = *std::move(two).Build();
  EXPECT_EQ(BuildPipeline(subgraph, SampleCpuTarget()).status().message(),
            "'z' of Relu+Softmax {2, 3} -> {2, 3} is not an elementwise "
            "operator whose output has the shape of the kernel's");
}

}  // namespace
}  // namespace pruner
