#include "models/ops/formulation.h"

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/ops/testing.h"
#include "pruner/base/rng.h"
#include "pruner/sample/schedule_sampler.h"
#include "pruner/schedule/schedule_text.h"
#include "pruner/sketch/sketch_generator.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

using ::testing::ElementsAre;

TargetSpec Target() {
  TargetSpec target = SampleCpuTarget();
  target.halide_target = Halide::get_host_target().to_string();
  return target;
}

std::vector<std::string> Names(const std::vector<Formulation>& formulations) {
  std::vector<std::string> names;
  for (const Formulation& f : formulations) names.push_back(f.name);
  return names;
}

struct Case {
  Shape input = {1, 14, 14, 16};
  int64_t out = 16;
  Conv2d conv = {.padding = {1, 1, 1, 1}};
  Extent2d kernel = {3, 3};
  bool bias = true;
  bool residual = false;
  bool relu = true;
};

Subgraph Convolution(const Case& c) {
  return OnlySubgraph([&](GraphBuilder& b) {
    const TensorId weights =
        b.Constant("weights",
                   {c.kernel.h, c.kernel.w,
                    c.conv.ImageShape(c.input).back() / c.conv.groups, c.out},
                   {RandomValues{.low = -1}});
    TensorId x = b.Conv2d("conv", b.Input("x", c.input), weights, c.conv);
    if (c.bias) {
      x = b.BiasAdd("biased", x, b.Constant("bias", {c.out}, {RandomValues{}}));
    }
    if (c.residual) x = b.Add("sum", b.Input("residual", b.ShapeOf(x)), x);
    if (c.relu) x = b.Relu("relu", x);
    b.Output(x);
  });
}

// All formulations that apply, which are `names`, compute what the interpreter
// says, without a schedule and under some drawn at random.
void ExpectAllCompute(
    const Case& c, int schedules,
    const std::vector<std::string>& names = FormulationNames()) {
  const Subgraph subgraph = Convolution(c);
  SCOPED_TRACE(PrintSubgraph(subgraph));
  const TargetSpec target = Target();
  const std::vector<Array> inputs = RandomInputs(subgraph.body, 1);
  const std::vector<Array> expected = *RunGraph(subgraph.body, inputs);
  const auto formulations =
      Formulations(subgraph, target, {.names = FormulationNames()});
  ASSERT_TRUE(formulations.ok()) << formulations.status();
  EXPECT_EQ(Names(*formulations), names);
  for (const Formulation& formulation : *formulations) {
    SCOPED_TRACE(formulation.name);
    const WorkloadPipeline pipeline = StoreAndLoad(formulation.op);
    const auto expect_right = [&](const absl::StatusOr<Kernel>& kernel) {
      ASSERT_TRUE(kernel.ok()) << kernel.status();
      const Array got = RunKernel(*kernel, pipeline, formulation.op, inputs);
      EXPECT_LT(
          RelativeDifference({expected[0].shape, got.values}, expected[0]),
          formulation.tolerance);
    };
    expect_right(pipeline.CompileReference());
    const SketchContext context = {.dag = pipeline.analyzed().dag,
                                   .target = target};
    ScheduleSampler sampler =
        *ScheduleSampler::Create(context, *GenerateSketches(context));
    Rng rng(1);
    for (int checked = 0; checked < schedules;) {
      const Draw draw = *sampler.Sample(rng);
      const auto* schedule = std::get_if<Schedule>(&draw);
      if (schedule == nullptr) continue;
      SCOPED_TRACE(PrintSchedule(*schedule));
      expect_right(pipeline.Compile(*schedule, target));
      // As a part of a concatenation.
      const auto within = WithinMoreChannels(pipeline, subgraph);
      ASSERT_TRUE(within.ok()) << within.status();
      const absl::StatusOr<Kernel> kernel = within->Compile(*schedule, target);
      ASSERT_TRUE(kernel.ok()) << kernel.status();
      EXPECT_EQ(RunKernel(*kernel, *within, formulation.op, inputs).values,
                RunKernel(*pipeline.Compile(*schedule, target), pipeline,
                          formulation.op, inputs)
                    .values);
      ++checked;
    }
  }
}

