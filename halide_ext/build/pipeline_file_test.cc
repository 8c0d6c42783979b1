#include "halide_ext/build/pipeline_file.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "Halide.h"
#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "halide_ext/analyze/sample_pipelines.h"
#include "halide_ext/build/kernel.h"
#include "pruner/dag/dag_proto.h"

namespace pruner {
namespace {

using ::absl_testing::IsOk;
using ::absl_testing::IsOkAndHolds;
using ::absl_testing::StatusIs;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

std::vector<uint8_t> Serialized(const Halide::Pipeline& pipeline) {
  std::vector<uint8_t> bytes;
  Halide::serialize_pipeline(pipeline, bytes);
  return bytes;
}

// The same to the last bit, also of numbers that Workload's text leaves out.
void ExpectSame(const ComputeDag& dag, const ComputeDag& expected) {
  EXPECT_EQ(dag.ToString(), expected.ToString());
  EXPECT_TRUE(PrintDag(dag) == PrintDag(expected));
}

auto IsError(const std::string& message) {
  return StatusIs(absl::StatusCode::kInvalidArgument, message);
}

// A 3x3 box of an image whose edges are repeated, in two passes. Like all that
// users write it, sizes are estimates.
struct Box {
  Box() {
    const Halide::Func edged = Halide::BoundaryConditions::repeat_edge(image);
    rows(x, y) = edged(x, y) + edged(x + 1, y) + edged(x + 2, y);
    box(x, y) = rows(x, y) + rows(x, y + 1) + rows(x, y + 2);
  }
  void Estimate() {
    image.dim(0).set_estimate(0, 40);
    image.dim(1).set_estimate(0, 30);
    box.set_estimate(x, 0, 40).set_estimate(y, 0, 30);
  }

