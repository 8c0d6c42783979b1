// Pipelines of all kinds under schedules drawn at random.
#include <optional>
#include <string>
#include <vector>

#include "Halide.h"
#include "gtest/gtest.h"
#include "models/ops/op_pipeline.h"
#include "models/ops/testing.h"
#include "pruner/base/rng.h"
#include "pruner/sample/schedule_sampler.h"
#include "pruner/schedule/schedule_text.h"
#include "pruner/sketch/sketch_generator.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

struct Case {
  std::string name;
  void (*build)(GraphBuilder&);
};

TensorId Weights(GraphBuilder& b, const Shape& shape) {
  return b.Constant("weights", shape, {RandomValues{.low = -1}});
}

TensorId Bias(GraphBuilder& b, TensorId x) {
  return b.BiasAdd("biased", x,
                   b.Constant("bias", {b.ChannelsOf(x)}, {RandomValues{}}));
}

const Case kCases[] = {
    {"PaddedConvolution",
     [](GraphBuilder& b) {
       const TensorId conv = b.Conv2d(
           "conv", b.Input("x", {1, 14, 15, 12}), Weights(b, {3, 3, 12, 32}),
           {.stride = {2, 1}, .padding = {1, 0, 1, 1}});
       b.Output(b.Relu("y", Bias(b, conv)));
     }},
    {"StridedConvolution",
     [](GraphBuilder& b) {
       const TensorId conv =
           b.Conv2d("conv", b.Input("x", {2, 14, 14, 16}),
                    Weights(b, {1, 1, 16, 48}), {.stride = {2, 2}});
       b.Output(b.Add("y", conv, b.Input("residual", b.ShapeOf(conv))));
     }},
    {"DepthwiseConvolution",
     [](GraphBuilder& b) {
       const TensorId conv = b.Conv2d("conv", b.Input("x", {1, 13, 11, 24}),
                                      Weights(b, {3, 3, 1, 24}),
                                      {.padding = {1, 1, 1, 1}, .groups = 24});
       b.Output(b.Relu6("y", Bias(b, conv)));
     }},
    {"GroupedConvolution",
     [](GraphBuilder& b) {
       b.Output(b.Conv2d("conv", b.Input("x", {1, 9, 9, 12}),
                         Weights(b, {3, 3, 6, 32}), {.groups = 2}));
     }},
    {"Dense",
     [](GraphBuilder& b) {
       b.Output(
           Bias(b, b.Dense("y", b.Input("x", {3, 70}), Weights(b, {70, 40}))));
     }},
    {"MaxPool",
     [](GraphBuilder& b) {
       b.Output(b.MaxPool2d(
           "y", b.Input("x", {1, 15, 14, 24}),
           {.kernel = {3, 3}, .stride = {2, 2}, .padding = {1, 1, 1, 1}}));
     }},
    {"AvgPool",
     [](GraphBuilder& b) {
       b.Output(b.AvgPool2d("y", b.Input("x", {1, 15, 14, 24}),
                            {.kernel = {3, 2}, .padding = {1, 1, 0, 0}}));
     }},
    {"GlobalAvgPool",
     [](GraphBuilder& b) {
       b.Output(b.GlobalAvgPool("y", b.Input("x", {2, 7, 7, 40})));
     }},
    {"Softmax",
     [](GraphBuilder& b) { b.Output(b.Softmax("y", b.Input("x", {4, 50}))); }},
    {"MatMul",
     [](GraphBuilder& b) {
       const TensorId y = b.Apply(
           "y", MatMul{.transpose_right = true},
           {b.Input("q", {2, 3, 20, 16}), b.Input("k", {2, 1, 18, 16})});
       b.Output(b.Relu("z", y));
     }},
    {"LayerNorm",
     [](GraphBuilder& b) {
       b.Output(b.Apply("y", LayerNorm{.axis = 1},
                        {b.Input("x", {12, 50}), b.Input("scale", {50}),
                         b.Input("bias", {50})}));
     }},
    {"Conv3d",
     [](GraphBuilder& b) {
       const TensorId conv = b.Apply(
           "conv", Conv3d{.padding = {1, 1, 1, 1, 1, 1}},
           {b.Input("x", {1, 4, 7, 7, 6}), Weights(b, {3, 3, 3, 6, 16})});
       b.Output(b.Relu("y", Bias(b, conv)));
     }},
    {"ConvTranspose2d",
     [](GraphBuilder& b) {
       const TensorId conv =
           b.Apply("conv",
                   ConvTranspose2d{.stride = {2, 2},
                                   .padding = {1, 1, 1, 1},
                                   .output_padding = {1, 1}},
                   {b.Input("x", {1, 6, 7, 12}), Weights(b, {3, 3, 12, 16})});
       b.Output(b.Relu("y", Bias(b, conv)));
     }},
    {"UnevenConvTranspose2d",
     [](GraphBuilder& b) {
       b.Output(
           b.Apply("y", ConvTranspose2d{.stride = {2, 3}},
                   {b.Input("x", {1, 6, 7, 12}), Weights(b, {3, 4, 12, 16})}));
     }},
    {"PartialPool",
     [](GraphBuilder& b) {
       b.Output(b.Apply("y",
                        Pool{.kind = "average",
                             .windows = {.kernel = {3, 3},
                                         .stride = {2, 2},
                                         .padding_before = {1, 1},
                                         .out = {5, 5}}},
                        {b.Input("x", {1, 8, 9, 24})}));
     }},
    {"Lrn",
     [](GraphBuilder& b) {
       b.Output(b.Apply("y", Lrn{.alpha = 0.1}, {b.Input("x", {1, 6, 6, 24})}));
     }},
    {"Transpose",
     [](GraphBuilder& b) {
       const TensorId y =
           b.Apply("y", Transpose{{0, 2, 3, 1}}, {b.Input("x", {2, 24, 5, 7})});
       b.Output(b.Relu("z", Bias(b, y)));
     }},
    {"Concat",
     [](GraphBuilder& b) {
       b.Output(
           b.Apply("y", Concat{3},
                   {b.Input("x", {1, 6, 5, 12}), b.Input("x2", {1, 6, 5, 20}),
                    b.Input("x3", {1, 6, 5, 7})}));
     }},
    {"ConcatOfBlocks",
     [](GraphBuilder& b) {
       const TensorId y =
           b.Apply("y", Concat{3},
                   {b.Input("x", {1, 6, 5, 32}), b.Input("x2", {1, 6, 5, 16}),
                    b.Input("x3", {1, 6, 5, 48})});
       b.Output(b.Relu("z", Bias(b, y)));
     }},
    {"Slice",
     [](GraphBuilder& b) {
       b.Output(b.Apply("y", Slice{{0, 12, 3}, {2, 6, 40}, {1, -2, 1}},
                        {b.Input("x", {2, 13, 50})}));
     }},
    {"Pad",
     [](GraphBuilder& b) {
       b.Output(b.Apply("y", Pad{{0, 2, 1, 0}, {0, 1, 3, 0}, "reflect"},
                        {b.Input("x", {1, 9, 8, 20})}));
     }},
    {"Gather",
     [](GraphBuilder& b) {
       const TensorId y =
           b.Apply("y", Gather{0},
                   {b.Input("x", {9, 40}),
                    b.Input("indices", {3, 5}, DataType::kInt64)});
       b.Output(b.Relu("z", Bias(b, y)));
     }},
    {"Reduce",
     [](GraphBuilder& b) {
       b.Output(b.Apply("y", Reduce{.kind = "log_sum_exp", .axes = {1, 2}},
                        {b.Input("x", {3, 9, 8, 20})}));
     }},
    {"ReduceAll",
     [](GraphBuilder& b) {
       b.Output(b.Apply("y", Reduce{.kind = "l2", .axes = {0, 1}},
                        {b.Input("x", {30, 40})}));
     }},
    {"ArgReduce",
     [](GraphBuilder& b) {
       b.Output(b.Apply("y", ArgReduce{.axis = 1}, {b.Input("x", {12, 50})}));
     }},
    {"Resize",
     [](GraphBuilder& b) {
       const TensorId y = b.Apply("y",
                                  Resize{.mode = "linear",
                                         .sizes = {1, 12, 14, 16},
                                         .scales = {1, 2, 2, 1}},
                                  {b.Input("x", {1, 6, 7, 16})});
       b.Output(b.Relu("z", Bias(b, y)));
     }},
    {"CumSum",
     [](GraphBuilder& b) {
       b.Output(b.Apply("y", CumSum{.axis = 1, .reverse = true},
                        {b.Input("x", {4, 20, 24})}));
     }},
    {"TopKIndices",
     [](GraphBuilder& b) {
       b.Output(b.Apply("y", TopKIndices{.axis = 1, .k = 5},
                        {b.Input("x", {6, 40})}));
     }},
    {"TopKValues",
     [](GraphBuilder& b) {
       b.Output(b.Apply("y", TopKValues{.axis = 0, .k = 5},
                        {b.Input("x", {16, 20})}));
     }},
    {"Elementwise",
     [](GraphBuilder& b) {
       b.Output(b.Relu("y", Bias(b, b.Input("x", {3, 5, 5, 20}))));
     }},
};

