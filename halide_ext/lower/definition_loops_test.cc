#include "halide_ext/lower/definition_loops.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

using ::testing::ElementsAre;

Directive Say(DirectiveKind kind, const std::vector<std::string>& loops) {
  Directive d;
  d.kind = kind;
  for (const std::string& loop : loops) d.loops.push_back({.name = loop});
  return d;
}

std::vector<std::string> After(const std::vector<Directive>& said) {
  std::vector<std::string> names;
  for (const LeftLoop& loop :
       LoopsAfter({{.name = "x"}, {.name = "y"}, {.name = "z"}}, said)) {
    names.push_back(loop.name.name +
                    (loop.counts_vectors ? " of vectors" : ""));
  }
  return names;
}

TEST(DefinitionLoopsTest, NothingIsSaid) {
  EXPECT_THAT(After({}), ElementsAre("x", "y", "z"));
}

TEST(DefinitionLoopsTest, TheInnerLoopOfASplitStandsInsideTheOuterOne) {
  EXPECT_THAT(After({Say(DirectiveKind::kSplit, {"y", "y_out", "y_in"})}),
              ElementsAre("x", "y_in", "y_out", "z"));
}

TEST(DefinitionLoopsTest, AFusedLoopStandsWhereTheOuterOneStood) {
  EXPECT_THAT(After({Say(DirectiveKind::kFuse, {"x", "z", "xz"})}),
              ElementsAre("y", "xz"));
}

TEST(DefinitionLoopsTest, LoopsThatAreNotReorderedStayWhereTheyAre) {
  EXPECT_THAT(After({Say(DirectiveKind::kReorder, {"z", "x"})}),
              ElementsAre("z", "y", "x"));
}

TEST(DefinitionLoopsTest, VectorsAndCopiesAreNoLoops) {
  EXPECT_THAT(After({Say(DirectiveKind::kSplit, {"x", "x_out", "x_in"}),
                     Say(DirectiveKind::kVectorize, {"x_in"}),
                     Say(DirectiveKind::kUnroll, {"y"}),
                     Say(DirectiveKind::kParallel, {"z"})}),
              ElementsAre("x_out of vectors", "z"));
}

TEST(DefinitionLoopsTest, VectorsAreCountedByTheInnermostLoopOfTheirAxis) {
  EXPECT_THAT(After({Say(DirectiveKind::kSplit, {"y", "tile", "rest"}),
                     Say(DirectiveKind::kSplit, {"rest", "row", "lanes"}),
                     Say(DirectiveKind::kVectorize, {"lanes"})}),
              ElementsAre("x", "row of vectors", "tile", "z"));
  EXPECT_THAT(After({Say(DirectiveKind::kSplit, {"x", "x_out", "lanes"}),
                     Say(DirectiveKind::kFuse, {"x_out", "y", "xy"}),
                     Say(DirectiveKind::kVectorize, {"lanes"})}),
              ElementsAre("xy of vectors", "z"));
  EXPECT_THAT(After({Say(DirectiveKind::kVectorize, {"x"})}),
              ElementsAre("y", "z"));
}

}  // namespace
}  // namespace pruner
