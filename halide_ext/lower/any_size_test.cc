#include "halide_ext/lower/any_size.h"

#include <vector>

#include "Halide.h"
#include "gtest/gtest.h"
#include "halide_ext/analyze/analyze.h"
#include "halide_ext/lower/lower.h"
#include "pruner/schedule/schedule_text.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

// The least extents of large outputs, by dimension, of 300 x 200 pixels in
// tiles of 160 x 40.
TEST(AnySizeTest, LargeOutputsHoldATile) {
  const Halide::Var x("x"), y("y");
  Halide::ImageParam in(Halide::Float(32), 2, "in");
  in.set_estimates({{0, 300}, {0, 200}});
  Halide::Func out("out");
  out(x, y) = in(x, y) + 1.0f;
  out.set_estimates({{0, 300}, {0, 200}});
  const absl::StatusOr<AnalyzedPipeline> analyzed =
      AnalyzePipeline(Halide::Pipeline(out), Sizes::kEstimates);
  ASSERT_TRUE(analyzed.ok()) << analyzed.status();
  const auto directives = LowerSchedule(
      *ParseSchedule("split stage=1 iterator=1 lengths=160 tail=shift_inwards\n"
                     "split stage=1 iterator=0 lengths=40 tail=shift_inwards\n"
                     "annotate stage=1 iterator=3 annotation=vectorize\n"),
      *analyzed, SampleCpuTarget());
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

}  // namespace
}  // namespace pruner
