#include "halide_ext/lower/guarded_loops.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

using ::testing::Pair;
using ::testing::UnorderedElementsAre;

Directive Split(const char* old, const char* outer, const char* inner,
                int64_t factor) {
  return {.kind = DirectiveKind::kSplit,
          .func = "f",
          .loops = {{.name = old}, {.name = outer}, {.name = inner}},
          .factor = factor,
          .tail = Tail::kShiftInwards};
}

Directive Mark(DirectiveKind kind, const char* loop) {
  return {.kind = kind, .func = "f", .loops = {{.name = loop}}};
}

Directive Reorder(const std::vector<const char*>& loops) {
  Directive d = {.kind = DirectiveKind::kReorder, .func = "f"};
  for (const char* loop : loops) d.loops.push_back({.name = loop});
  return d;
}

// What they are in C++, but for the Func and for what all splits have.
std::string Guarded(const std::vector<Directive>& definition,
                    const AxisParts& parts, int64_t element_bytes = 4,
                    LoopUse use = LoopUse::kUsual) {
  std::string text =
      PrintDirectiveLines(GuardedLoops(definition, parts, element_bytes, use));
  for (const auto& [from, to] :
       std::vector<std::pair<std::string, std::string>>{
           {"  Stage(funcs.at(\"f\")).", ""},
           {", TailStrategy::GuardWithIf", ""},
           {"Var(\"", ""},
           {"\")", ""}}) {
    for (size_t at; (at = text.find(from)) != std::string::npos;)
      text.replace(at, from.size(), to);
  }
  return text;
}

TEST(GuardedLoopsTest, VectorsAreCutOffFirst) {
  EXPECT_EQ(
      Guarded({Split("x", "xo", "xi", 64), Reorder({"xi", "y", "xo"}),
               Split("xi", "u", "v", 8), Mark(DirectiveKind::kVectorize, "v"),
               Mark(DirectiveKind::kUnroll, "u")},
              {}),
      "split(x, x_vectors, v, 8);\n"
      "split(x_vectors, xo, u, 8);\n"
      "reorder({v, u, y, xo});\n"
      "vectorize(v);\n"
      "unroll(u);\n");
}

TEST(GuardedLoopsTest, VectorsOfExtensibleAxesAreMovedInwards) {
  std::map<std::string, Tail> tails;
  for (const Directive& d : GuardedLoops(
           {Split("x", "u", "v", 8), Mark(DirectiveKind::kVectorize, "v"),
            Split("y", "yo", "yi", 8)},
           {{"x", {32}}}, 4, LoopUse::kUsual, /*extensible=*/{"x", "y"})) {
    if (d.kind == DirectiveKind::kSplit) tails[d.loops[0].name] = d.tail;
  }
  EXPECT_THAT(tails, UnorderedElementsAre(Pair("x", Tail::kShiftInwards),
                                          Pair("x_all", Tail::kGuard),
                                          Pair("y", Tail::kGuard)));
}

TEST(GuardedLoopsTest, WhatSeldomRunsIsNotUnrolled) {
  const std::vector<Directive> definition = {
      Split("x", "xo", "xi", 64),
      Split("xi", "u", "v", 8),
      Mark(DirectiveKind::kVectorize, "v"),
      Mark(DirectiveKind::kUnroll, "u"),
      Split("y", "yo", "yi", 6),
      Mark(DirectiveKind::kVectorize, "yi")};
  const auto count = [&](LoopUse use) {
    int unrolled = 0;
    for (const Directive& d : GuardedLoops(definition, {}, 4, use))
      unrolled += d.kind == DirectiveKind::kUnroll;
    return unrolled;
  };
  EXPECT_EQ(count(LoopUse::kUsual), 2);
  EXPECT_EQ(count(LoopUse::kRare), 0);
}

TEST(GuardedLoopsTest, ThreadsHaveCopiesForVectors) {
  std::map<DirectiveKind, int> count;
  for (const Directive& d : GuardedLoops(
           {Split("x", "u", "v", 8), Mark(DirectiveKind::kVectorize, "v")}, {},
           4, LoopUse::kThreads)) {
    ++count[d.kind];
  }
  EXPECT_EQ(count[DirectiveKind::kVectorize], 0);
  EXPECT_EQ(count[DirectiveKind::kUnroll], 1);
}

