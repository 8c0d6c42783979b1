// The loops of stages that are computed as written, and where they can be
// computed. That they are Halide's, program_test says.
#include <optional>
#include <string>
#include <variant>

#include "Halide.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "halide_ext/analyze/analyze.h"
#include "pruner/base/rng.h"
#include "pruner/program/resolve.h"
#include "pruner/sample/schedule_sampler.h"
#include "pruner/schedule/schedule_text.h"
#include "pruner/sketch/sketch_generator.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::ImageParam;
using Halide::Pipeline;
using Halide::RDom;
using Halide::Var;

ImageParam Image(int width, int height) {
  ImageParam image(Halide::Float(32), 2, "image");
  image.dim(0).set_bounds(0, width);
  image.dim(1).set_bounds(0, height);
  return image;
}

Pipeline Output(Func out, int width, int height) {
  out.bound(out.args()[0], 0, width).bound(out.args()[1], 0, height);
  return Pipeline(out);
}

// A sum down each column, transposed, of columns that begin at -8.
Pipeline Scan() {
  const Var x("x"), y("y");
  const ImageParam image = Image(512, 100);
  Func sums("sums"), out("out");
  const RDom r(1, 99, "r");
  sums(x, y) = image(clamp(x, 0, 511), y);
  sums(x, r) += sums(x, r - 1);
  out(x, y) = sums(y - 8, x);
  return Output(out, 100, 528);
}

// How many pixels of each brightness are in cells of 8 x 8, and their sum.
Pipeline Histograms() {
  const Var x("x"), y("y"), z("z"), c("c");
  const ImageParam image = Image(512, 512);
  Func cells("cells"), out("out");
  const RDom r(0, 8, 0, 8, "r");
  const Expr value = image(8 * x + r.x, 8 * y + r.y);
  cells(x, y, z, c) = 0.0f;
  cells(x, y, clamp(Halide::cast<int>(value), 0, 15), c) +=
      select(c == 0, value, 1.0f);
  out(x, y) = cells(x, y, 3, 0) / cells(x, y, 5, 1) + cells(x, y, 7, 0);
  return Output(out, 64, 64);
}

// Changes one row.
Pipeline Row() {
  const Var x("x"), y("y");
  const ImageParam image = Image(128, 128);
  Func changed("changed"), out("out");
  changed(x, y) = image(x, y);
  changed(x, 17) += 1.0f;
  out(x, y) = changed(x, y) * 2.0f;
  return Output(out, 128, 128);
}

// Sums of a row's beginning, with nothing beside each other.
Pipeline Sums() {
  const Var x("x"), y("y");
  const ImageParam image = Image(512, 1);
  Func sums("sums"), out("out");
  const RDom r(1, 511, "r");
  sums(x) = image(x, 0);
  sums(r) += sums(r - 1);
  out(x, y) = sums(x) + sums(y);
  return Output(out, 512, 512);
}

// The stage that is computed as written, between the image and the output.
constexpr int kWritten = 1;

// Around the definition, the outermost first.
std::string LoopsOf(const Program& program, int definition) {
  std::string loops;
  for (const Statement& statement : program.statements) {
    if (statement.stage != kWritten || statement.definition != definition)
      continue;
    for (int l = statement.loop; l >= 0; l = program.loops[l].parent) {
      const ProgramLoop& loop = program.loops[l];
      loops = absl::StrCat(LoopKindName(loop.kind), " ", loop.extent,
                           loops.empty() ? "" : ", ", loops);
    }
  }
  return loops;
}

class WrittenLoopsTest : public testing::Test {
 protected:
  void Analyze(const Pipeline& pipeline) {
    absl::StatusOr<AnalyzedPipeline> analyzed = AnalyzePipeline(pipeline);
    ASSERT_TRUE(analyzed.ok()) << analyzed.status();
    analyzed_.emplace(*std::move(analyzed));
  }

  absl::StatusOr<Program> Scheduled(const std::string& steps) const {
    return Resolve(analyzed_->dag, *ParseSchedule(steps), target_);
  }

  // Whether random schedules have it in loops of its reader.
  bool IsPlaced() const {
    const SketchContext context = {.dag = analyzed_->dag, .target = target_};
    ScheduleSampler sampler =
        *ScheduleSampler::Create(context, *GenerateSketches(context));
    Rng rng(3);
    for (int draw = 0; draw < 100; ++draw) {
      const Draw drawn = *sampler.Sample(rng);
      const auto* schedule = std::get_if<Schedule>(&drawn);
      if (schedule == nullptr) continue;
      const Program program = *Resolve(analyzed_->dag, *schedule, target_);
      if (program.stages[kWritten].at_stage >= 0) return true;
    }
    return false;
  }

  TargetSpec target_ = SampleCpuTarget();
  std::optional<AnalyzedPipeline> analyzed_;
};

TEST_F(WrittenLoopsTest, ScansGoRowByRow) {
  Analyze(Scan());
  const Program program = *Scheduled("");
  EXPECT_EQ(LoopsOf(program, 0), "parallel 100, for 33, vector 16");
  EXPECT_EQ(LoopsOf(program, 1), "parallel 11, for 99, for 3, vector 16");
}

TEST_F(WrittenLoopsTest, ScansAreComputedInStripsOfTheirReaders) {
  Analyze(Scan());
  const absl::StatusOr<Program> program = Scheduled(
      "split stage=2 iterator=0 lengths=16 tail=guard\n"
      "compute_at stage=1 target_stage=2 target_iterator=0\n");
  ASSERT_TRUE(program.ok()) << program.status();
  // All of the columns, 16 of them.
  EXPECT_EQ(LoopsOf(*program, 1), "for 33, for 99, vector 16");
  EXPECT_TRUE(IsPlaced());
}

TEST_F(WrittenLoopsTest, WhereDataSaysNothingIsAVector) {
  Analyze(Histograms());
  const Program program = *Scheduled("");
  EXPECT_EQ(LoopsOf(program, 1),
            "parallel 64, for 64, for 8, for 8, unrolled 2");
}

TEST_F(WrittenLoopsTest, OnDevicesEachDefinitionIsAKernel) {
  target_ = SampleGpuTarget();
  Analyze(Scan());
  const Program program = *Scheduled("");
  EXPECT_EQ(LoopsOf(program, 0), "block 207, thread 256");
  EXPECT_EQ(LoopsOf(program, 1), "block 17, thread 32, for 99");
}

TEST_F(WrittenLoopsTest, OnDevicesDataSayWhatAThreadStores) {
  target_ = SampleGpuTarget();
  Analyze(Histograms());
  const Program program = *Scheduled("");
  EXPECT_EQ(LoopsOf(program, 1), "block 128, thread 64, for 8, for 8");
}

TEST_F(WrittenLoopsTest, OnDevicesASingleThreadDoesWhatIsInOrder) {
  target_ = SampleGpuTarget();
  Analyze(Sums());
  const Program program = *Scheduled("");
  EXPECT_EQ(LoopsOf(program, 0), "block 16, thread 32");
  EXPECT_EQ(LoopsOf(program, 1), "block 1, thread 1, for 511");
}

TEST_F(WrittenLoopsTest, WhatIsUpdatedInPartIsComputedWhole) {
  Analyze(Row());
  const absl::StatusOr<Program> program =
      Scheduled("compute_at stage=1 target_stage=2 target_iterator=0\n");
  EXPECT_EQ(program.status().message(),
            "step 0: stage 'changed' is computed as written, and whole");
  EXPECT_FALSE(IsPlaced());
}

}  // namespace
}  // namespace pruner
