#include "halide_ext/lower/any_size.h"

#include <algorithm>
#include <string>
#include <vector>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "halide_ext/analyze/analyze.h"
#include "halide_ext/lower/directive.h"
#include "halide_ext/lower/lower.h"
#include "pruner/base/status_macros.h"
#include "pruner/schedule/schedule_text.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

using ::testing::UnorderedElementsAre;

Halide::ImageParam Image() {
  Halide::ImageParam in(Halide::Float(32), 2, "in");
  in.set_estimates({{0, 300}, {0, 200}});
  return in;
}

// rows = in + 1, which is returned: rows of this pixel and the next.
Halide::Func SumsOfNeighbours(const Halide::ImageParam& in) {
  const Halide::Var x("x"), y("y");
  Halide::Func rows("rows"), out("out");
  rows(x, y) = in(x, y) + 1.0f;
  out(x, y) = rows(x, y) + rows(x + 1, y);
  out.set_estimates({{0, 256}, {0, 200}});
  return out;
}

absl::StatusOr<std::vector<Directive>> Lowered(const Halide::Func& out,
                                               absl::string_view schedule,
                                               const TargetSpec& target) {
  ASSIGN_OR_RETURN(const AnalyzedPipeline analyzed,
                   AnalyzePipeline(Halide::Pipeline(out), Sizes::kEstimates));
  ASSIGN_OR_RETURN(const Schedule parsed, ParseSchedule(schedule));
  return LowerSchedule(parsed, analyzed, target);
}

// The least extents of large outputs, by dimension, of 300 x 200 pixels in
// tiles of 160 x 40.
TEST(AnySizeTest, LargeOutputsHoldATile) {
  const Halide::Var x("x"), y("y");
  Halide::ImageParam in = Image();
  Halide::Func out("out");
  out(x, y) = in(x, y) + 1.0f;
  out.set_estimates({{0, 300}, {0, 200}});
  const auto directives =
      Lowered(out,
              "split stage=1 iterator=1 lengths=160 tail=shift_inwards\n"
              "split stage=1 iterator=0 lengths=40 tail=shift_inwards\n"
              "annotate stage=1 iterator=3 annotation=vectorize\n",
              SampleCpuTarget());
  ASSERT_TRUE(directives.ok()) << directives.status();
  int large = 0;
  for (const Directive& d : *directives) {
    if (d.least.empty()) continue;
    ++large;
    ASSERT_EQ(d.least.size(), 2u);
    EXPECT_EQ(d.least[0].extent, 160);  // a tile is more than half
    EXPECT_EQ(d.least[1].extent, 100);
  }
  EXPECT_GE(large, 3);
}

// At the edges of images: the innermost loop over vectors alone.
TEST(AnySizeTest, LoopsInWhichThereAreNoVectorsAreNotDivided) {
  const Halide::Var x("x"), y("y"), c("c");
  Halide::ImageParam in(Halide::Float(32), 3, "in");
  in.set_estimates({{0, 320}, {0, 200}, {0, 3}});
  Halide::Func out("out");
  out(x, y, c) = in(x, y, c) + 1.0f;
  out.set_estimates({{0, 320}, {0, 200}, {0, 3}});
  const auto never_divided = [&](const std::string& order) {
    const auto directives =
        Lowered(out,
                "split stage=1 iterator=2 lengths=16 tail=shift_inwards\n"
                "reorder stage=1 order=" +
                    order +
                    "\n"
                    "annotate stage=1 iterator=3 annotation=vectorize\n",
                SampleCpuTarget())
            .value();
    std::vector<std::string> loops;
    for (const Directive& d : directives) {
      if (d.kind != DirectiveKind::kNeverPartition) continue;
      for (const LoopName& loop : d.loops)
        loops.push_back(loop.name + (d.least.empty() ? "" : " if large"));
    }
    return loops;
  };
  EXPECT_THAT(never_divided("0,1,2,3"),
              UnorderedElementsAre("c", "y", "c if large", "y if large"));
  EXPECT_THAT(never_divided("1,2,0,3"),
              UnorderedElementsAre("c", "y", "c if large", "y if large"));
}

