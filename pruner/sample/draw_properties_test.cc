// What holds for every draw, on every sample DAG, target and sampling:
// thousands of random candidates, their mutations and their children.
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/program/resolve.h"
#include "pruner/sample/cross.h"
#include "pruner/sample/limits.h"
#include "pruner/sample/mutate.h"
#include "pruner/sample/neighbours.h"
#include "pruner/sample/sample.h"
#include "pruner/sample/schedule_space.h"
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
  Sampling sampling = Sampling::kHardware;

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
      {"two_pools", TwoPoolsDag()},
      {"stencils", StencilsDag(4, 100)}};
  std::vector<Case> cases;
  for (const auto& [name, dag] : dags) {
    cases.push_back({name + "_cpu", dag, SampleCpuTarget()});
    cases.push_back({name + "_gpu", dag, SampleGpuTarget()});
    cases.push_back(
        {name + "_cpu_ansor", dag, SampleCpuTarget(), Sampling::kAnsor});
    cases.push_back(
        {name + "_gpu_ansor", dag, SampleGpuTarget(), Sampling::kAnsor});
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
  bool IsAnsor() const { return GetParam().sampling == Sampling::kAnsor; }

  // What is said of a schedule that a candidate stands for.
  void CheckSchedule(const Schedule& schedule) const {
    const std::string text = PrintSchedule(schedule);
    SCOPED_TRACE(text);
    const absl::StatusOr<LoopState> state = Replay(context_.dag, schedule);
    ASSERT_TRUE(state.ok()) << state.status();
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
  }

  // The candidate, if it is one, after checking what holds for all.
  std::optional<Candidate> Check(
      const absl::StatusOr<CandidateDraw>& draw) const {
    EXPECT_TRUE(draw.ok()) << draw.status();
    if (!draw.ok() || std::holds_alternative<Rejection>(*draw))
      return std::nullopt;
    const auto& candidate = std::get<Candidate>(*draw);
    for (const int32_t value : candidate.values) EXPECT_GE(value, 0);
    // What repairing made of it, and what its values alone make of it.
    const absl::StatusOr<Schedule> schedule = space_->ScheduleOf(candidate);
    const absl::StatusOr<Schedule> anew = Instantiate(
        context_, space_->sketch(candidate.sketch), candidate.values);
    EXPECT_TRUE(schedule.ok() && anew.ok());
    if (!schedule.ok() || !anew.ok()) return std::nullopt;
    EXPECT_EQ(*schedule, *anew);
    // And the program that was judged is that of the schedule.
    EXPECT_EQ(**space_->ProgramOf(candidate),
              *Resolve(context_.dag, *schedule, context_.target));
    CheckSchedule(*schedule);
    // Repaired candidates stay what they are, in this space or another.
    Candidate repaired = candidate;
    EXPECT_EQ(other_->Repair(nullptr, repaired).value(), std::nullopt);
    EXPECT_EQ(repaired, candidate);
    const std::string genes = space_->GenesOf(candidate);
    EXPECT_EQ(other_->Parse(genes).value(), candidate) << genes;
    return candidate;
  }

  std::vector<Candidate> Samples(int draws, Rng& rng) {
    std::vector<Candidate> samples;
    for (int i = 0; i < draws; ++i) {
      if (auto candidate = Check(Sample(*space_, rng)))
        samples.push_back(*std::move(candidate));
    }
    return samples;
  }

  // Random candidates, the later ones mutated many times.
  std::vector<Candidate> Mutants(int draws, Rng& rng) {
    std::vector<Candidate> mutants = Samples(draws, rng);
    for (size_t i = 0; i < mutants.size(); ++i) {
      for (size_t j = 0; j < i % 20; ++j) {
        if (auto candidate = Check(Mutate(*space_, mutants[i], rng))) {
          EXPECT_NE(*candidate, mutants[i]);
          mutants[i] = *std::move(candidate);
        }
      }
    }
    return mutants;
  }

  // All inputs count as cold ones, so that some are streamed.
  static std::vector<std::string> InputsOf(const ComputeDag& dag) {
    std::vector<std::string> inputs;
    for (int i = 0; i < dag.size(); ++i) {
      if (dag.stage(i).kind == StageKind::kPlaceholder)
        inputs.push_back(dag.stage(i).name);
    }
    return inputs;
  }

  const std::vector<std::string> inputs_ = InputsOf(GetParam().dag);
  const SketchContext context_ = {.dag = GetParam().dag,
                                  .target = GetParam().target,
                                  .cold_inputs = inputs_};
  const ScheduleSpaceOptions options_ = {.sampling = GetParam().sampling};
  std::unique_ptr<ScheduleSpace> space_ =
      ScheduleSpace::Create(context_, options_).value();
  std::unique_ptr<ScheduleSpace> other_ =
      ScheduleSpace::Create(context_, options_).value();
};

