#include "pruner/sketch/user_rules.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/status_macros.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

using ::testing::HasSubstr;

// Does something to the derivation at the stages of this name.
class TestRule : public SketchRule {
 public:
  using Change = std::function<absl::Status(Derivation&)>;

  TestRule(std::string stage, RuleMatch match, Change change)
      : stage_(std::move(stage)), match_(match), change_(std::move(change)) {}

  absl::string_view Name() const override { return "mine"; }

  RuleMatch Match(const SketchContext&, const Derivation& from) const override {
    return from.dag().stage(from.stage).name == stage_ ? match_
                                                       : RuleMatch::kNo;
  }

  absl::StatusOr<std::vector<Derivation>> Apply(
      const SketchContext&, const Derivation& from) const override {
    Derivation next = from;
    RETURN_IF_ERROR(change_(next));
    return std::vector<Derivation>{next};
  }

 private:
  const std::string stage_;
  const RuleMatch match_;
  const Change change_;
};

class UserRulesTest : public testing::Test {
 protected:
  absl::StatusOr<std::vector<Sketch>> Generate(const TestRule& rule) const {
    return GenerateSketches({.dag = dag_, .target = target_},
                            WithBuiltInRules({&rule}, target_));
  }

  // The error of a rule that does this to the convolution.
  std::string ErrorOf(TestRule::Change change) const {
    const TestRule rule("conv", RuleMatch::kApplyAndSkipRest,
                        std::move(change));
    return std::string(Generate(rule).status().message());
  }

  // Stages: input, weights, bias, pad, conv, out.
  const ComputeDag dag_ = ConvBiasReluDag({});
  const TargetSpec target_ = SampleCpuTarget();
};

TEST_F(UserRulesTest, ComeFirstAndLeaveTheRestToTheBuiltInOnes) {
  const TestRule rule("pad", RuleMatch::kApplyAndSkipRest,
                      [](Derivation& next) {
                        --next.stage;
                        return Append(ComputeRootStep{.stage = 3}, next);
                      });
  const std::vector<Sketch> sketches = Generate(rule).value();
  ASSERT_EQ(sketches.size(), 3u);
  EXPECT_EQ(sketches[0].derivation, "skip multi_level_tiling_with_fusion mine");
  EXPECT_EQ(sketches[0].schedule.steps.back(),
            TransformStep(ComputeRootStep{.stage = 3}));
}

TEST_F(UserRulesTest, AddToWhatTheBuiltInOnesDo) {
  const TestRule rule("conv", RuleMatch::kApply, [](Derivation& next) {
    next.stage -= 2;  // with the padding
    return Append(SplitStep{.stage = 4, .iterator = 2, .lengths = {7}}, next);
  });
  const std::vector<Sketch> sketches = Generate(rule).value();
  ASSERT_EQ(sketches.size(), 4u);
  EXPECT_EQ(sketches[0].derivation, "skip mine");
}

TEST_F(UserRulesTest, ErrorsNameTheRuleAndTheStage) {
  EXPECT_EQ(ErrorOf([](Derivation& next) {
              --next.stage;
              return Append(ComputeInlineStep{.stage = 4}, next);
            }),
            "rule 'mine' at stage 'conv': step 0: stage 'conv' cannot be "
            "inlined");
}

TEST_F(UserRulesTest, WhatDoesNotFitIsFound) {
  EXPECT_THAT(ErrorOf([&](Derivation& next) {
                --next.stage;
                next.schedule.steps.push_back(ComputeRootStep{.stage = 4});
                return absl::OkStatus();
              }),
              HasSubstr("not what its steps make of the DAG"));
  EXPECT_THAT(ErrorOf([&](Derivation& next) {
                --next.stage;
                next.state.stages[4].auto_unroll_max_step = 16;
                return absl::OkStatus();
              }),
              HasSubstr("not what its steps make of the DAG"));
  EXPECT_THAT(ErrorOf([&](Derivation&) { return absl::OkStatus(); }),
              HasSubstr("decides nothing"));
  EXPECT_THAT(ErrorOf([&](Derivation& next) {
                next.stage = -2;
                return absl::OkStatus();
              }),
              HasSubstr("decides nothing"));
  EXPECT_THAT(ErrorOf([&](Derivation& next) {
                --next.stage;
                return Append(SplitStep{.stage = 4, .lengths = {0, 4}}, next);
              }),
              HasSubstr("step 0 has lengths and holes"));
  EXPECT_THAT(ErrorOf([&](Derivation& next) {
                --next.stage;
                return Append(SplitStep{.stage = 4, .lengths = {0, 0}}, next);
              }),
              HasSubstr("step 0 has a hole without a decision"));
  // The output, too, reads what is computed inside the output's loop.
  EXPECT_THAT(
      ErrorOf([&](Derivation& next) {
        --next.stage;
        return Append(
            ComputeAtStep{.stage = 3, .target_stage = 5, .target_iterator = 0},
            next);
      }),
      HasSubstr("does not hold all its readers"));
  // Over and over again: each time, there is a stage to decide that was not.
  EXPECT_THAT(ErrorOf([&](Derivation& next) {
                return Append(CacheReadStep{.stage = next.stage,
                                            .readers = {next.stage + 1}},
                              next);
              }),
              HasSubstr("inserts stages without end"));
}

