#include "tools/bench/operator_timing.h"

#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "halide_ext/tests/checked_kernels.h"
#include "pruner/base/text/json.h"

namespace pruner {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::StartsWith;

OperatorCase Case(const std::string& name) {
  for (const OperatorCase& c : OperatorSuite(SuiteSizes::kReduced, 16)) {
    if (c.Name() == name) return c;
  }
  ADD_FAILURE() << "no case " << name;
  return {};
}

TEST(OperatorTimingTest, TimesSchedulesOfEverySketch) {
  const TargetSpec target = CheckedTarget();
  std::vector<std::string> notes;
  const auto result = TimeOperator(
      Case("GMM_1_b2"), target,
      {.samples = 2,
       .note = [&](const std::string& note) { notes.push_back(note); }});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->op(), "GMM");
  EXPECT_EQ(result->batch(), 2);
  EXPECT_GE(result->sketches(), 2);
  // And the default schedule.
  EXPECT_EQ(result->timed(), 2 * result->sketches() + 1);
  EXPECT_EQ(result->wrong(), 0);
  EXPECT_EQ(result->failed(), 0);
  EXPECT_DOUBLE_EQ(result->gflop(), 2e-9 * 2 * 24 * 24 * 24);
  EXPECT_DOUBLE_EQ(result->mbytes(), 1e-6 * 4 * 3 * 2 * 24 * 24);
  EXPECT_GT(result->best_ms(), 0);
  EXPECT_LE(result->best_ms(), result->default_ms());
  EXPECT_DOUBLE_EQ(result->gflops(), result->gflop() / result->best_ms() * 1e3);
  EXPECT_DOUBLE_EQ(result->peak_fraction(),
                   result->gflops() / target.peaks.fp32_gflops);
  EXPECT_EQ(result->reference(), "unscheduled");
  EXPECT_THAT(notes, Contains(HasSubstr("default")));
}

TEST(OperatorTimingTest, CanDoWithoutAReference) {
  const auto result = TimeOperator(Case("NRM_1_b1"), CheckedTarget(),
                                   {.samples = 0, .check = false, .note = {}});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->reference(), "none");
  EXPECT_EQ(result->timed(), 1);
}

TEST(OperatorTimingTest, TableAndJsonHaveTheSameFigures) {
  proto::OperatorResults results;
  results.set_target("toaster");
  results.set_samples(7);
  proto::OperatorResult& r = *results.add_operators();
  r.set_op("C2D");
  r.set_shape(3);
  r.set_sizes("14x14x256 k3 p1");
  r.set_best_ms(1.25);
  r.set_peak_fraction(0.875);
  r.set_reference("default");
  const std::vector<std::string> lines =
      absl::StrSplit(OperatorTable(results), '\n');
  EXPECT_THAT(lines[2], StartsWith("C2D  3: 14x14x256 k3 p1"));
  EXPECT_THAT(lines[2], HasSubstr("  1.250  "));
  EXPECT_THAT(lines[2], HasSubstr("  87.5 %  "));
  const std::string json = ToJson(results);
  EXPECT_EQ(json.find('\n'), std::string::npos);
  EXPECT_THAT(json, HasSubstr("\"best_ms\":1.25"));
  EXPECT_THAT(json, HasSubstr("\"wrong\":0"));
}

}  // namespace
}  // namespace pruner
