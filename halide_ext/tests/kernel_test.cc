#include "halide_ext/build/kernel.h"

#include <cmath>
#include <string>
#include <vector>

#include "Halide.h"
#include "gtest/gtest.h"
#include "halide_ext/analyze/sample_pipelines.h"
#include "pruner/sample/schedule_sampler.h"
#include "pruner/schedule/schedule_text.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

// The sample target, compiled for whatever machine this is.
TargetSpec Target() {
  TargetSpec target = SampleCpuTarget();
  target.halide_target = Halide::get_host_target().to_string();
  return target;
}

// Tensors for a kernel's arguments, filled with numbers that are easy to sum
// exactly.
class Tensors {
 public:
  explicit Tensors(const std::vector<KernelArgument>& arguments) {
    int seed = 0;
    for (const KernelArgument& argument : arguments) {
      buffers_.emplace_back(static_cast<int>(argument.NumElements()));
      for (int i = 0; i < buffers_.back().width(); ++i) {
        buffers_.back()(i) = static_cast<float>((i * 7 + ++seed) % 13 - 6);
      }
      pointers_.push_back(buffers_.back().data());
    }
  }
  const std::vector<void*>& pointers() const { return pointers_; }
  std::vector<float> Output() const {
    const Halide::Buffer<float>& b = buffers_.back();
    return {b.begin(), b.end()};
  }

 private:
  std::vector<Halide::Buffer<float>> buffers_;
  std::vector<void*> pointers_;
};

std::vector<float> RunKernel(const WorkloadPipeline& pipeline,
                             const absl::StatusOr<Kernel>& kernel) {
  EXPECT_TRUE(kernel.ok()) << kernel.status();
  if (!kernel.ok()) return {};
  Tensors tensors(pipeline.arguments());
  const absl::Status status = kernel->Run(tensors.pointers());
  EXPECT_TRUE(status.ok()) << status;
  return tensors.Output();
}

TEST(KernelTest, ReferenceComputesTheMatrixProduct) {
  const Workload workload =
      *MakeWorkload("matmul", MatmulReluPipeline(3, 4, 5));
  const WorkloadPipeline pipeline = *WorkloadPipeline::Load(workload.pipeline);
  ASSERT_EQ(pipeline.arguments().size(), 3u);
  EXPECT_EQ(pipeline.arguments()[2].shape, (std::vector<int64_t>{3, 4}));
  Tensors tensors(pipeline.arguments());
  ASSERT_TRUE(pipeline.CompileReference()->Run(tensors.pointers()).ok());
  const auto* a = static_cast<const float*>(tensors.pointers()[0]);
  const auto* b = static_cast<const float*>(tensors.pointers()[1]);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 4; ++j) {
      float sum = 0;
      for (int k = 0; k < 5; ++k) sum += a[i * 5 + k] * b[k * 4 + j];
      EXPECT_EQ(tensors.Output()[i * 4 + j], std::max(sum, 0.0f));
    }
  }
}

// Every schedule computes what the reference does; all numbers are small
// integers, so the order of summation does not matter.
void CheckSamples(const Halide::Pipeline& halide_pipeline, int samples) {
  const Workload workload = *MakeWorkload("workload", halide_pipeline);
  const WorkloadPipeline pipeline = *WorkloadPipeline::Load(workload.pipeline);
  const TargetSpec target = Target();
  const SketchContext context = {.dag = workload.dag, .target = target};
  ScheduleSampler sampler =
      *ScheduleSampler::Create(context, *GenerateSketches(context));
  const std::vector<float> expected =
      RunKernel(pipeline, pipeline.CompileReference());
  EXPECT_EQ(
      RunKernel(pipeline, pipeline.Compile(*sampler.DefaultSchedule(), target)),
      expected);
  Rng rng(1);
  for (int i = 0; i < samples;) {
    const Draw draw = *sampler.Sample(rng);
    const auto* schedule = std::get_if<Schedule>(&draw);
    if (schedule == nullptr) continue;
    EXPECT_EQ(RunKernel(pipeline, pipeline.Compile(*schedule, target)),
              expected)
        << PrintSchedule(*schedule);
    ++i;
  }
}

TEST(KernelTest, RandomSchedulesOfAMatrixProductAreRight) {
  CheckSamples(MatmulReluPipeline(48, 80, 24), 12);
}

