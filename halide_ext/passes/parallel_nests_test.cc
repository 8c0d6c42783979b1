#include "halide_ext/passes/parallel_nests.h"

#include "gtest/gtest.h"

namespace pruner {
namespace {

using Halide::Func;
using Halide::Var;

TEST(ParallelNestsTest, ParallelLoopsInsideOthersAreFound) {
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
    Halide::Pipeline pipeline(g);
    bool has_nests = !is_nested;
    AddFindParallelNests(pipeline, &has_nests);
    pipeline.compile_to_callable({});
    EXPECT_EQ(has_nests, is_nested);
  }
}

}  // namespace
}  // namespace pruner