TEST(FormulationTest, WidthsThatTilesDoNotDivide) {
  for (const int64_t width : {7, 13, 14, 56}) {
    ExpectAllCompute({.input = {1, 5, width, 6}, .out = 16}, 2);
  }
}

TEST(FormulationTest, ChannelsThatVectorsDoNotDivide) {
  ExpectAllCompute({.input = {1, 7, 6, 5}, .out = 7}, 2);
  ExpectAllCompute({.input = {1, 6, 7, 12}, .out = 20}, 2);
  ExpectAllCompute({.input = {1, 4, 4, 1}, .out = 1}, 2);
  ExpectAllCompute({.input = {1, 5, 6, 19}, .out = 20}, 2);
}

TEST(FormulationTest, ChannelsFirst) {
  ExpectAllCompute({.input = {2, 3, 9, 7},
                    .conv = {.padding = {1, 1, 1, 1}, .channels_first = true}},
                   2);
}

TEST(FormulationTest, BatchPaddingAndEpilogues) {
  ExpectAllCompute({.input = {2, 13, 7, 16}, .residual = true}, 4);
  ExpectAllCompute(
      {.input = {2, 6, 9, 16}, .conv = {}, .bias = false, .relu = false}, 2);
  ExpectAllCompute({.input = {1, 6, 9, 16}, .conv = {.padding = {0, 2, 1, 0}}},
                   2);
  ExpectAllCompute({.input = {1, 3, 3, 16}, .conv = {}}, 2);
}

TEST(FormulationTest, StridesDilationAndKernels) {
  const std::vector<std::string> names = {"direct", "im2col", "nchwc"};
  ExpectAllCompute({.input = {1, 15, 14, 3},
                    .conv = {.stride = {2, 2}, .padding = {3, 3, 3, 3}},
                    .kernel = {7, 7}},
                   4, names);
  ExpectAllCompute({.input = {2, 9, 12, 20},
                    .out = 24,
                    .conv = {.stride = {2, 1}, .padding = {1, 1, 1, 1}},
                    .residual = true},
                   4, names);
  ExpectAllCompute({.input = {1, 11, 11, 3},
                    .conv = {.padding = {2, 2, 2, 2}, .dilation = {2, 2}}},
                   4, names);
  ExpectAllCompute({.input = {1, 8, 9, 32},
                    .out = 40,
                    .conv = {.stride = {2, 2}},
                    .kernel = {1, 1}},
                   4, names);
  ExpectAllCompute({.input = {1, 7, 9, 6}, .conv = {}, .kernel = {1, 5}}, 2,
                   names);
  ExpectAllCompute({.input = {1, 9, 7, 6}, .conv = {}, .kernel = {5, 1}}, 2,
                   names);
  ExpectAllCompute(
      {.input = {1, 6, 6, 32}, .out = 32, .conv = {}, .kernel = {1, 1}}, 2,
      {"direct", "nchwc"});
}

TEST(FormulationTest, DefaultSchedulesDoNotTransformAgainAndAgain) {
  const TargetSpec target = Target();
  const Formulation winograd =
      Formulations(Convolution({}), target, {.names = {"winograd_f4"}})->at(0);
  const WorkloadPipeline pipeline = StoreAndLoad(winograd.op);
  const SketchContext context = {.dag = pipeline.analyzed().dag,
                                 .target = target};
  const ScheduleSampler sampler =
      *ScheduleSampler::Create(context, *GenerateSketches(context));
  std::vector<std::string> inlined;
  const Schedule schedule = *sampler.DefaultSchedule();
  for (const TransformStep& step : schedule.steps) {
    if (const auto* inline_step = std::get_if<ComputeInlineStep>(&step))
      inlined.push_back(context.dag.stage(inline_step->stage).name);
  }
  EXPECT_THAT(inlined, ElementsAre("pad"));
}