// Twelve vectors in a row, or two tiles of six.
TEST(AnySizeTest, VectorsThatReachFromEdgeToEdgeAreNotUnrolled) {
  const Halide::Var x("x"), y("y");
  const auto unrolls = [&](bool is_clamped, absl::string_view schedule) {
    const Halide::ImageParam in = Image();
    Halide::Func edge("edge"), out("out");
    edge(x, y) = in(is_clamped ? Halide::clamp(x, 0, in.width() - 1) : x, y);
    out(x, y) = edge(x - 1, y) + edge(x + 1, y);
    out.set_estimates({{0, 96}, {0, 200}});
    const auto directives = Lowered(out, schedule, SampleCpuTarget());
    EXPECT_TRUE(directives.ok()) << directives.status();
    return std::any_of(
        directives->begin(), directives->end(),
        [](const Directive& d) { return d.kind == DirectiveKind::kUnroll; });
  };
  const absl::string_view inlined = "compute_inline stage=1\n";
  for (const absl::string_view vectors :
       {"annotate stage=2 iterator=1 annotation=vectorize\n",
        "split stage=2 iterator=1 lengths=48 tail=shift_inwards\n"
        "annotate stage=2 iterator=2 annotation=vectorize\n"}) {
    const std::string schedule = absl::StrCat(inlined, vectors);
    EXPECT_FALSE(unrolls(true, schedule)) << schedule;
    EXPECT_TRUE(unrolls(false, schedule)) << schedule;
    EXPECT_TRUE(unrolls(true, vectors)) << vectors;
  }
  EXPECT_TRUE(unrolls(true, absl::StrCat(inlined,
                                         "split stage=2 iterator=1 lengths=8 "
                                         "tail=shift_inwards\n"
                                         "annotate stage=2 iterator=2 "
                                         "annotation=vectorize\n"
                                         "annotate stage=2 iterator=0 "
                                         "annotation=unroll\n")));
}

// Vectors of a stage in the loops of another: of more than is needed there may
// be any, if inputs are clamped, but not if a sliding window adds to the rest.
TEST(AnySizeTest, VectorsMoveInwardsWhereInputsAreClamped) {
  const Halide::Var x("x"), y("y");
  const auto tail_of_rows = [&](bool is_clamped, absl::string_view more) {
    const Halide::ImageParam in = Image();
    Halide::Func rows("rows"), out("out");
    rows(x, y) = 1.0f + (is_clamped ? in(Halide::clamp(x, 0, in.width() - 1), y)
                                    : in(x, y));
    out(x, y) = rows(x, y) + rows(x, y + 1);
    out.set_estimates({{0, 256}, {0, 199}});
    const auto directives = Lowered(
        out,
        absl::StrCat("split stage=1 iterator=1 lengths=8 tail=guard\n"
                     "annotate stage=1 iterator=2 annotation=vectorize\n"
                     "compute_at stage=1 target_stage=2 target_iterator=0\n",
                     more),
        SampleCpuTarget());
    EXPECT_TRUE(directives.ok()) << directives.status();
    for (const Directive& d : *directives) {
      if (d.kind == DirectiveKind::kSplit && d.func == rows.name())
        return d.tail;
    }
    return Tail::kRoundUp;
  };
  EXPECT_EQ(tail_of_rows(true, ""), Tail::kShiftInwards);
  EXPECT_EQ(tail_of_rows(false, ""), Tail::kGuard);
  EXPECT_EQ(tail_of_rows(true, "slide stage=1\n"), Tail::kGuard);
}

// Tiles of 16 pixels, one for each block of threads, with `rows` in it.
TEST(AnySizeTest, BlocksOfThreadsComputeSmallOutputsElementByElement) {
  const Halide::Func out = SumsOfNeighbours(Image());
  const auto directives =
      Lowered(out,
              "split stage=2 iterator=1 lengths=16 tail=guard\n"
              "fuse stage=2 iterator=0 count=2\n"
              "annotate stage=2 iterator=0 annotation=block\n"
              "annotate stage=2 iterator=1 annotation=thread\n"
              "annotate stage=1 iterator=1 annotation=thread\n"
              "store_in stage=1 storage=shared\n"
              "compute_at stage=1 target_stage=2 target_iterator=0\n",
              SampleGpuTarget());
  ASSERT_TRUE(directives.ok()) << directives.status();
  int large_threads = 0, threads = 0;
  for (const Directive& d : *directives) {
    if (d.kind == DirectiveKind::kGpuThreads)
      ++(d.least.empty() ? threads : large_threads);
    if (d.kind != DirectiveKind::kSplit) continue;
    if (d.least.empty()) {
      EXPECT_EQ(d.factor, 1);
    } else if (d.func == out.name()) {
      EXPECT_EQ(d.tail, Tail::kShiftInwards);
    }
  }
  EXPECT_EQ(large_threads, 2);
  EXPECT_EQ(threads, 0);
}