TEST(KernelTest, RandomSchedulesOfAConvolutionAreRight) {
  CheckSamples(
      ConvBiasReluPipeline({.size = 14, .in_channels = 8, .out_channels = 32}),
      12);
}

TEST(KernelTest, RandomSchedulesOfAStridedConvolutionAreRight) {
  CheckSamples(
      ConvBiasReluPipeline(
          {.size = 15, .in_channels = 3, .out_channels = 16, .stride = 2}),
      8);
}

TEST(KernelTest, RandomSchedulesOfAPointwiseConvolutionAreRight) {
  CheckSamples(
      ConvBiasReluPipeline(
          {.size = 11, .in_channels = 16, .out_channels = 48, .kernel = 1}),
      8);
}

TEST(KernelTest, InputsAreAsLargeAsTheyWereSaidToBe) {
  Halide::ImageParam input(Halide::Float(32), 2, "input");
  input.dim(0).set_bounds(0, 4);
  input.dim(1).set_bounds(0, 5);
  Halide::Var x("x"), y("y");
  Halide::Func out("out");
  out(x, y) = input(2 * x, 2 * y);  // not the last column
  out.output_buffer().dim(0).set_bounds(0, 2);
  out.output_buffer().dim(1).set_bounds(0, 3);
  const Workload workload = *MakeWorkload("stride", Halide::Pipeline(out));
  const WorkloadPipeline pipeline = *WorkloadPipeline::Load(workload.pipeline);
  EXPECT_EQ(pipeline.analyzed().dag.ToString(), workload.dag.ToString());
  EXPECT_EQ(pipeline.arguments()[0].shape, (std::vector<int64_t>{5, 4}));
  Tensors tensors(pipeline.arguments());
  ASSERT_TRUE(pipeline.CompileReference()->Run(tensors.pointers()).ok());
  const auto* in = static_cast<const float*>(tensors.pointers()[0]);
  EXPECT_EQ(tensors.Output(),
            (std::vector<float>{in[0], in[2], in[8], in[10], in[16], in[18]}));
}

// Outputs are arguments in the order of the DAG, whatever the order they were
// given in.
TEST(KernelTest, SeveralOutputs) {
  Halide::ImageParam input(Halide::Float(32), 1, "input");
  input.dim(0).set_bounds(0, 24);
  Halide::Var x("x"), y("y");
  Halide::Func twice("twice"), sums("sums");
  twice(x) = 2.0f * input(x);
  sums(x, y) = twice(x) + twice(y);
  twice.bound(x, 0, 24);
  sums.bound(x, 0, 24).bound(y, 0, 5);
  const absl::StatusOr<Workload> workload =
      MakeWorkload("outputs", Halide::Pipeline({sums, twice}));
  ASSERT_TRUE(workload.ok()) << workload.status();
  const WorkloadPipeline pipeline = *WorkloadPipeline::Load(workload->pipeline);
  ASSERT_EQ(pipeline.arguments().size(), 3u);
  EXPECT_EQ(pipeline.arguments()[1].name, "twice");
  EXPECT_EQ(pipeline.arguments()[2].name, "sums");
  for (const absl::StatusOr<Kernel>& kernel :
       {pipeline.CompileReference(), pipeline.Compile({}, Target())}) {
    ASSERT_TRUE(kernel.ok()) << kernel.status();
    Tensors tensors(pipeline.arguments());
    ASSERT_TRUE(kernel->Run(tensors.pointers()).ok());
    const auto* in = static_cast<const float*>(tensors.pointers()[0]);
    const auto* doubled = static_cast<const float*>(tensors.pointers()[1]);
    for (int i = 0; i < 24; ++i) {
      EXPECT_EQ(doubled[i], 2 * in[i]);
      EXPECT_EQ(tensors.Output()[4 * 24 + i], 2 * in[i] + 2 * in[4]);
    }
  }
}

