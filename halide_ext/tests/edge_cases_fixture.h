// What tests of unusual pipelines make these of.
#ifndef HALIDE_EXT_TESTS_EDGE_CASES_FIXTURE_H_
#define HALIDE_EXT_TESTS_EDGE_CASES_FIXTURE_H_

#include <string>
#include <vector>

#include "Halide.h"
#include "gtest/gtest.h"
#include "halide_ext/analyze/test_pipelines.h"
#include "halide_ext/build/kernel.h"

namespace pruner {

struct EdgeCasesTest : testing::Test {
  // Sizes innermost first, as in Halide.
  static Halide::ImageParam Input(const std::string& name,
                                  const std::vector<int>& sizes) {
    Halide::ImageParam input(Halide::Float(32), static_cast<int>(sizes.size()),
                             name);
    SetSizes(input, sizes);
    return input;
  }

  // Not inlined by a rule, so that the sampler may compute it anywhere.
  static Halide::Expr Positive(const Halide::Expr& e) {
    return Halide::select(e > 0.0f, e, 0.5f);
  }

  static std::vector<std::string> Notes(const Halide::Pipeline& pipeline) {
    return MakeWorkload("noted", pipeline)->notes;
  }

  const Halide::Var x = Halide::Var("x"), y = Halide::Var("y"),
                    c = Halide::Var("c"), n = Halide::Var("n");
};

}  // namespace pruner

#endif  // HALIDE_EXT_TESTS_EDGE_CASES_FIXTURE_H_
