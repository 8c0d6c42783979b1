// Pipelines unlike a network's: what can be sampled for them is right, too, and
// what cannot be scheduled is refused with a reason.
#include <string>
#include <vector>

#include "Halide.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "halide_ext/analyze/fixed_names.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/tests/checked_kernels.h"
#include "halide_ext/tests/edge_cases_fixture.h"
#include "pruner/schedule/schedule_text.h"

namespace pruner {
namespace {

using Halide::clamp;
using Halide::Expr;
using Halide::Float;
using Halide::Func;
using Halide::ImageParam;
using Halide::Pipeline;
using Halide::RDom;
using Halide::select;
using Halide::Var;

struct MatmulTest : EdgeCasesTest {
  Pipeline Matmul(int rows, int columns, int depth) const {
    ImageParam a = Input("a", {depth, rows}), b = Input("b", {columns, depth});
    RDom k(0, depth, "k");
    Func product("product"), out("out");
    product(x, y) = 0.0f;
    product(x, y) += a(k, y) * b(x, k);
    out(x, y) = Halide::max(product(x, y), 0.0f);
    out.bound(x, 0, columns).bound(y, 0, rows);
    return out;
  }
};

std::string Refusal(const Pipeline& pipeline) {
  return std::string(MakeWorkload("refused", pipeline).status().message());
}

TEST_F(EdgeCasesTest, Scalars) {
  ImageParam a = Input("a", {100}), offset = Input("offset", {});
  RDom r(0, 100, "r");
  Func sum("sum"), out("out");
  sum() = 0.0f;
  sum() += a(r) * 2.0f;
  out() = sum() + offset();
  CheckSamples(out, 5);
}

TEST_F(MatmulTest, AxesOfExtentOne) {
  CheckSamples(Matmul(1, 1, 1), 3);
  CheckSamples(Matmul(1, 48, 1), 5);
  CheckSamples(Matmul(48, 1, 7), 5);
  CheckSamples(Matmul(1, 48, 16), 5);
  CheckSamples(Matmul(1, 1, 64), 3);
}

TEST_F(MatmulTest, PrimeExtents) { CheckSamples(Matmul(7, 13, 11), 8); }

TEST_F(EdgeCasesTest, OutputsInAnotherOrderThanTheyAreComputed) {
  ImageParam a = Input("a", {32});
  Func f("f"), g("g");
  f(x) = a(x) + 1.0f;
  g(x, y) = f(x) * 2.0f + Halide::cast<float>(y);
  f.bound(x, 0, 32);
  g.bound(x, 0, 32).bound(y, 0, 5);
  const Pipeline pipeline({g, f});
  CheckSamples(pipeline, 5);
  const WorkloadPipeline loaded =
      *WorkloadPipeline::Load(MakeWorkload("two", pipeline)->pipeline);
  ASSERT_EQ(loaded.arguments().size(), 3u);
  EXPECT_EQ(loaded.arguments()[1].name, "f");  // as in the DAG
  EXPECT_EQ(loaded.arguments()[2].name, "g");
  const std::vector<float> in = CheckedInput(loaded, 0);
  const auto outputs = RunChecked(loaded, *loaded.CompileReference());
  ASSERT_TRUE(outputs.ok()) << outputs.status();
  EXPECT_EQ((*outputs)[0], in[0] + 1);
  EXPECT_EQ((*outputs)[32 + 4 * 32], 2 * (in[0] + 1) + 4);
}

TEST_F(EdgeCasesTest, OutputThatAnotherReads) {
  ImageParam a = Input("a", {24, 32}), b = Input("b", {48, 24});
  RDom k(0, 24, "k");
  Func product("product"), out("out");
  product(x, y) = 0.0f;
  product(x, y) += a(k, y) * b(x, k);
  out(x, y) = Halide::max(product(x, y), 0.0f);
  for (Func f : {product, out}) f.bound(x, 0, 48).bound(y, 0, 32);
  CheckSamples(Pipeline({product, out}), 4);
}

TEST_F(EdgeCasesTest, SeveralConsumers) {
  ImageParam a = Input("a", {40, 20});
  Func p("p"), q("q"), s("s"), out("out");
  p(x, y) = Positive(a(x, y));
  q(x, y) = select(p(x, y) > 1, p(x, y), p(39 - x, y));
  s(x, y) = select(p(x, y) > 2, 1.0f, 2.0f);
  out(x, y) = q(x, y) + s(x, y) + p(x, y);
  out.bound(x, 0, 40).bound(y, 0, 20);
  CheckSamples(out, 10);
}

TEST_F(EdgeCasesTest, BatchOfImages) {
  ImageParam input = Input("input", {8, 14, 14, 3}),
             weights = Input("weights", {16, 8, 3, 3, 2});
  RDom r(0, 8, 0, 3, 0, 3, "r");
  Func pad("pad"), conv("conv"), out("out");
  pad(c, x, y, n) =
      select(x >= 1 && x < 15 && y >= 1 && y < 15,
             input(c, clamp(x - 1, 0, 13), clamp(y - 1, 0, 13), n), 0.0f);
  conv(c, x, y, n) = 0.0f;
  conv(c, x, y, n) +=
      pad(r.x, x + r.y, y + r.z, n) * weights(c % 16, r.x, r.y, r.z, c / 16);
  out(c, x, y, n) = Halide::max(conv(c, x, y, n), 0.0f);
  out.bound(c, 0, 32).bound(x, 0, 14).bound(y, 0, 14).bound(n, 0, 3);
  CheckSamples(out, 6);
}

TEST_F(EdgeCasesTest, InitializationReads) {
  ImageParam a = Input("a", {24, 33}), b = Input("b", {48, 24}),
             bias = Input("bias", {48});
  RDom k(0, 24, "k");
  Func product("product"), out("out");
  product(x, y) = bias(x);
  product(x, y) += a(k, y) * b(x, k);
  out(x, y) = Halide::max(product(x, y), 0.0f);
  out.bound(x, 0, 48).bound(y, 0, 33);
  CheckSamples(out, 8);
}

TEST_F(EdgeCasesTest, InitializationReadsAStage) {
  ImageParam a = Input("a", {24, 33}), b = Input("b", {48, 24}),
             bias = Input("bias", {48});
  RDom k(0, 24, "k");
  Func p("p"), product("product"), out("out");
  p(x, y) = Positive(bias(x) + Halide::cast<float>(y));
  product(x, y) = p(x, y);
  product(x, y) += a(k, y) * b(x, k);
  out(x, y) = Halide::max(product(x, y), 0.0f);
  out.bound(x, 0, 48).bound(y, 0, 33);
  CheckSamples(out, 12);
}

TEST_F(EdgeCasesTest, IndicesThatDoNotStartAtZero) {
  ImageParam a(Float(32), 2, "a");
  a.dim(0).set_bounds(-3, 40);
  a.dim(1).set_bounds(2, 20);
  Func p("p"), out("out");
  p(x, y) = Positive(a(x, y));
  out(x, y) = p(x - 8, y) + p(x - 7, y + 1);
  out.bound(x, 5, 32).bound(y, 2, 19);
  CheckSamples(out, 8);
}

// Where reads are clamped, divided or gathered, tiles of what is read are not
// all of one size.

TEST_F(EdgeCasesTest, ClampedReads) {
  ImageParam a = Input("a", {64, 20});
  Func p("p"), out("out");
  p(x, y) = Positive(a(x, y));
  out(x, y) = p(clamp(x - 1, 0, 63), y) + p(clamp(x + 1, 0, 63), y) +
              p(x, clamp(y + 1, 0, 19));
  out.bound(x, 0, 64).bound(y, 0, 20);
  CheckSamples(out, 10);
}

// Halide computes five columns of `low` and three of `high`.
TEST_F(EdgeCasesTest, ReadsUnderACondition) {
  ImageParam a = Input("a", {64, 20});
  Func low("low"), high("high"), out("out");
  low(x, y) = Positive(a(x, y));
  high(x, y) = Positive(a(x, y) * 2.0f);
  out(x, y) =
      select(x < 5, low(x, y), x > 60, high(x, y), Halide::cast<float>(y));
  out.bound(x, 0, 64).bound(y, 0, 20);
  CheckSamples(out, 10);
  std::vector<Schedule> schedules;
  for (const char* where :
       {"", "compute_at stage=1 target_stage=3 target_iterator=0\n",
        "compute_at stage=2 target_stage=3 target_iterator=0\n"}) {
    for (const char* tail : {"round_up", "shift_inwards"}) {
      std::string text;
      for (const char* stage : {"1", "2"}) {
        absl::StrAppend(
            &text, "split stage=", stage, " iterator=1 lengths=16 tail=", tail,
            "\nannotate stage=", stage, " iterator=2 annotation=vectorize\n");
      }
      schedules.push_back(*ParseSchedule(absl::StrCat(text, where)));
    }
  }
  CheckSchedules(out, schedules);
}

// A copy at the root is one of all that there is, whoever reads how much of it.
TEST_F(EdgeCasesTest, CopiesOfWhatIsReadInPart) {
  ImageParam a = Input("a", {64});
  Func p("p"), end("end"), out("out");
  p(x) = Positive(a(x));
  end(x) = p(x + 60) * 2.0f;
  out(x) = p(x) + 1.0f;
  end.bound(x, 0, 4);
  out.bound(x, 0, 64);
  std::vector<Schedule> schedules;
  for (const char* reader : {"2", "3"}) {
    for (const char* stage : {"0", "1"}) {
      const std::string copy = *stage == '0' ? "1" : "2";
      const std::string cached = *stage == '0' ? "1" : reader;
      schedules.push_back(*ParseSchedule(absl::StrCat(
          "cache_read stage=", stage, " readers=", cached,
          "\nannotate stage=", copy, " iterator=0 annotation=vectorize\n")));
    }
  }
  CheckSchedules(Pipeline({end, out}), schedules);
}

TEST_F(EdgeCasesTest, ClampedReadsOfAReduction) {
  ImageParam a = Input("a", {64, 20});
  RDom r(0, 32, "r"), window(0, 3, "window");
  Func p("p"), s("s"), t("t"), out("out");
  p(x, y) = Positive(a(x, y));
  s(x, y) = 0.0f;
  s(x, y) += p(clamp(x * 32 + r - 40, 0, 63), y);
  t(x, y) = 0.0f;
  t(x, y) += s(clamp(x + window - 1, 0, 7), y);
  out(x, y) = t(x, y);
  out.bound(x, 0, 8).bound(y, 0, 20);
  CheckSamples(out, 15);
}

TEST_F(EdgeCasesTest, UpsamplingOffTheGrid) {
  ImageParam a = Input("a", {64, 20});
  Func p("p"), out("out");
  p(x, y) = Positive(a(x, y));
  out(x, y) = p((x + 1) / 2, y / 3) + p(x / 2, y / 3);
  out.bound(x, 0, 127).bound(y, 0, 60);
  CheckSamples(out, 10);
}

TEST_F(EdgeCasesTest, PixelShuffle) {
  ImageParam a = Input("a", {64, 20, 20});
  Func p("p"), out("out");
  p(c, x, y) = Positive(a(c, x, y));
  out(c, x, y) = p(c * 4 + (x % 2) * 2 + y % 2, x / 2, y / 2);
  out.bound(c, 0, 16).bound(x, 0, 40).bound(y, 0, 40);
  CheckSamples(out, 10);
}

TEST_F(EdgeCasesTest, LastTileLeftToAGuard) {
  // Whole vectors: what is read behind the end is not within the alignment.
  ImageParam a = Input("a", {40, 2});
  Func p("p"), out("out");
  p(x, y) = Positive(a(x, y));
  out(x, y) = p(x, y) + 1.0f;
  out.bound(x, 0, 40).bound(y, 0, 2);
  CheckSchedules(
      out,
      {*ParseSchedule("split stage=2 iterator=1 lengths=32 tail=guard\n"
                      "compute_at stage=1 target_stage=2 target_iterator=1\n"
                      "annotate stage=1 iterator=1 annotation=vectorize\n")});
}

TEST_F(EdgeCasesTest, TuplesInside) {
  ImageParam a = Input("a", {64, 30});
  Func best("best"), out("out");
  RDom r(0, 30, "r");
  best(x) = Halide::Tuple(-100.0f, 0);
  best(x) = Halide::Tuple(Halide::max(best(x)[0], a(x, r)),
                          select(a(x, r) > best(x)[0], Expr(r), best(x)[1]));
  out(x) = best(x)[0] + Halide::cast<float>(best(x)[1]);
  out.bound(x, 0, 64);
  CheckSamples(out, 5);
}

TEST_F(EdgeCasesTest, VariablesNamedLikeThoseOfSplits) {
  const Var v("x_v"), u("x_u"), one("x_1"), zero("x_0");
  const std::vector<Var> vars = {x, v, u, one, zero};
  ImageParam a = Input("a", {64, 4, 4, 4, 4});
  Func p("p"), out("out");
  p(vars) = Positive(a(x, v, u, one, zero));
  out(vars) = p(x, v, u, one, zero) + 1.0f;
  out.bound(x, 0, 64);
  for (const Var& var : {v, u, one, zero}) out.bound(var, 0, 4);
  CheckSamples(out, 5);
}

TEST_F(EdgeCasesTest, ImagesArePartsOfThePipeline) {
  Halide::Buffer<float> table(16);
  for (int i = 0; i < 16; ++i) table(i) = static_cast<float>(i * i);
  ImageParam a = Input("a", {64});
  Func out("out");
  out(x) = a(x) + table(x % 16);
  out.bound(x, 0, 64);
  CheckSamples(out, 3);
  const WorkloadPipeline loaded =
      *WorkloadPipeline::Load(MakeWorkload("image", out)->pipeline);
  ASSERT_EQ(loaded.arguments().size(), 2u);
  const auto result = RunChecked(loaded, *loaded.CompileReference());
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ((*result)[35], CheckedInput(loaded, 0)[35] + 9);
}

TEST_F(EdgeCasesTest, FuncsThatAreReadWithoutBounds) {
  ImageParam a = Input("a", {64, 30});
  Func p("p"), squares("squares"), out("out");
  p(x, y) = Positive(a(x, y));
  squares(x) = Halide::cast<float>(x) * p(clamp(x, 0, 63), 2);
  out(x, y) = squares(Halide::cast<int>(p(x, y)));
  out.bound(x, 0, 64).bound(y, 0, 30);
  EXPECT_EQ(Notes(out).size(), 1);
  CheckSamples(out, 5);
}

TEST_F(EdgeCasesTest, SizesOfInputs) {
  ImageParam a = Input("a", {64, 30});
  const Func edge = Halide::BoundaryConditions::repeat_edge(a);
  const Func mirror = Halide::BoundaryConditions::mirror_image(a);
  Func p("p"), out("out"), sums("sums");
  RDom r(0, a.width(), "r");
  p(x, y) = Positive(edge(x, y));
  sums(y) += p(r, y) * a(a.width() - 1 - r, y);
  out(x, y) = p(x - 1, y) + p(x + 1, y - 1) + mirror(x - 3, y) + sums(y);
  out.bound(x, 0, 64).bound(y, 0, 30);
  EXPECT_EQ(Notes(out).size(), 0);
  CheckSamples(out, 10);
}

TEST_F(EdgeCasesTest, NumbersAreNoArguments) {
  ImageParam a = Input("a", {64});
  Halide::Param<float> gain("gain");
  Func out("out");
  out(x) = a(x) * gain;
  out.bound(x, 0, 64);
  EXPECT_EQ(Refusal(out),
            "the parameter 'gain' is a number, and kernels take tensors only: "
            "make it an input without dimensions or a constant");
}

TEST_F(EdgeCasesTest, TensorsAreNotLargerThanIndices) {
  ImageParam a = Input("a", {1 << 16});
  Func large = NamedFunc("large");
  large(x, y) = a(x) + 1.0f;
  large.bound(x, 0, 1 << 16).bound(y, 0, 1 << 15);
  EXPECT_EQ(Refusal(large),
            "'large' of shape 32768x65536 has more than 2147483647 elements, "
            "which Halide's indices do not count: make it smaller");
}

}  // namespace
}  // namespace pruner
