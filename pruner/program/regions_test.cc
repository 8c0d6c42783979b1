// How much is computed of stages inside another's loops, and how often a
// statement is in the code.
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "pruner/dag/compute_dag.h"
#include "pruner/program/resolve.h"
#include "pruner/schedule/schedule_text.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

Stage MakeStage(const char* name, std::vector<int64_t> shape) {
  Stage stage;
  stage.name = name;
  stage.shape = std::move(shape);
  for (size_t d = 0; d < stage.shape.size(); ++d) {
    stage.axes.push_back(
        {.name = std::string(1, "xyz"[d]), .extent = stage.shape[d]});
  }
  return stage;
}

Access Read(int stage, std::vector<IndexExpr> indices) {
  return {.stage = stage, .indices = std::move(indices)};
}

// Axis `axis`, so many times, plus a constant.
IndexExpr At(int axis, int64_t constant = 0, int64_t coefficient = 1) {
  return {.terms = {{.axis = axis, .coefficient = coefficient}},
          .constant = constant};
}

Program Resolved(const ComputeDag& dag, const char* steps) {
  return *Resolve(dag, *ParseSchedule(steps), SampleCpuTarget());
}

std::vector<int64_t> ExtentsOf(const Program& program, int stage) {
  std::vector<int64_t> extents;
  const Buffer& buffer = program.buffers[program.stages[stage].buffer];
  for (int d = 0; d < buffer.num_dimensions; ++d)
    extents.push_back(program.dimensions[buffer.first_dimension + d].extent);
  return extents;
}

// Stages: a, what reads it, and what reads both.
ComputeDag Diamond(std::vector<int64_t> of_a, Access of_middle,
                   std::vector<int64_t> middle, Access first, Access second) {
  Stage a = MakeStage("a", std::move(of_a));
  Stage b = MakeStage("b", std::move(middle));
  b.reads = {std::move(of_middle)};
  Stage c = MakeStage("c", {32, 32});
  c.is_output = true;
  c.reads = {std::move(first), std::move(second)};
  return *ComputeDag::Create({a, b, c});
}

constexpr char kBothInTheInnerLoop[] =
    "compute_at stage=1 target_stage=2 target_iterator=1\n"
    "compute_at stage=0 target_stage=2 target_iterator=1\n";

// c[x,y] = a[x,y] + b[x,y], b[x,y] = a[x,y+5].
TEST(RegionsTest, OfSeveralReadersEachBeginsWhereItsOwnRegionDoes) {
  const ComputeDag dag =
      Diamond({32, 37}, Read(0, {At(0), At(1, 5)}), {32, 32},
              Read(0, {At(0), At(1)}), Read(1, {At(0), At(1)}));
  const Program program = Resolved(dag, kBothInTheInnerLoop);
  EXPECT_EQ(ExtentsOf(program, 0), (std::vector<int64_t>{1, 6}));
  EXPECT_EQ(ExtentsOf(program, 1), (std::vector<int64_t>{1, 1}));
}

// c[x,y] = a[x,y] + b[y,x], b[y,x] = a[x,y+2]: the axes have other numbers, and
// are the same loops.
TEST(RegionsTest, AxesAreFollowedThroughTranspositions) {
  const ComputeDag dag =
      Diamond({32, 34}, Read(0, {At(1), At(0, 2)}), {32, 32},
              Read(0, {At(0), At(1)}), Read(1, {At(1), At(0)}));
  EXPECT_EQ(ExtentsOf(Resolved(dag, kBothInTheInnerLoop), 0),
            (std::vector<int64_t>{1, 3}));
}

// c[x,y] = a[x,y] + b[x,y], b[x,y] = a[y,x]: what is read lies anywhere.
TEST(RegionsTest, WhatMovesWithDifferentLoopsIsComputedWhole) {
  const ComputeDag dag =
      Diamond({32, 32}, Read(0, {At(1), At(0)}), {32, 32},
              Read(0, {At(0), At(1)}), Read(1, {At(0), At(1)}));
  const Program program = Resolved(dag, kBothInTheInnerLoop);
  EXPECT_EQ(ExtentsOf(program, 0), (std::vector<int64_t>{32, 32}));
  const ProgramStage& a = program.stages[0];
  ASSERT_EQ(a.num_bounds, 2);
  EXPECT_EQ(program.marks[a.first_bound].kind, LoopTransform::Kind::kBound);
}