  Halide::ImageParam image{Halide::Float(32), 2, "image"};
  Halide::Var x{"x"}, y{"y"};
  Halide::Func rows{Halide::Internal::Function("rows")};
  Halide::Func box{Halide::Internal::Function("box")};
};

// In both forms; what is read of the inputs is all of them.
TEST(PipelineFileTest, WorkloadsAreThoseOfTheOriginal) {
  for (const Halide::Pipeline& pipeline :
       {MatmulReluPipeline(8, 16, 4), NormPipeline(8, 8, 8),
        SumPipeline(8, 16, 4), WinogradProductPipeline(2, 8, 8),
        ConvBiasReluPipeline({.size = 8, .in_channels = 16})}) {
    const Workload original = *MakeWorkload("w", pipeline);
    const absl::StatusOr<Workload> read =
        WorkloadFromHalide("w", Serialized(pipeline));
    ASSERT_THAT(read, IsOk());
    EXPECT_EQ(read->name, "w");
    ExpectSame(read->dag, original.dag);
    for (const std::string& sealed : {original.pipeline, read->pipeline}) {
      EXPECT_THAT(CheckPipelineFile(sealed, "f"), IsOk());
      const absl::StatusOr<Workload> again = WorkloadFromSealed("w", sealed);
      ASSERT_THAT(again, IsOk());
      ExpectSame(again->dag, original.dag);
      EXPECT_EQ(again->pipeline, sealed);
    }
  }
}

TEST(PipelineFileTest, SizesOfInputsCanBeGiven) {
  Box box;
  box.Estimate();
  const std::vector<uint8_t> bytes = Serialized(box.box);
  EXPECT_THAT(
      WorkloadFromHalide("w", bytes).status(),
      IsError("'repeat_edge' reads 'image' in dimension 0 at an index without "
              "known "
              "bounds: clamp the index or give the input an estimate; Halide's "
              "files do not keep the sizes of inputs, not even estimates: give "
              "them beside the file, as in image=<0>x<1>"));
  const absl::StatusOr<Workload> read =
      WorkloadFromHalide("w", bytes, {{"image", {40, 30}}});
  ASSERT_THAT(read, IsOk());
  ExpectSame(read->dag, MakeWorkload("w", box.box)->dag);
  EXPECT_THAT(WorkloadFromSealed("w", read->pipeline), IsOk());
}

TEST(PipelineFileTest, ErrorsOfSizes) {
  Box box;
  box.box.set_estimate(box.x, 0, 40);
  const std::vector<uint8_t> bytes = Serialized(box.box);
  EXPECT_THAT(WorkloadFromHalide("w", bytes).status(),
              IsError("the size of output 'box' in dimension 1 ('y') is not "
                      "known: give it an estimate or bounds"));
  EXPECT_THAT(WorkloadFromHalide("w", bytes, {{"picture", {40, 30}}}).status(),
              IsError("there is no input 'picture' to give a size to; the "
                      "inputs are 'image'"));
  EXPECT_THAT(WorkloadFromHalide("w", bytes, {{"image", {40, 30, 3}}}).status(),
              IsError("the input 'image' has 2 dimensions, and its size was "
                      "given as 40x30x3"));
}

// Compiling and running is what a file is for.
TEST(PipelineFileTest, WhatWasReadCompiles) {
  Box box;
  box.Estimate();
  const Workload read =
      *WorkloadFromHalide("w", Serialized(box.box), {{"image", {40, 30}}});
  const WorkloadPipeline pipeline = *WorkloadPipeline::Load(read.pipeline);
  EXPECT_THAT(pipeline.arguments()[0].shape, ElementsAre(30, 40));
  EXPECT_THAT(pipeline.CompileReference(), IsOk());
}

TEST(PipelineFileTest, RefusesSchedules) {
  const struct {
    const char* what;
    std::function<void(Box&)> schedule;
  } kCases[] = {
      {"split", [](Box& b) { b.box.split(b.x, b.x, Halide::Var("i"), 8); }},
      {"parallel", [](Box& b) { b.box.parallel(b.y); }},
      {"compute_root", [](Box& b) { b.box.compute_root(); }},
      {"store_root", [](Box& b) { b.box.store_root().compute_root(); }},
      {"specialize", [](Box& b) { b.box.specialize(b.image.width() > 8); }},
  };
  for (const auto& [what, schedule] : kCases) {
    Box box;
    box.Estimate();
    schedule(box);
    EXPECT_THAT(
        WorkloadFromHalide("w", Serialized(box.box), {{"image", {40, 30}}})
            .status(),
        IsError("'box' is scheduled already: serialize the pipeline before "
                "anything is scheduled"))
        << what;
  }
}

TEST(PipelineFileTest, RefusesNamesThatCannotBePrinted) {
  Halide::Var x("x");
  Halide::Func out(Halide::Internal::Function("o\xff\tt"));
  out(x) = x;
  out.bound(x, 0, 8);
  EXPECT_THAT(WorkloadFromHalide("w", Serialized(out)).status(),
              IsError("'o\\xff\\tt' or one of its variables has a name with "
                      "characters other than printable ASCII: rename it"));
}

TEST(PipelineFileTest, DamagedSeals) {
  std::string sealed = MakeWorkload("w", NormPipeline(8, 8, 8))->pipeline;
  EXPECT_TRUE(IsSealedPipeline(sealed));
  const auto is_damaged =
      IsError("f is truncated or damaged: its hash is not that of its content");
  EXPECT_THAT(CheckPipelineFile(sealed.substr(0, sealed.size() / 2), "f"),
              is_damaged);
  sealed[sealed.size() / 2] ^= 1;
  EXPECT_THAT(CheckPipelineFile(sealed, "f"), is_damaged);
  EXPECT_THAT(CheckPipelineFile("other", "f"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("f is no Halide pipeline")));
}

TEST(PipelineFileTest, InputSizesAsText) {
  EXPECT_THAT(ParseInputSizes(""), IsOkAndHolds(IsEmpty()));
  EXPECT_THAT(
      ParseInputSizes("image=640x480x3,bias=16"),
      IsOkAndHolds(ElementsAre(Pair("bias", ElementsAre(16)),
                               Pair("image", ElementsAre(640, 480, 3)))));
  for (const std::string text :
       {"image", "=1", "image=", "image=0", "image=4x", "image=4,image=4",
        "image=4=5", "image=99999999999"}) {
    EXPECT_THAT(ParseInputSizes(text),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("is no input's size: write each once, as in "
                                   "image=640x480")))
        << text;
  }
}

}  // namespace
}  // namespace pruner