// raised = in + 1, twice = 2 raised, strips = twice of this pixel and the next;
// in strips of 8 rows, `raised` in each row of `twice`.
TEST(AnySizeTest, OnlyWhatHasOthersInItsLoopsIsCut) {
  const Halide::Var x("x"), y("y");
  Halide::ImageParam in = Image();
  Halide::Func raised("raised"), twice("twice"), strips("strips");
  raised(x, y) = in(x, y) + 1.0f;
  twice(x, y) = raised(x, y) * 2.0f;
  strips(x, y) = twice(x, y) + twice(x + 1, y);
  strips.set_estimates({{0, 256}, {0, 200}});
  const auto directives =
      Lowered(strips,
              "split stage=3 iterator=0 lengths=8 tail=guard\n"
              "compute_at stage=2 target_stage=3 target_iterator=0\n"
              "compute_at stage=1 target_stage=2 target_iterator=0\n",
              SampleCpuTarget());
  ASSERT_TRUE(directives.ok()) << directives.status();
  std::vector<std::string> cut, on_stack;
  for (const Directive& d : *directives) {
    if (d.kind == DirectiveKind::kSplit && d.func != "strips")
      cut.push_back(absl::StrCat(d.func, ".", d.loops[0].name));
    if (d.kind == DirectiveKind::kStoreIn && d.storage == Storage::kStack)
      on_stack.push_back(d.func);
  }
  EXPECT_THAT(cut, UnorderedElementsAre("twice.x", "twice.y"));
  EXPECT_THAT(on_stack, UnorderedElementsAre("raised", "twice"));
}

// Halide, which simplifies what is specialized, would find `rows` in the loops
// of what does not read it.
TEST(AnySizeTest, WhatLosesReadsHasNoVersionForLargeOutputs) {
  const Halide::Var x("x"), y("y");
  Halide::ImageParam in = Image();
  Halide::Func rows("rows"), out("out");
  rows(x, y) = in(x, y) + 1.0f;
  out(x, y) = in(x, y) + (rows(x, y) - rows(x, y));
  out.set_estimates({{0, 256}, {0, 200}});
  const char* tiles =
      "split stage=2 iterator=1 lengths=16 tail=shift_inwards\n"
      "annotate stage=2 iterator=2 annotation=vectorize\n"
      "compute_at stage=1 target_stage=2 target_iterator=1\n";
  const auto directives = Lowered(out, tiles, SampleCpuTarget());
  ASSERT_TRUE(directives.ok()) << directives.status();
  for (const Directive& d : *directives) EXPECT_TRUE(d.least.empty());
}

TEST(AnySizeTest, OfLargeOutputsTheRestIsLeftOut) {
  Halide::ImageParam in = Image();
  Halide::Func out = SumsOfNeighbours(in);
  const Halide::Pipeline pipeline(out);
  const AnalyzedPipeline analyzed =
      AnalyzePipeline(pipeline, Sizes::kEstimates).value();
  const Schedule schedule =
      ParseSchedule(
          "split stage=2 iterator=0 lengths=16 tail=shift_inwards\n"
          "compute_at stage=1 target_stage=2 target_iterator=0\n"
          "annotate stage=2 iterator=0 annotation=parallel\n"
          "annotate stage=2 iterator=2 annotation=vectorize\n"
          "annotate stage=1 iterator=1 annotation=vectorize\n")
          .value();
  const auto directives =
      LowerSchedule(schedule, analyzed, SampleCpuTarget(), OutputSizes::kLarge);
  ASSERT_TRUE(directives.ok()) << directives.status();
  int failing = 0;
  for (const Directive& d : *directives) {
    if (d.kind == DirectiveKind::kOnlySpecialized) {
      EXPECT_EQ(d.func, out.name());
      ++failing;
    } else if (d.kind == DirectiveKind::kSplit && d.func == out.name()) {
      EXPECT_FALSE(d.least.empty());
    }
  }
  EXPECT_EQ(failing, 1);
  ASSERT_TRUE(ApplyDirectives(*directives, pipeline).ok());
  Halide::Buffer<float> image(600, 400);
  image.fill(2.0f);
  in.set(image);
  const Halide::Buffer<float> large = out.realize({256, 200});
  EXPECT_EQ(large(255, 199), 6.0f);
  EXPECT_THROW(out.realize({100, 90}), Halide::Error);
}

// As large as an image, it would be there until the end of the task.
TEST(AnySizeTest, WhatIsLargeIsNotOnTheStack) {
  const Halide::Func out = SumsOfNeighbours(Image());
  const auto directives =
      Lowered(out,
              "split stage=2 iterator=0 lengths=100 tail=guard\n"
              "compute_at stage=1 target_stage=2 target_iterator=0\n",
              SampleCpuTarget());
  ASSERT_TRUE(directives.ok()) << directives.status();
  for (const Directive& d : *directives)
    EXPECT_NE(d.kind, DirectiveKind::kStoreIn) << d.func;
}

}  // namespace
}  // namespace pruner