// At the borders less of a stage is needed than elsewhere, so its loops have no
// constant extent.
TEST(KernelTest, StageComputedInsideAClampedStencil) {
  Halide::ImageParam input(Halide::Float(32), 3, "input");
  for (int d : {0, 1, 2}) input.dim(d).set_bounds(0, 16);
  Halide::Var x("x"), y("y");
  Halide::RDom r(0, 16, "r");
  Halide::Func sum("sum"), out("out");
  sum(x, y) = 0.0f;
  sum(x, y) += input(x, y, r);
  out(x, y) = sum(Halide::clamp(x - 1, 0, 15), y) + sum(x, y) +
              sum(Halide::clamp(x + 1, 0, 15), y);
  out.bound(x, 0, 16).bound(y, 0, 16);
  const Workload workload = *MakeWorkload("stencil", Halide::Pipeline(out));
  const WorkloadPipeline pipeline = *WorkloadPipeline::Load(workload.pipeline);
  const std::vector<float> expected =
      RunKernel(pipeline, pipeline.CompileReference());
  for (const char* text :
       {"compute_at stage=1 target_stage=2 target_iterator=1\n"
        "reorder stage=1 order=0,2,1\n"
        "annotate stage=1 iterator=2 annotation=vectorize\n",
        "compute_at stage=1 target_stage=2 target_iterator=1\n"
        "annotate stage=1 iterator=1 annotation=unroll\n",
        "compute_at stage=1 target_stage=2 target_iterator=1\n"
        "auto_unroll stage=1 max_step=512\n"}) {
    EXPECT_EQ(
        RunKernel(pipeline, pipeline.Compile(*ParseSchedule(text), Target())),
        expected)
        << text;
  }
}

TEST(KernelTest, TensorsThatCannotBeArgumentsAreErrors) {
  Halide::ImageParam input(Halide::Float(32), 1, "input");
  Halide::Var x("x");
  Halide::Func pair("pair"), shifted("shifted"), late("late");
  pair(x) = Halide::Tuple(Halide::cast<float>(x), 1.0f);
  pair.bound(x, 0, 4);
  EXPECT_EQ(MakeWorkload("pair", Halide::Pipeline(pair)).status().message(),
            "output 'pair' is a tuple: make each of its values an output of "
            "its own");
  shifted(x) = input(x + 2);
  shifted.bound(x, 0, 4);
  EXPECT_EQ(
      MakeWorkload("shifted", Halide::Pipeline(shifted)).status().message(),
      "'input' starts at index 2 in dimension 0: tensors start at 0, so give "
      "it "
      "bounds or shift what reads it");
  late(x) = Halide::cast<float>(x);
  late.bound(x, 1, 4);
  EXPECT_EQ(MakeWorkload("late", Halide::Pipeline(late)).status().message(),
            "'late' starts at index 1 in dimension 0: tensors start at 0, so "
            "give it bounds or shift what reads it");
}

TEST(KernelTest, ScheduleThatDoesNotFitIsAnError) {
  const Workload workload =
      *MakeWorkload("matmul", MatmulReluPipeline(8, 8, 8));
  const WorkloadPipeline pipeline = *WorkloadPipeline::Load(workload.pipeline);
  const absl::StatusOr<Kernel> kernel =
      pipeline.Compile(*ParseSchedule("compute_root stage=9"), Target());
  EXPECT_EQ(kernel.status().message(), "step 0: there is no compute stage 9");
}

TEST(KernelTest, GarbageIsNoWorkload) {
  EXPECT_FALSE(WorkloadPipeline::Load("garbage").ok());
  std::string damaged =
      MakeWorkload("matmul", MatmulReluPipeline(8, 8, 8))->pipeline;
  damaged[damaged.size() / 2] ^= 1;
  EXPECT_EQ(WorkloadPipeline::Load(damaged).status().message(),
            "not a serialized pipeline, or a damaged one");
}

TEST(KernelTest, PrintsScheduleAsCpp) {
  const Workload workload =
      *MakeWorkload("matmul", MatmulReluPipeline(64, 64, 64));
  const WorkloadPipeline pipeline = *WorkloadPipeline::Load(workload.pipeline);
  const absl::StatusOr<std::string> text = pipeline.PrintCpp(
      *ParseSchedule("split stage=3 iterator=0 lengths=8 tail=shift_inwards\n"
                     "annotate stage=3 iterator=0 annotation=parallel\n"),
      Target(), "matmul");
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_NE(text->find("Stage(funcs.at(\"out\")).split(Var(\"i\"), "
                       "Var(\"i_0\"), Var(\"i_1\"), 8, "
                       "TailStrategy::RoundUp);"),
            std::string::npos)
      << *text;
}

}  // namespace
}  // namespace pruner