// c[x,y] = a[x % 8] + b[x,y].
TEST(RegionsTest, OfWhatIsReadModuloANumberAllIs) {
  IndexExpr index = At(0);
  index.modulus = 8;
  const ComputeDag dag = Diamond({16}, Read(0, {index}), {32, 32},
                                 Read(0, {index}), Read(1, {At(0), At(1)}));
  EXPECT_EQ(ExtentsOf(Resolved(dag, kBothInTheInnerLoop), 0),
            (std::vector<int64_t>{8}));
}

// c[x,y] = a[x,y] + b[x,y/2], b[x,y] = a[x,2y+1]; so many rows of c at a time.
std::vector<int64_t> RowsOfLevels(int64_t rows) {
  IndexExpr half = At(1);
  half.divisor = 2;
  const ComputeDag dag =
      Diamond({32, 33}, Read(0, {At(0), At(1, 1, 2)}), {32, 16},
              Read(0, {At(0), At(1)}), Read(1, {At(0), half}));
  const std::string steps =
      absl::StrCat("split stage=2 iterator=1 lengths=", rows, " tail=guard\n",
                   kBothInTheInnerLoop);
  const Program program = Resolved(dag, steps.c_str());
  return {ExtentsOf(program, 0)[1], ExtentsOf(program, 1)[1]};
}

TEST(RegionsTest, HalfTheRateOfEvenRowsIsKnown) {
  EXPECT_EQ(RowsOfLevels(8), (std::vector<int64_t>{8, 4}));
  EXPECT_EQ(RowsOfLevels(2), (std::vector<int64_t>{2, 1}));
}

TEST(RegionsTest, OfOddRowsWhatIsReadAtTwoRatesIsComputedWhole) {
  EXPECT_EQ(RowsOfLevels(7), (std::vector<int64_t>{33, 4}));
}

std::string ErrorOf(const ComputeDag& dag, const std::string& steps) {
  return std::string(Resolve(dag, *ParseSchedule(steps), SampleCpuTarget())
                         .status()
                         .message());
}

// c[x,y] = a[x,y] + b[x,y], b[x,y] = a[x,y+2].
ComputeDag Rows() {
  return Diamond({32, 34}, Read(0, {At(0), At(1, 2)}), {32, 32},
                 Read(0, {At(0), At(1)}), Read(1, {At(0), At(1)}));
}

// Where the last tile is smaller, Halide adds the extent of the others to where
// it begins, and of a copy no more is computed than there is.
TEST(RegionsTest, WhatDiffersFromTileToTileIsNotFused) {
  std::vector<Stage> stages = Rows().stages();
  stages[0].is_copy = true;
  const ComputeDag dag = *ComputeDag::Create(std::move(stages));
  const auto steps = [](int rows) {
    return absl::StrCat("split stage=2 iterator=0 lengths=", rows,
                        " tail=guard\n",
                        "compute_at stage=1 target_stage=2 target_iterator=0\n",
                        "fuse stage=1 iterator=0 count=2\n");
  };
  EXPECT_EQ(ErrorOf(dag, steps(8)), "");
  EXPECT_EQ(ErrorOf(Rows(), steps(5)), "");
  EXPECT_EQ(ErrorOf(dag, steps(5)),
            "stage 'b' is computed in a loop that needs more of it here and "
            "less there: its loops can't be fused");
}

// Halide does not find that a remainder by 32 of where these begin is a single
// number.
TEST(RegionsTest, NothingIsComputedInPartsOfFusedLoopsThatAreMoved) {
  const auto error = [](const char* split) {
    return ErrorOf(Rows(),
                   absl::StrCat("fuse stage=2 iterator=0 count=2\n", split,
                                "compute_at stage=1 target_stage=2 "
                                "target_iterator=0\n"));
  };
  EXPECT_EQ(error(""), "");
  EXPECT_EQ(error("split stage=2 iterator=0 lengths=6 tail=guard\n"), "");
  EXPECT_EQ(error("split stage=2 iterator=0 lengths=8 tail=shift_inwards\n"),
            "");
  EXPECT_EQ(error("split stage=2 iterator=0 lengths=6 tail=shift_inwards\n"),
            "stage 'b' is computed inside a part of a fused loop that is moved "
            "inwards");
}