TEST(GuardedLoopsTest, PartsHaveLoopsAroundThem) {
  EXPECT_EQ(
      Guarded({Reorder({"x", "y"}), Mark(DirectiveKind::kUnroll, "y"),
               Split("x", "u", "v", 8), Mark(DirectiveKind::kVectorize, "v")},
              {{"x", {32}}, {"y", {3}}}),
      "split(y, y_parts, y_part, 3);\n"
      "split(x, x_all, v, 8);\n"
      "split(x_all, x_parts, u, 4);\n"
      "reorder({v, u, y_part, y_parts, x_parts});\n"
      "unroll(y_part);\n"
      "vectorize(v);\n");
}

// Of a reduction whose order may matter Halide refuses another order.
TEST(GuardedLoopsTest, PartsOfReductionsStayInOrder) {
  EXPECT_EQ(
      Guarded({Reorder({"rx", "ry", "x"}), Mark(DirectiveKind::kUnroll, "rx")},
              {{"rx", {.extent = 13, .is_rvar = true}}}, 4, LoopUse::kThreads),
      "split(Rrx, Rrx_parts, Rrx_part, 13);\n"
      "reorder({rx_part, Rrx_parts, ry, x});\n"
      "unroll(rx_part);\n");
}

// Also those of an axis whose own loops are several.
TEST(GuardedLoopsTest, PartsOfSplitReductionsStayInOrder) {
  const std::vector<Directive> definition = {
      Split("rx", "rxo", "rxi", 2), Reorder({"rxi", "x", "rxo", "ry", "y"}),
      Mark(DirectiveKind::kUnroll, "rxo")};
  const auto order = [&](bool keeps_order) {
    const std::string text = Guarded(
        definition,
        {{"rx", {.extent = 4, .is_rvar = true, .keeps_order = keeps_order}}});
    return text.substr(text.find("reorder"));
  };
  EXPECT_EQ(order(false),
            "reorder({rxi, x, rxo, ry, y, Rrx_parts});\n"
            "unroll(rxo);\n");
  EXPECT_EQ(order(true),
            "reorder({rxi, x, rxo, Rrx_parts, ry, y});\n"
            "unroll(rxo);\n");
}

TEST(GuardedLoopsTest, APartMayBeAVector) {
  EXPECT_EQ(Guarded({Mark(DirectiveKind::kVectorize, "x")}, {{"x", {8}}}),
            "split(x, x_parts, x_part, 8);\n"
            "vectorize(x_part);\n");
}

TEST(GuardedLoopsTest, VectorsThatDoNotDivideAPartAreInALoop) {
  EXPECT_EQ(Guarded({Reorder({"x", "y"}), Split("x", "u", "v", 8),
                     Mark(DirectiveKind::kVectorize, "v"),
                     Mark(DirectiveKind::kUnroll, "u")},
                    {{"x", {34}}, {"y", {2}}}),
            "split(y, y_parts, y_part, 2);\n"
            "split(x, u, v, 8);\n"
            "reorder({v, u, y_part, y_parts});\n"
            "vectorize(v);\n");
}

TEST(GuardedLoopsTest, VectorsThatDoNotDivideTilesAreNone) {
  EXPECT_EQ(Guarded({Split("x", "xo", "xi", 12), Split("xi", "u", "v", 8),
                     Mark(DirectiveKind::kVectorize, "v")},
                    {}),
            "split(x, xo, xi, 12);\n"
            "split(xi, u, v, 8);\n"
            "unroll(v);\n");
  // Of more copies than that nothing is made.
  EXPECT_EQ(Guarded({Mark(DirectiveKind::kVectorize, "x")}, {{"x", {48}}}),
            "split(x, x_parts, x_part, 48);\n");
}

TEST(GuardedLoopsTest, ShortVectorsAreCopies) {
  EXPECT_EQ(Guarded({Mark(DirectiveKind::kVectorize, "x")}, {{"x", {2}}}),
            "split(x, x_parts, x_part, 2);\n"
            "unroll(x_part);\n");
  // Of bytes 16 are needed.
  EXPECT_EQ(
      Guarded({Split("x", "u", "v", 8), Mark(DirectiveKind::kVectorize, "v")},
              {}, /*element_bytes=*/1),
      "split(x, u, v, 8);\n"
      "unroll(v);\n");
}

}  // namespace
}  // namespace pruner