class SchedulesTest : public testing::TestWithParam<Case> {};

TEST_P(SchedulesTest, ComputeWhatTheInterpreterSays) {
  TargetSpec target = SampleCpuTarget();
  target.halide_target = Halide::get_host_target().to_string();
  const Subgraph subgraph = OnlySubgraph(GetParam().build);
  const OpPipeline op = *BuildPipeline(subgraph, target);
  const WorkloadPipeline pipeline = StoreAndLoad(op);
  const std::vector<Array> inputs = RandomInputs(subgraph.body, 1);
  const std::vector<Array> expected = *RunGraph(subgraph.body, inputs);
  const SketchContext context = {.dag = pipeline.analyzed().dag,
                                 .target = target};
  ScheduleSampler sampler =
      *ScheduleSampler::Create(context, *GenerateSketches(context));
  Rng rng(1);
  constexpr int kSchedules = 6;
  for (int checked = 0; checked < kSchedules;) {
    const Draw draw =
        checked == 0 ? Draw(*sampler.DefaultSchedule()) : *sampler.Sample(rng);
    const auto* schedule = std::get_if<Schedule>(&draw);
    if (schedule == nullptr) continue;
    SCOPED_TRACE(PrintSchedule(*schedule));
    const absl::StatusOr<Kernel> kernel = pipeline.Compile(*schedule, target);
    ASSERT_TRUE(kernel.ok()) << kernel.status();
    const Array got = RunKernel(*kernel, pipeline, op, inputs);
    EXPECT_LT(RelativeDifference({expected[0].shape, got.values}, expected[0]),
              1e-5);
    ++checked;
  }
}

INSTANTIATE_TEST_SUITE_P(AllKinds, SchedulesTest, testing::ValuesIn(kCases),
                         [](const testing::TestParamInfo<Case>& info) {
                           return info.param.name;
                         });

}  // namespace
}  // namespace pruner
