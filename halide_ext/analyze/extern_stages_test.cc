// Extern stages, of which nobody sees what they compute.
#include <string>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "halide_ext/analyze/analyze.h"
#include "halide_ext/analyze/fixed_names.h"
#include "halide_ext/analyze/test_pipelines.h"

namespace pruner {
namespace {

using Halide::Float;
using Halide::Func;
using Halide::ImageParam;
using Halide::Pipeline;
using Halide::Var;

TEST(ExternStagesTest, ExternStagesAreComputedAsWritten) {
  ImageParam a(Float(32), 1, "a"), b(Float(32), 2, "b");
  SetSizes(a, {16});
  SetSizes(b, {3, 5});
  Var x("x");
  Func p = NamedFunc("p"), blackbox = NamedFunc("blackbox"),
       out = NamedFunc("out");
  p(x) = a(x) + 1.0f;
  blackbox.define_extern("no_such_function", {p, b, 7}, Float(32), {x});
  out(x) = blackbox(x + 1);
  out.bound(x, 0, 8);
  const absl::StatusOr<AnalyzedPipeline> guessed =
      AnalyzePipeline(Pipeline(out));
  ASSERT_TRUE(guessed.ok()) << guessed.status();
  constexpr char kExternNote[] =
      "'blackbox' is an extern stage, whose loops nobody sees: it and what it "
      "reads are computed at the root; define it as a Func to have it tuned\n";
  EXPECT_EQ(Notes(*guessed),
            std::string("how much of 'p' the extern stage 'blackbox' reads is "
                        "not known before it runs, and is guessed: give 'p' "
                        "estimates to have it tuned for the right size\n") +
                kExternNote);
  p.set_estimate(x, 0, 16);
  const absl::StatusOr<AnalyzedPipeline> analyzed =
      AnalyzePipeline(Pipeline(out));
  ASSERT_TRUE(analyzed.ok()) << analyzed.status();
  EXPECT_EQ(Notes(*analyzed), kExternNote);
  EXPECT_EQ(analyzed->dag.ToString(),
            "b[5,3] input f32 opaque\n"
            "a[16] input f32\n"
            "p[x:16] f32 output (float_add:1) a[x]\n"
            "blackbox[x:8] f32 opaque extern p[?(0)]"
            " b[?(0),?(0)]\n"
            "out[x:8] f32 output blackbox[x]\n");
  EXPECT_FALSE(analyzed->SizesAreKnown());
  EXPECT_FALSE(analyzed->dag.stage(2).sizes_are_known);
  EXPECT_TRUE(analyzed->dag.stage(3).sizes_are_known);
}

TEST(ExternStagesTest, InputsOfExternStagesNeedSizes) {
  ImageParam a(Float(32), 1, "a");
  Var x("x");
  Func p = NamedFunc("p"), blackbox = NamedFunc("blackbox");
  p(x) = a(x) + 1.0f;
  blackbox.define_extern("no_such_function", {p}, Float(32), {x});
  blackbox.bound(x, 0, 8);
  EXPECT_EQ(DagText(Pipeline(blackbox)),
            "how much of the input 'a' is read by 'p' depends on an extern "
            "stage: give the input bounds or an estimate in every dimension");
}

}  // namespace
}  // namespace pruner
