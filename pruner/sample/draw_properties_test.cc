// What holds for every draw, on every sample DAG and target: thousands of
// random schedules, their mutations and their children.
#include <algorithm>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/program/resolve.h"
#include "pruner/sample/limits.h"
#include "pruner/sample/schedule_sampler.h"
#include "pruner/schedule/replay.h"
#include "pruner/schedule/schedule_proto.h"
#include "pruner/schedule/schedule_text.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

using ::testing::AnyOf;

// out = relu(relu(A * B) * D): two stages with tiles of their own.
ComputeDag TwoProductsDag() {
  std::vector<Stage> stages = MatmulReluDag(64, 96, 48).stages();
  const std::vector<Stage> second = MatmulReluDag(64, 80, 96).stages();
  stages[3].is_output = false;
  stages[3].name = "hidden";
  stages.push_back(second[1]);  // 4
  stages.push_back(second[2]);  // 5
  stages[5].reads[0].stage = 3;
  stages[5].reads[1].stage = 4;
  stages.push_back(second[3]);  // 6
  stages[6].reads[0].stage = 5;
  for (const int i : {4, 5}) stages[i].name += '2';
  return ComputeDag::Create(stages).value();
}

// Two max poolings in a row: stages that no rule places, one of them read at
// the other's loops.
ComputeDag TwoPoolsDag() {
  std::vector<Stage> stages = MaxPoolDag(33, 32).stages();
  const std::vector<Stage> second = MaxPoolDag(stages[1].shape[0], 32).stages();
  stages.pop_back();
  for (const int i : {1, 2}) {
    stages.push_back(second[i]);
    stages.back().reads[0].stage = i;
  }
  stages[1].name = "pool1";
  return ComputeDag::Create(stages).value();
}

struct Case {
  std::string name;
  ComputeDag dag;
  TargetSpec target;

  friend void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }
};

std::vector<Case> AllCases() {
  const std::vector<std::pair<std::string, ComputeDag>> dags = {
      {"conv", ConvBiasReluDag({})},
      {"strided_conv", ConvBiasReluDag({.size = 15, .stride = 2})},
      {"pointwise_conv", ConvBiasReluDag({.size = 7, .kernel = 1})},
      {"matmul", MatmulReluDag(197, 64, 768)},
      {"transposed_matmul", TransposedMatmulReluDag(96, 200, 72)},
      {"vector_times_matrix", MatmulReluDag(1, 1000, 2048)},
      {"scalar_product", MatmulReluDag(1, 1, 512)},
      {"max_pool", MaxPoolDag(113, 64)},
      {"conv_of_few_channels",
       ConvBiasReluDag(
           {.size = 26, .in_channels = 3, .out_channels = 16, .stride = 2})},
      {"small_conv", ConvBiasReluDag({.size = 7, .in_channels = 8})},
      {"two_products", TwoProductsDag()},
      {"two_pools", TwoPoolsDag()}};
  std::vector<Case> cases;
  for (const auto& [name, dag] : dags) {
    cases.push_back({name + "_cpu", dag, SampleCpuTarget()});
    cases.push_back({name + "_gpu", dag, SampleGpuTarget()});
  }
  return cases;
}

// A stage is computed in a loop that is vectorized, or further inside.
bool IsAnythingInAVector(const LoopState& state) {
  for (const StageState& stage : state.stages) {
    if (stage.location != ComputeLocation::kAt) continue;
    for (int i = 0; i <= stage.at_iterator; ++i) {
      if (state.stages[stage.at_stage].iterators[i].annotation ==
          Annotation::kVectorize) {
        return true;
      }
    }
  }
  return false;
}

class DrawPropertiesTest : public testing::TestWithParam<Case> {
 protected:
  // How many of the schedule's steps are those of its sketch.
  size_t SketchSteps(const Schedule& schedule) const {
    size_t longest = 0;
    for (const Sketch& sketch : sketches_) {
      if (Fills(schedule, sketch.schedule))
        longest = std::max(longest, sketch.schedule.steps.size());
    }
    return longest;
  }

  // The candidate, if it is one, after checking what holds for all.
  std::optional<Schedule> Check(const absl::StatusOr<Draw>& draw) const {
    EXPECT_TRUE(draw.ok()) << draw.status();
    if (!draw.ok() || std::holds_alternative<Rejection>(*draw))
      return std::nullopt;
    const auto& schedule = std::get<Schedule>(*draw);
    const std::string text = PrintSchedule(schedule);
    SCOPED_TRACE(text);
    const absl::StatusOr<LoopState> state = Replay(context_.dag, schedule);
    EXPECT_TRUE(state.ok()) << state.status();
    if (!state.ok()) return std::nullopt;
    EXPECT_FALSE(CheckLimits(*Resolve(context_.dag, schedule, context_.target),
                             context_.target)
                     .has_value());
    EXPECT_FALSE(IsAnythingInAVector(*state)) << state->ToString();
    for (const StageState& stage : state->stages) {
      EXPECT_TRUE(stage.storage_order.empty() ||
                  stage.location != ComputeLocation::kInlined);
    }
    const absl::StatusOr<Schedule> parsed = ParseSchedule(text);
    EXPECT_TRUE(parsed.ok() && *parsed == schedule) << parsed.status();
    const absl::StatusOr<Schedule> decoded = FromProto(ToProto(schedule));
    EXPECT_TRUE(decoded.ok() && *decoded == schedule) << decoded.status();
    EXPECT_TRUE(sampler_.CanMutate(schedule));
    return schedule;
  }