TEST_P(DrawPropertiesTest, RandomCandidatesAreWithinTheLimits) {
  Rng rng(1);
  // Without the target in mind most draws of some are rejected.
  EXPECT_GE(Samples(1000, rng).size(), IsAnsor() ? 3u : 100u);
}

// With threads, tiles are drawn within the limits.
TEST_P(DrawPropertiesTest, FewDrawsForThreadsAreRejected) {
  if (!GetParam().target.HasThreads() || IsAnsor()) return;
  Rng rng(6);
  int accepted = 0, too_large = 0;
  for (int i = 0; i < 400; ++i) {
    const CandidateDraw draw = Sample(*space_, rng).value();
    accepted += std::holds_alternative<Candidate>(draw);
    // Where tiles are moved inwards, copies of blocked tensors hold a part more
    // than tiles that begin where blocks do.
    too_large += draw == CandidateDraw(Rejection::kSharedMemory);
    EXPECT_NE(draw, CandidateDraw(Rejection::kVectorLength));
  }
  EXPECT_GE(accepted, 360);
  EXPECT_LE(too_large, 20);
}

TEST_P(DrawPropertiesTest, MutationsAreCandidates) {
  Rng rng(2);
  EXPECT_GE(Mutants(200, rng).size(), IsAnsor() ? 1u : 20u);
}

// Other values are another schedule: hardly ever the same.
TEST_P(DrawPropertiesTest, ValuesAreInANormalForm) {
  Rng rng(7);
  std::map<std::string, Candidate> by_schedule;
  int others = 0;
  const std::vector<Candidate> mutants = Mutants(200, rng);
  for (const Candidate& candidate : mutants) {
    const std::string text =
        PrintSchedule(space_->ScheduleOf(candidate).value());
    const auto [known, is_new] = by_schedule.emplace(text, candidate);
    others += known->second != candidate;
  }
  EXPECT_LE(others, static_cast<int>(mutants.size()) / 50);
}

TEST_P(DrawPropertiesTest, ChildrenOfEqualParentsAreTheirLike) {
  Rng rng(3);
  for (const Candidate& parent : Mutants(200, rng)) {
    EXPECT_EQ(Cross(*space_, parent, parent, rng).value(),
              CandidateDraw(parent));
  }
}

TEST_P(DrawPropertiesTest, ChildrenHaveTheTilesOfTheirParents) {
  Rng rng(4);
  const std::vector<Candidate> parents = Mutants(100, rng);
  if (parents.empty()) return;
  for (int i = 0; i < 500; ++i) {
    const Candidate& a = rng.Pick(parents);
    const Candidate& b = rng.Pick(parents);
    const auto child = Check(Cross(*space_, a, b, rng));
    if (!child || a == b) continue;
    EXPECT_NE(*child, a);
    EXPECT_NE(*child, b);
    for (const Decision& decision : space_->Decisions(child->sketch)) {
      if (decision.kind != DecisionKind::kTile) continue;
      const auto of = [&](const Candidate& candidate) {
        return LengthsOf(decision, candidate.values);
      };
      EXPECT_THAT(of(*child), AnyOf(of(a), of(b)));
    }
  }
}

TEST_P(DrawPropertiesTest, NeighboursAreRepairedAndNear) {
  Rng rng(8);
  for (const Candidate& candidate : Samples(20, rng)) {
    const std::vector<Candidate> neighbours =
        Neighbours(*space_, candidate).value();
    for (const Candidate& next : neighbours) {
      EXPECT_NE(next, candidate);
      EXPECT_GT(Distance(*space_, candidate, next), 0);
      Candidate repaired = next;
      EXPECT_EQ(other_->Repair(nullptr, repaired).value(), std::nullopt);
      EXPECT_EQ(repaired, next);
    }
  }
}

TEST_P(DrawPropertiesTest, SameSeedSameDraws) {
  Rng rng_a(5), rng_b(5);
  std::vector<Candidate> last;
  for (int i = 0; i < 300; ++i) {
    const CandidateDraw draw = Sample(*space_, rng_a).value();
    ASSERT_EQ(draw, Sample(*other_, rng_b).value());
    if (std::holds_alternative<Rejection>(draw)) continue;
    last.push_back(std::get<Candidate>(draw));
    ASSERT_EQ(Mutate(*space_, last.back(), rng_a).value(),
              Mutate(*other_, last.back(), rng_b).value());
    ASSERT_EQ(Cross(*space_, last[0], last.back(), rng_a).value(),
              Cross(*other_, last[0], last.back(), rng_b).value());
  }
}

INSTANTIATE_TEST_SUITE_P(All, DrawPropertiesTest, testing::ValuesIn(AllCases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace pruner
