// What analysis finds of initializations and updates.
#include <string>
#include <vector>

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
using Halide::RDom;
using Halide::Var;

TEST(DefinitionsTest, SeveralUpdatesAreComputedAsWritten) {
  Var x("x");
  RDom r(0, 4, "r");
  Func histogram("histogram"), out("out");
  histogram(x) = 0.0f;
  histogram(r) += 1.0f;
  histogram(r) *= 2.0f;
  out(x) = histogram(x);
  out.bound(x, 0, 8);
  const absl::StatusOr<AnalyzedPipeline> analyzed =
      AnalyzePipeline(Pipeline(out));
  ASSERT_TRUE(analyzed.ok()) << analyzed.status();
  EXPECT_TRUE(analyzed->dag.stage(0).opaque);
  EXPECT_FALSE(analyzed->dag.stage(1).opaque);
}

TEST(DefinitionsTest, WhatIsComputedAsWrittenSaysWhy) {
  constexpr char kAsWritten[] =
      ": it is computed as written, in parallel and in vectors only along "
      "dimensions that are independent of each other; ";
  Var x("x"), y("y");
  RDom r(0, 8, "r");
  const auto note = [&](Func f) {
    f.bound(x, 0, 8).bound(y, 0, 8);
    const absl::StatusOr<AnalyzedPipeline> analyzed =
        AnalyzePipeline(Pipeline(f));
    return analyzed.ok() ? Notes(*analyzed) : analyzed.status().ToString();
  };
  Func twice = NamedFunc("twice"), part = NamedFunc("part"),
       some = NamedFunc("some");
  twice(x, y) = 0;
  twice(x, y) += r;
  twice(x, y) *= 2;
  EXPECT_EQ(note(twice),
            std::string("'twice' has 2 updates") + kAsWritten +
                "make each a Func of its own to have them tuned\n");
  part(x, y) = 0;
  part(x, 3) += x;
  EXPECT_EQ(note(part),
            std::string("the update of 'part' is no reduction over all of it "
                        "(see 'y')") +
                kAsWritten +
                "a definition without an update, or one that updates each "
                "element by itself, is tuned\n");
  some(x, y) = 0;
  RDom below(0, 8, "below");
  below.where(below < x);
  some(x, y) += below;
  EXPECT_EQ(note(some), std::string("the update of 'some' has a predicate") +
                            kAsWritten +
                            "put the condition into the value with select() "
                            "to have it tuned\n");
}

// Which dimensions of each definition may run in any order.
TEST(DefinitionsTest, IndependentDimensionsAreFound) {
  Var x("x"), y("y");
  RDom r(1, 7, "r");
  Func f("f"), g("g");
  f(x, y) = x + y;
  f(x, r) += f(x, r - 1);
  f(7 - r, y) *= 2;
  f(x, 2) = f(x, 3);
  g(x, y) = f(x, y);
  g.bound(x, 0, 8).bound(y, 0, 8);
  const absl::StatusOr<AnalyzedPipeline> analyzed =
      AnalyzePipeline(Pipeline(g));
  ASSERT_TRUE(analyzed.ok()) << analyzed.status();
  // Outermost first: y, x.
  std::vector<std::vector<bool>> independent;
  for (const Definition& definition : analyzed->dag.stage(0).definitions)
    independent.push_back(definition.independent);
  EXPECT_EQ(independent,
            (std::vector<std::vector<bool>>{
                {true, true}, {false, true}, {true, false}, {false, true}}));
}

TEST(DefinitionsTest, UpdatesMayTakeNearlyAllOfADimension) {
  ImageParam a(Float(32), 2, "a");
  SetSizes(a, {16, 32});
  Var x("x"), y("y");
  const auto parts_of = [&](int rows) {
    Func sums = NamedFunc("sums" + std::to_string(rows));
    const RDom r(1, rows);
    sums(x, y) = a(x, y);
    sums(x, r) = sums(x, r) * 0.5f + sums(x, r - 1);
    Func reader = NamedFunc("reader" + std::to_string(rows));
    reader(x, y) = sums(x, y) + 1.0f;
    reader.bound(x, 0, 16).bound(y, 0, 32);
    const AnalyzedPipeline analyzed = *AnalyzePipeline(Pipeline(reader));
    return analyzed.dag.stage(1).has_parts;
  };
  EXPECT_TRUE(parts_of(31));
  EXPECT_TRUE(parts_of(25));
  EXPECT_FALSE(parts_of(20));
}

// The definitions before an update compute what it reads and writes, too.
TEST(DefinitionsTest, RegionsHoldWhatUpdatesTouch) {
  Var x("x"), y("y");
  Func f = NamedFunc("f"), scan = NamedFunc("scan"), out = NamedFunc("out");
  RDom r(1, 30, "r");
  f(x, y) = Halide::cast<float>(x + y);
  scan(x, y) = f(x, y);
  scan(x, r) = scan(x, r - 1) + scan(x, r);
  out(x, y) = scan(x, y);
  out.bound(x, 0, 8).bound(y, 0, 3);
  const AnalyzedPipeline analyzed = *AnalyzePipeline(Pipeline(out));
  ASSERT_EQ(analyzed.dag.size(), 3);
  for (const int stage : {0, 1}) {
    EXPECT_EQ(analyzed.dag.stage(stage).shape, std::vector<int64_t>({31, 8}));
    EXPECT_EQ(
        analyzed.dag.stage(stage).read_in_part,
        stage == 1 ? std::vector<bool>({true, false}) : std::vector<bool>());
  }
}

}  // namespace
}  // namespace pruner
