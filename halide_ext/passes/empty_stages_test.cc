#include "halide_ext/passes/empty_stages.h"

#include <sstream>
#include <string>

#include "Halide.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

using Halide::Func;
using Halide::Param;
using Halide::Pipeline;
using Halide::RDom;
using Halide::Var;
using testing::HasSubstr;
using testing::Not;

// A sum over the first elements of a stage of its own: none, it may be.
class EmptyStagesTest : public testing::Test {
 protected:
  EmptyStagesTest() {
    const RDom r(0, count_, "r");
    table_(x_) = Halide::cast<float>(x_ + 1);
    out_(x_) = 0.0f;
    out_(x_) += table_(r.x);
    table_.compute_root().gpu_tile(x_, block_, thread_, 32,
                                   Halide::TailStrategy::GuardWithIf);
    out_.update().unscheduled();
  }

  static Halide::Target Device() {
    return Halide::Target("x86-64-linux-opencl");
  }

  std::string Lowered(bool is_mended) {
    Pipeline pipeline(out_);
    if (is_mended) AddMendEmptyStages(pipeline);
    Halide::Module module =
        pipeline.compile_to_module({count_}, "sums", Device());
    std::ostringstream text;
    text << module;
    return text.str();
  }

  std::string Allocated(const std::string& elements) const {
    return "allocate " + table_.name() + "[float32 * " + elements + "]";
  }

  Var x_{"x"}, block_{"block"}, thread_{"thread"};
  Param<int> count_{"count"};
  Func table_{"table"}, out_{"out"};
};

TEST_F(EmptyStagesTest, BuffersHaveAnElement) {
  EXPECT_THAT(Lowered(false), Not(HasSubstr("max(count, 1)")));
  const std::string mended = Lowered(true);
  EXPECT_THAT(mended, HasSubstr("make_struct(0, max(count, 1), 1, 0)"));
  EXPECT_THAT(mended, HasSubstr(Allocated("max(count, 1)")));
}

TEST_F(EmptyStagesTest, KernelsRunWhereThereAreBlocks) {
  EXPECT_THAT(Lowered(true), HasSubstr("if (0 < "));
  EXPECT_THAT(Lowered(false), Not(HasSubstr("if (0 < ")));
}

TEST_F(EmptyStagesTest, WhatHasElementsStaysAsItIs) {
  Func whole("whole");
  whole(x_) = table_(x_) * 2.0f;
  whole.bound(x_, 0, 64);
  table_.bound(x_, 0, 64);
  const auto lowered = [&](bool is_mended) {
    Pipeline pipeline(whole);
    if (is_mended) AddMendEmptyStages(pipeline);
    std::ostringstream text;
    text << pipeline.compile_to_module({}, "whole", Device());
    return text.str();
  };
  EXPECT_THAT(lowered(true), Not(HasSubstr("if (0 < ")));
  EXPECT_THAT(lowered(true), HasSubstr(Allocated("64")));
}

}  // namespace
}  // namespace pruner