// The rule, the stage and the step.
TEST_F(UserRulesTest, DecisionsHaveValues) {
  const auto decide = [](const Decision& decision) {
    return [decision](Derivation& next) {
      --next.stage;
      AddDecision(decision, next);
      return Append(SplitStep{.stage = 4, .lengths = {0}}, next);
    };
  };
  const LengthsDomain empty = {.extent = 0, .bindings = {Binding::kSerial}};
  EXPECT_EQ(ErrorOf(decide({.stage = 4, .step = 0, .domain = empty})),
            "rule 'mine' at stage 'conv': step 0: decision 'tile' of stage 4 "
            "has no values: it cuts a loop of 0 iterations");
  EXPECT_EQ(ErrorOf(decide({.kind = DecisionKind::kUnroll,
                            .stage = 4,
                            .domain = ChoiceDomain{}})),
            "rule 'mine' at stage 'conv': decision 'unroll' of stage 4 has no "
            "values");
  const LengthsDomain two = {.extent = 56,
                             .bindings = {Binding::kSerial, Binding::kSerial}};
  EXPECT_EQ(
      ErrorOf(decide({.stage = 4, .step = 0, .count = 2, .domain = two})),
      "rule 'mine' at stage 'conv': step 0: its decision has 2 values, which "
      "are not its holes");
  EXPECT_THAT(ErrorOf(decide({.stage = 9})), HasSubstr("is of nothing"));
  EXPECT_THAT(ErrorOf(decide({.stage = 3, .step = 0, .domain = empty})),
              HasSubstr("step 0: "));
}

// What a rule leaves open is a decision of the sketch.
TEST_F(UserRulesTest, SayWhatIsOpen) {
  const TestRule rule(
      "conv", RuleMatch::kApplyAndSkipRest, [&](Derivation& next) {
        next.stage -= 2;  // with the padding
        LeaveLocationOpen(3, next);
        return AppendTile({.dag = dag_, .target = target_},
                          {.stage = 4, .iterator = 3, .lengths = {0}},
                          {.is_vector_axis = true}, next);
      });
  const std::vector<Sketch> sketches = Generate(rule).value();
  ASSERT_EQ(sketches.size(), 1u);
  std::vector<std::string> decisions;
  for (const Decision& decision : sketches[0].decisions)
    decisions.push_back(DecisionText(decision));
  EXPECT_THAT(
      decisions,
      testing::ElementsAre(
          "tile stage=4 step=0 axis=3 values=0+1 extent=64 vectors",
          "location stage=3 step=-1 axis=-1 values=1+1",
          "parallel stage=3 step=-1 axis=-1 values=2+1",
          "parallel stage=4 step=-1 axis=-1 values=3+1",
          "parallel stage=5 step=-1 axis=-1 values=4+1",
          "unroll stage=4 step=-1 axis=-1 values=5+1 choices=0,16,64,512"));
}

TEST_F(UserRulesTest, EarlierStepsAreNotForThemToChange) {
  const TestRule first("out", RuleMatch::kApplyAndSkipRest,
                       [](Derivation& next) {
                         --next.stage;
                         return Append(ComputeRootStep{.stage = 5}, next);
                       });
  const TestRule second("conv", RuleMatch::kApplyAndSkipRest,
                        [](Derivation& next) {
                          --next.stage;
                          next.schedule.steps.clear();
                          return absl::OkStatus();
                        });
  const absl::Status status =
      GenerateSketches({.dag = dag_, .target = target_},
                       WithBuiltInRules({&first, &second}, target_))
          .status();
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("changed or removed earlier steps"));
}

}  // namespace
}  // namespace pruner
