#include "halide_ext/build/kernel.h"

#include <algorithm>
#include <string>
#include <vector>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "halide_ext/analyze/fixed_names.h"
#include "halide_ext/analyze/sample_pipelines.h"
#include "halide_ext/passes/stream_inputs.h"
#include "halide_ext/tests/checked_kernels.h"
#include "halide_ext/tests/sample_schedules.h"
#include "pruner/base/os/files.h"
#include "pruner/schedule/schedule_text.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

TEST(KernelTest, ReferenceComputesTheMatrixProduct) {
  const Workload workload =
      *MakeWorkload("matmul", MatmulReluPipeline(3, 4, 5));
  const WorkloadPipeline pipeline = *WorkloadPipeline::Load(workload.pipeline);
  ASSERT_EQ(pipeline.arguments().size(), 3u);
  EXPECT_EQ(pipeline.arguments()[2].shape, (std::vector<int64_t>{3, 4}));
  const std::vector<float> a = CheckedInput(pipeline, 0);
  const std::vector<float> b = CheckedInput(pipeline, 1);
  std::vector<float> expected;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 4; ++j) {
      float sum = 0;
      for (int k = 0; k < 5; ++k) sum += a[i * 5 + k] * b[k * 4 + j];
      expected.push_back(std::max(sum, 0.0f));
    }
  }
  EXPECT_EQ(*RunChecked(pipeline, *pipeline.CompileReference()), expected);
}

// Rows of whole vectors, with a tail, and too short for one.
TEST(KernelTest, TheReferenceInVectorsIsTheSame) {
  for (const int columns : {64, 37, 3}) {
    const Workload workload =
        *MakeWorkload("matmul", MatmulReluPipeline(5, columns, 7));
    const WorkloadPipeline pipeline =
        *WorkloadPipeline::Load(workload.pipeline);
    EXPECT_EQ(*RunChecked(pipeline, *pipeline.CompileVectorReference()),
              *RunChecked(pipeline, *pipeline.CompileReference()))
        << columns;
  }
}

TEST(KernelTest, SampleSchedulesAreRight) {
  for (const SampleSchedule& sample : SampleSchedules())
    CheckSchedules(sample.make(), {sample.schedule});
}

class CountPrefetches : public Halide::Internal::IRVisitor {
 public:
  int count = 0;

 protected:
  using IRVisitor::visit;
  void visit(const Halide::Internal::Call* op) override {
    count += op->name == kPrefetch ? 1 : 0;
    IRVisitor::visit(op);
  }
};

// From the schedule's step to the code, by the names that Halide gives loops:
// split, fused, of this stage and of the one around it.
TEST(KernelTest, StreamsAreInTheCode) {
  constexpr char kPanels[] =
      "split stage=2 iterator=0 lengths=4,4 tail=guard\n"
      "split stage=2 iterator=3 lengths=1,32 tail=guard\n"
      "split stage=2 iterator=6 lengths=16 tail=guard\n"
      "reorder stage=2 order=0,3,6,1,4,7,2,5\n"
      "follow_split stage=3 iterator=0 source_step=0 levels=2 tail=guard\n"
      "follow_split stage=3 iterator=2 source_step=1 levels=2 tail=guard\n"
      "reorder stage=3 order=0,2,1,3\n"
      "compute_at stage=2 target_stage=3 target_iterator=1\n"
      "fuse stage=3 iterator=0 count=2\n"
      "annotate stage=3 iterator=0 annotation=parallel\n"
      "annotate stage=2 iterator=6 annotation=unroll\n"
      "annotate stage=2 iterator=7 annotation=vectorize\n";
  const Halide::Pipeline product = MatmulReluPipeline(64, 128, 64);
  const Workload workload = *MakeWorkload("matmul", product);
  const WorkloadPipeline pipeline = *WorkloadPipeline::Load(workload.pipeline);
  TargetSpec target = SampleCpuTarget();
  target.halide_target = Halide::get_host_target().to_string();
  // Nothing, panels of 16 rows, panels of all rows.
  for (const int bytes : {0, 16 * 32 * 4, 64 * 32 * 4}) {
    const Schedule schedule = *ParseSchedule(
        absl::StrCat(kPanels, "stream stage=2 source=1 max_bytes=", bytes));
    const absl::StatusOr<CompiledModule> compiled =
        pipeline.CompileToModule(schedule, target);
    ASSERT_TRUE(compiled.ok()) << compiled.status();
    CountPrefetches prefetches;
    compiled->module.functions().front().body.accept(&prefetches);
    EXPECT_EQ(prefetches.count > 0, bytes > 0) << bytes;
    const TempDirectory folder = *TempDirectory::Create();
    const std::string file = folder.File("kernel.s");
    compiled->module.compile({{Halide::OutputFileType::assembly, file}});
    EXPECT_EQ(absl::StrContains(*ReadFile(file), "prefetcht1"), bytes > 0);
    CheckSchedules(product, {schedule});
  }
}

