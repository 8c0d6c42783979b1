// What ptxas says of the kernels that sketches for threads give: the blocks of
// 128 x 128 of docs/algorithms.md E2a, found in the space and not written by
// hand.
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/match.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "halide_ext/analyze/sample_pipelines.h"
#include "halide_ext/build/device_code.h"
#include "halide_ext/build/pinned_ptxas.h"
#include "pruner/program/resolve.h"
#include "pruner/sample/limits.h"
#include "pruner/schedule/replay.h"
#include "pruner/sketch/sketch_generator.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

using Lengths = std::vector<int64_t>;

class ThreadCodeTest : public ::testing::Test {
 protected:
  // Fills the tiles of the sketch that stages inputs in shared memory; lengths
  // by the name of the axis. Copies are made in vectors of 4, and innermost
  // reduction loops unrolled.
  Schedule Fill(const ComputeDag& dag,
                const std::map<std::string, Lengths>& tiles) const {
    const SketchContext context = {.dag = dag, .target = target_};
    Sketch staged;
    const std::vector<Sketch> sketches = *GenerateSketches(context);
    for (const Sketch& sketch : sketches) {
      if (absl::StrContains(sketch.derivation, "cache_read")) staged = sketch;
    }
    Schedule schedule = staged.schedule;
    const LoopState state = *ReplayStructure(dag, schedule);
    for (const Decision& decision : staged.decisions) {
      if (!decision.HasLengths()) continue;
      const std::string& axis =
          state.dag->stage(decision.stage).axes[decision.axis].name;
      std::get<SplitStep>(schedule.steps[decision.step]).lengths =
          decision.kind == DecisionKind::kVector ? Lengths{4} : tiles.at(axis);
    }
    for (int stage = 0; stage < state.dag->size(); ++stage) {
      if (state.stages[stage].storage == Storage::kRegister)
        schedule.steps.push_back(AutoUnrollStep{stage, 512});
    }
    return schedule;
  }

  void ExpectInRegisters(const Halide::Pipeline& pipeline,
                         const std::map<std::string, Lengths>& tiles,
                         int64_t accumulators, int64_t registers,
                         bool stores_vectors = true) const {
    const Workload workload = *MakeWorkload("workload", pipeline);
    const Schedule schedule = Fill(workload.dag, tiles);
    const Program program = *Resolve(workload.dag, schedule, target_);
    EXPECT_FALSE(CheckLimits(program, target_)) << program.ToString();
    const auto code = CompileDeviceCode(
        *WorkloadPipeline::Load(workload.pipeline), schedule, target_);
    ASSERT_TRUE(code.ok()) << code.status();
    EXPECT_THAT(code->promotions.refusals, IsEmpty());
    ASSERT_THAT(code->promotions.promotions, SizeIs(1)) << program.ToString();
    EXPECT_EQ(code->promotions.promotions[0].elements, accumulators);
    EXPECT_FALSE(absl::StrContains(code->source, ".local"));
    EXPECT_EQ(absl::StrContains(code->source, "st.global.v4"), stores_vectors);
    EXPECT_THAT(code->source, HasSubstr("ld.shared.v4"));
    const auto kernels = AssessCuda(*code, target_, PinnedPtxas());
    ASSERT_TRUE(kernels.ok()) << kernels.status();
    ASSERT_THAT(*kernels, SizeIs(1));
    EXPECT_TRUE((*kernels)[0].InRegisters()) << program.ToString();
    EXPECT_LE((*kernels)[0].registers, registers);
    RecordProperty("registers", static_cast<int>((*kernels)[0].registers));
  }

  const TargetSpec target_ = SampleGpuTarget();
};

// Lengths: virtual threads, threads, and two levels of registers.
TEST_F(ThreadCodeTest, GemmOf128By128) {
  ExpectInRegisters(
      MatmulReluPipeline(1024, 1024, 1024),
      {{"i", {2, 16, 1, 4}}, {"j", {2, 16, 1, 4}}, {"kx", {2, 4}}}, 64, 140);
}

TEST_F(ThreadCodeTest, Convolution) {
  ExpectInRegisters(ConvBiasReluPipeline({}),
                    {{"y", {2, 4, 1, 1}},
                     {"x", {2, 7, 1, 2}},
                     {"c", {2, 8, 1, 4}},
                     {"rz", {1, 1}},
                     {"ry", {3, 1}},
                     {"rx", {2, 4}}},
                    64, 168);
}

// Blocks that overlap: 4 of 50 rows and 3 of 60 columns. Of rows of 149
// elements most vectors are not aligned.
TEST_F(ThreadCodeTest, GemmOfOddExtents) {
  ExpectInRegisters(MatmulReluPipeline(197, 149, 768),
                    {{"i", {2, 5, 1, 5}}, {"j", {1, 15, 1, 4}}, {"kx", {2, 4}}},
                    40, 140, /*stores_vectors=*/false);
}

// 7 blocks of 8 rows, 2 of 28 columns.
TEST_F(ThreadCodeTest, ConvolutionOfOddExtents) {
  ExpectInRegisters(ConvBiasReluPipeline({.size = 55}),
                    {{"y", {2, 4, 1, 1}},
                     {"x", {2, 7, 1, 2}},
                     {"c", {2, 8, 1, 4}},
                     {"rz", {1, 1}},
                     {"ry", {3, 1}},
                     {"rx", {2, 4}}},
                    64, 168);
}

}  // namespace
}  // namespace pruner