// The second 20 of 32 begin at 12.
TEST(RegionsTest, WhatIsMovedInwardsReachesLessFar) {
  const Program program =
      Resolved(Rows(),
               "split stage=2 iterator=1 lengths=20 tail=shift_inwards\n"
               "reorder stage=2 order=0,2,1\n"
               "compute_at stage=1 target_stage=2 target_iterator=1\n");
  EXPECT_EQ(ExtentsOf(program, 1), (std::vector<int64_t>{1, 13}));
}

// b[x,y] = a[x % 8]: where Halide knows that x is 0, it needs one element.
TEST(RegionsTest, OfOneRemainderAllAreBound) {
  IndexExpr index = At(0);
  index.modulus = 8;
  const auto num_bounds = [&](int64_t columns) {
    Stage a = MakeStage("a", {8});
    Stage b = MakeStage("b", {columns, 32});
    b.reads = {Read(0, {index})};
    b.is_output = true;
    const ComputeDag dag = *ComputeDag::Create({a, b});
    return Resolved(dag, "").stages[0].num_bounds;
  };
  EXPECT_EQ(num_bounds(1), 1);
  EXPECT_EQ(num_bounds(16), 0);
}

// The copies of c, which is split and alone.
int64_t CopiesOfC(const char* steps) {
  Stage c = MakeStage("c", {13});
  c.is_output = true;
  const ComputeDag dag = *ComputeDag::Create({c});
  const Program program = Resolved(dag, steps);
  return program.statements[program.stages[0].body].copies;
}

TEST(RegionsTest, CopiesBeyondTheEndAreNotInTheCode) {
  // x*4, x: the fourth part has one of its iterations.
  EXPECT_EQ(CopiesOfC("split stage=0 iterator=0 lengths=4 tail=guard\n"
                      "annotate stage=0 iterator=0 annotation=unroll\n"
                      "annotate stage=0 iterator=1 annotation=unroll\n"),
            13);
  // x*6, x*4, x: in sixes, of which the second part has two iterations.
  EXPECT_EQ(CopiesOfC("split stage=0 iterator=0 lengths=6 tail=guard\n"
                      "split stage=0 iterator=1 lengths=4 tail=guard\n"
                      "annotate stage=0 iterator=1 annotation=unroll\n"
                      "annotate stage=0 iterator=2 annotation=unroll\n"),
            6);
  // Fused with what is around it they are as many.
  EXPECT_EQ(CopiesOfC("split stage=0 iterator=0 lengths=6 tail=guard\n"
                      "split stage=0 iterator=1 lengths=4 tail=guard\n"
                      "fuse stage=0 iterator=1 count=2\n"
                      "annotate stage=0 iterator=1 annotation=unroll\n"),
            6);
}

TEST(RegionsTest, AVectorHasNoGuardInAGuard) {
  // Three lanes would need a fourth, which is masked.
  Stage c = MakeStage("c", {13});
  c.is_output = true;
  const ComputeDag dag = *ComputeDag::Create({c});
  const Program program =
      Resolved(dag,
               "split stage=0 iterator=0 lengths=3 tail=guard\n"
               "annotate stage=0 iterator=1 annotation=vectorize\n");
  EXPECT_EQ(program.loops.back().kind, LoopKind::kSerial);
}

// b[x,y] = a[x,y] in the first rows alone: only a compiler that follows the
// condition knows which copies of a there are.
TEST(RegionsTest, LoopsAroundWhatIsReadInPartStayRolled) {
  Stage a = MakeStage("a", {32, 4});
  Stage b = MakeStage("b", {32, 4});
  b.is_output = true;
  b.reads = {Read(0, {At(0), At(1)})};
  constexpr char kSteps[] =
      "compute_at stage=0 target_stage=1 target_iterator=1\n"
      "annotate stage=1 iterator=1 annotation=unroll\n";
  const auto kind = [&] {
    const ComputeDag dag = *ComputeDag::Create({a, b});
    const Program program = Resolved(dag, kSteps);
    return program.loops[program.stages[0].loop].kind;
  };
  EXPECT_EQ(kind(), LoopKind::kUnrolled);
  a.read_in_part = {false, true};
  EXPECT_EQ(kind(), LoopKind::kSerial);
}

}  // namespace
}  // namespace pruner