TEST(KernelTest, RandomSchedulesOfAMatrixProductAreRight) {
  CheckSamples(MatmulReluPipeline(48, 80, 24), 8);
}

TEST(KernelTest, RandomSchedulesOfLongReductionsAreRight) {
  CheckSamples(NormPipeline(1, 30, 128), 12);
  CheckSamples(NormPipeline(40, 6, 35), 12);
}

// Softmax of a product: the product has two readers, so it is cached.
TEST(KernelTest, RandomSchedulesOfACachedProductAreRight) {
  const int rows = 24, columns = 40, depth = 16;
  Halide::ImageParam a = DenseInput("a", {depth, rows});
  Halide::ImageParam b = DenseInput("b", {columns, depth});
  Halide::Var i("i"), j("j");
  Halide::RDom k(0, depth, "k"), r(0, columns, "r");
  Halide::Func product("product"), sums("sums"), out("out");
  product(j, i) += a(k, i) * b(j, k);
  sums(i) += product(r, i);
  out(j, i) = product(j, i) - sums(i);
  out.bound(i, 0, rows).bound(j, 0, columns);
  CheckSamples(out, 24);
}

TEST(KernelTest, RandomSchedulesOfAConvolutionAreRight) {
  CheckSamples(
      ConvBiasReluPipeline({.size = 14, .in_channels = 8, .out_channels = 32}),
      8);
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
  const std::vector<float> in = CheckedInput(pipeline, 0);
  EXPECT_EQ(*RunChecked(pipeline, *pipeline.CompileReference()),
            (std::vector<float>{in[0], in[2], in[8], in[10], in[16], in[18]}));
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
  std::vector<Schedule> schedules;
  for (const char* text :
       {"compute_at stage=1 target_stage=2 target_iterator=1\n"
        "reorder stage=1 order=0,2,1\n"
        "annotate stage=1 iterator=2 annotation=vectorize\n",
        "compute_at stage=1 target_stage=2 target_iterator=1\n"
        "annotate stage=1 iterator=1 annotation=unroll\n",
        "compute_at stage=1 target_stage=2 target_iterator=1\n"
        "auto_unroll stage=1 max_step=512\n"}) {
    schedules.push_back(*ParseSchedule(text));
  }
  CheckSchedules(out, schedules);
}

TEST(KernelTest, TuplesCannotBeArguments) {
  Halide::Var x("x");
  Halide::Func pair("pair");
  pair(x) = Halide::Tuple(Halide::cast<float>(x), 1.0f);
  pair.bound(x, 0, 4);
  EXPECT_EQ(MakeWorkload("pair", Halide::Pipeline(pair)).status().message(),
            "output '" + pair.name() +
                "' is a tuple: make each of its values an output of its own");
}

TEST(KernelTest, ScheduleThatDoesNotFitIsAnError) {
  const Workload workload =
      *MakeWorkload("matmul", MatmulReluPipeline(8, 8, 8));
  const WorkloadPipeline pipeline = *WorkloadPipeline::Load(workload.pipeline);
  const absl::StatusOr<Kernel> kernel =
      pipeline.Compile(*ParseSchedule("compute_root stage=9"), CheckedTarget());
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
      CheckedTarget(), "matmul");
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_NE(text->find("Stage(funcs.at(\"out\")).split(Var(\"i\"), "
                       "Var(\"i_0\"), Var(\"i_1\"), 8, "
                       "TailStrategy::RoundUp);"),
            std::string::npos)
      << *text;
}

}  // namespace
}  // namespace pruner