  std::vector<Schedule> Samples(int draws, Rng& rng) {
    std::vector<Schedule> samples;
    for (int i = 0; i < draws; ++i) {
      if (auto schedule = Check(sampler_.Sample(rng)))
        samples.push_back(*std::move(schedule));
    }
    return samples;
  }

  // Random schedules, the later ones mutated many times.
  std::vector<Schedule> Mutants(int draws, Rng& rng) {
    std::vector<Schedule> mutants = Samples(draws, rng);
    for (size_t i = 0; i < mutants.size(); ++i) {
      for (size_t j = 0; j < i % 20; ++j) {
        const absl::StatusOr<Draw> draw = sampler_.Mutate(mutants[i], rng);
        if (auto schedule = Check(draw)) {
          EXPECT_NE(*schedule, mutants[i]);
          mutants[i] = *std::move(schedule);
        }
      }
    }
    return mutants;
  }

  const SketchContext context_ = {.dag = GetParam().dag,
                                  .target = GetParam().target};
  const std::vector<Sketch> sketches_ = GenerateSketches(context_).value();
  ScheduleSampler sampler_ =
      ScheduleSampler::Create(context_, sketches_).value();
};

TEST_P(DrawPropertiesTest, RandomSchedulesAreCandidates) {
  Rng rng(1);
  EXPECT_GE(Samples(1000, rng).size(), 100u);
}

// With threads, tiles are drawn within the limits.
TEST_P(DrawPropertiesTest, FewDrawsForThreadsAreRejected) {
  if (!GetParam().target.HasThreads()) return;
  Rng rng(6);
  int accepted = 0;
  for (int i = 0; i < 400; ++i) {
    const Draw draw = sampler_.Sample(rng).value();
    accepted += std::holds_alternative<Schedule>(draw);
    EXPECT_NE(draw, Draw(Rejection::kSharedMemory));
    EXPECT_NE(draw, Draw(Rejection::kVectorLength));
  }
  EXPECT_GE(accepted, 360);
}

TEST_P(DrawPropertiesTest, MutationsAreCandidates) {
  Rng rng(2);
  EXPECT_GE(Mutants(200, rng).size(), 20u);
}

// All that a schedule decides can be read from its steps.
TEST_P(DrawPropertiesTest, ChildrenOfEqualParentsAreTheirLike) {
  Rng rng(3);
  for (const Schedule& parent : Mutants(200, rng)) {
    EXPECT_EQ(sampler_.Cross(parent, parent, rng).value(), Draw(parent))
        << PrintSchedule(parent);
  }
}

TEST_P(DrawPropertiesTest, ChildrenHaveTheTilesOfTheirParents) {
  Rng rng(4);
  const std::vector<Schedule> parents = Mutants(100, rng);
  for (int i = 0; i < 1000; ++i) {
    const Schedule& a = rng.Pick(parents);
    const Schedule& b = rng.Pick(parents);
    const auto child = Check(sampler_.Cross(a, b, rng));
    if (!child || a == b) continue;
    EXPECT_NE(*child, a);
    EXPECT_NE(*child, b);
    for (size_t step = 0; step < SketchSteps(*child); ++step)
      EXPECT_THAT(child->steps[step], AnyOf(a.steps[step], b.steps[step]));
  }
}

TEST_P(DrawPropertiesTest, SameSeedSameDraws) {
  ScheduleSampler other = ScheduleSampler::Create(context_, sketches_).value();
  Rng rng_a(5), rng_b(5);
  std::vector<Schedule> last;
  for (int i = 0; i < 300; ++i) {
    const Draw draw = sampler_.Sample(rng_a).value();
    ASSERT_EQ(draw, other.Sample(rng_b).value());
    if (std::holds_alternative<Rejection>(draw)) continue;
    last.push_back(std::get<Schedule>(draw));
    ASSERT_EQ(sampler_.Mutate(last.back(), rng_a).value(),
              other.Mutate(last.back(), rng_b).value());
    ASSERT_EQ(sampler_.Cross(last[0], last.back(), rng_a).value(),
              other.Cross(last[0], last.back(), rng_b).value());
  }
}

INSTANTIATE_TEST_SUITE_P(All, DrawPropertiesTest, testing::ValuesIn(AllCases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace pruner