TEST(FormulationTest, WinogradIsForDense3x3ConvolutionsOfStrideOne) {
  for (const Case& c :
       {Case{.conv = {.stride = {2, 2}}}, Case{.conv = {.stride = {1, 2}}},
        Case{.conv = {.dilation = {2, 2}}}, Case{.conv = {.groups = 2}},
        Case{.kernel = {1, 1}}, Case{.kernel = {3, 1}}}) {
    const auto formulations = Formulations(Convolution(c), Target());
    ASSERT_TRUE(formulations.ok()) << formulations.status();
    EXPECT_THAT(Names(*formulations), ElementsAre("direct"));
  }
  // Weights that are computed, or that somebody else reads, too.
  const Subgraph activations = OnlySubgraph([](GraphBuilder& b) {
    b.Output(b.Conv2d("conv", b.Input("x", {1, 9, 9, 3}),
                      b.Input("w", {3, 3, 3, 16})));
  });
  EXPECT_THAT(Names(*Formulations(activations, Target())),
              ElementsAre("direct"));
}

// Where no names are given, those that were measured to be hopeless cost no
// trials.
TEST(FormulationTest, BlocksOfChannelsAreTriedWhereTheyMayPay) {
  const auto names = [](const Case& c) {
    return Names(*Formulations(Convolution(c), Target()));
  };
  const Conv2d strided = {.stride = {2, 2}};
  // Target() has vectors of 16.
  EXPECT_THAT(names({.out = 20, .conv = strided}),
              ElementsAre("direct", "nchwc"));
  EXPECT_THAT(names({.out = 9, .conv = strided}),
              ElementsAre("direct", "nchwc"));
  EXPECT_THAT(names({.out = 8, .conv = strided}), ElementsAre("direct"));
  EXPECT_THAT(names({.out = 16, .conv = strided}), ElementsAre("direct"));
  EXPECT_THAT(names({.out = 24, .conv = strided}), ElementsAre("direct"));
  EXPECT_THAT(
      names({.input = {1, 14, 14, 3}, .conv = strided, .kernel = {7, 7}}),
      ElementsAre("direct", "nchwc"));
  EXPECT_THAT(names({.conv = strided, .kernel = {7, 7}}),
              ElementsAre("direct"));
}

TEST(FormulationTest, OptionsChoose) {
  const Subgraph conv = Convolution({});
  const auto names = [&](const FormulationOptions& options) {
    return Names(*Formulations(conv, Target(), options));
  };
  EXPECT_THAT(names({.names = {"nchwc", "im2col"}}),
              ElementsAre("im2col", "nchwc"));
  EXPECT_THAT(names({.names = {"winograd_f4"}}), ElementsAre("winograd_f4"));
  EXPECT_THAT(names({.names = {"winograd_f2", "direct"}}),
              ElementsAre("direct", "winograd_f2"));
  EXPECT_THAT(names({.max_error = 1e-4}), ElementsAre("direct", "winograd_f2"));
  // The direct one is what remains.
  EXPECT_THAT(names({.max_error = 1e-9}), ElementsAre("direct"));
  EXPECT_THAT(names({.max_error = 1e-9, .names = {"winograd_f2"}}),
              ElementsAre("direct"));
  const Subgraph pool = OnlySubgraph(
      [](GraphBuilder& b) { b.Output(b.Relu("y", b.Input("x", {3}))); });
  EXPECT_THAT(Names(*Formulations(pool, Target(), {.names = {"winograd_f2"}})),
              ElementsAre("direct"));
  EXPECT_EQ(CheckFormulationOptions({.names = {"fft"}}).message(),
            "'fft' is no formulation; there are direct, winograd_f2, "
            "winograd_f4, im2col, nchwc");
  EXPECT_EQ(CheckFormulationOptions({.max_error = 0}).message(),
            "the largest error of a formulation is positive, not 0");
}

}  // namespace
}  // namespace pruner
