#include "halide_ext/passes/parallel_loops.h"

#include "gtest/gtest.h"

namespace pruner {
namespace {

using Halide::Func;
using Halide::Var;

ParallelLoops Found(const Func& output) {
  Halide::Pipeline pipeline(output);
  ParallelLoops found = {.has_nests = true, .precede_outputs = true};
  AddFindParallelLoops(pipeline, &found);
  pipeline.compile_to_callable({});
  return found;
}

TEST(ParallelLoopsTest, ThoseInsideOthersAreFound) {
  for (const bool is_nested : {false, true}) {
    const Var x("x"), y("y");
    Func f("f"), g("g");
    f(x, y) = Halide::cast<float>(x + y);
    g(x, y) = f(x, y) + f(x, y + 1);
    g.bound(x, 0, 32).bound(y, 0, 32).parallel(y);
    f.compute_at(g, y);
    if (is_nested) {
      f.parallel(x);
    } else {
      f.vectorize(x, 8);
    }
    EXPECT_EQ(Found(g).has_nests, is_nested);
    EXPECT_TRUE(Found(g).precede_outputs);
  }
}

// A sum over r of a stage before it.
struct Sum {
  Sum() {
    f(x) = Halide::cast<float>(x);
    g(x) = f(x);
    g(x) += f(x + r);
    g.bound(x, 0, 32);
    f.compute_root();
  }
  const Var x{"x"};
  const Halide::RDom r{0, 4};
  Func f{"f"}, g{"g"};
};

TEST(ParallelLoopsTest, WithoutOneNoneIsBeforeTheOutputs) {
  EXPECT_FALSE(Found(Sum().g).precede_outputs);
}

TEST(ParallelLoopsTest, OutputsMayBeWrittenBefore) {
  Sum only_update;
  only_update.g.update().parallel(only_update.x);
  EXPECT_FALSE(Found(only_update.g).precede_outputs);
  Sum both;
  both.g.parallel(both.x);
  both.g.update().parallel(both.x);
  EXPECT_TRUE(Found(both.g).precede_outputs);
}

TEST(ParallelLoopsTest, OtherStagesMayBeWrittenBefore) {
  Sum serial_first;
  serial_first.g.parallel(serial_first.x);
  EXPECT_TRUE(Found(serial_first.g).precede_outputs);
  Sum parallel_first;
  parallel_first.f.parallel(parallel_first.x);
  EXPECT_TRUE(Found(parallel_first.g).precede_outputs);
}

TEST(ParallelLoopsTest, ThoseThatAreNotAlwaysComeToDoNotCount) {
  Sum sum;
  Halide::Param<bool> p("p");
  sum.f.specialize(p).parallel(sum.x);
  Halide::Pipeline pipeline(sum.g);
  ParallelLoops found = {.has_nests = false, .precede_outputs = true};
  AddFindParallelLoops(pipeline, &found);
  pipeline.compile_to_callable({p});
  EXPECT_FALSE(found.precede_outputs);
}

}  // namespace
}  // namespace pruner
