#include "pruner/sample/schedule_space.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/sample/default_schedule.h"
#include "pruner/sample/mutate.h"
#include "pruner/sample/neighbours.h"
#include "pruner/sample/sample.h"
#include "pruner/schedule/replay.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

using ::testing::HasSubstr;

// Ten products, one after the other: more sketches than are listed.
ComputeDag ProductsDag() {
  const std::vector<Stage> one = MatmulReluDag(64, 64, 64).stages();
  std::vector<Stage> stages = {one[0]};
  for (int i = 0; i < 10; ++i) {
    const int previous = static_cast<int>(stages.size()) - 1;
    for (const int stage : {1, 2, 3}) {
      stages.push_back(one[stage]);
      absl::StrAppend(&stages.back().name, i);
    }
    stages[previous + 2].reads[0].stage = previous;
    stages[previous + 2].reads[1].stage = previous + 1;
    stages[previous + 3].reads[0].stage = previous + 2;
    stages.back().is_output = i == 9;
  }
  return ComputeDag::Create(stages).value();
}

class ScheduleSpaceTest : public testing::Test {
 protected:
  std::unique_ptr<ScheduleSpace> Space(const ComputeDag& dag) const {
    return ScheduleSpace::Create({.dag = dag, .target = target_}).value();
  }

  static Candidate SampleOf(ScheduleSpace& space, Rng& rng) {
    while (true) {
      const CandidateDraw draw = Sample(space, rng).value();
      if (const auto* candidate = std::get_if<Candidate>(&draw))
        return *candidate;
    }
  }

  const TargetSpec target_ = SampleCpuTarget();
};

// In thousands of mutations one thing at a time, as often as before there were
// decisions.
TEST_F(ScheduleSpaceTest, MutationsDrawOneThingAnew) {
  const ComputeDag dag = ConvBiasReluDag({});
  const auto space = Space(dag);
  Rng rng(5);
  std::map<std::string, int> kinds;
  int mutations = 0;
  for (int i = 0; i < 10000; ++i) {
    const Candidate before = SampleOf(*space, rng);
    const CandidateDraw draw = Mutate(*space, before, rng).value();
    const auto* after = std::get_if<Candidate>(&draw);
    if (after == nullptr) continue;
    ++mutations;
    if (before.sketch != after->sketch) {
      ++kinds["sketch"];
      continue;
    }
    std::set<std::string> changed;
    for (const Decision& decision : space->Decisions(before.sketch)) {
      if (LengthsOf(decision, before.values) !=
          LengthsOf(decision, after->values)) {
        changed.insert(std::string(DecisionKindName(decision.kind)));
      }
    }
    // What no longer fits follows the thing that was changed.
    for (const char* kind : {"tile", "location", "unroll", "parallel"}) {
      if (!changed.contains(kind)) continue;
      ++kinds[kind];
      break;
    }
  }
  EXPECT_NEAR(kinds["tile"], 0.88 * mutations, 0.05 * mutations);
  EXPECT_NEAR(kinds["unroll"], 0.04 * mutations, 0.02 * mutations);
  EXPECT_NEAR(kinds["location"], 0.05 * mutations, 0.02 * mutations);
  EXPECT_GT(kinds["parallel"], 20);
  EXPECT_GT(kinds["sketch"], 50);
  EXPECT_EQ(kinds.size(), 5u);
}

TEST_F(ScheduleSpaceTest, OtherSketchesKeepWhatBothDecide) {
  const ComputeDag dag = ConvBiasReluDag({});
  const auto space = Space(dag);
  ASSERT_EQ(space->num_sketches(), 3);
  Rng rng(1);
  for (int i = 0; i < 50; ++i) {
    const Candidate candidate = SampleOf(*space, rng);
    for (int sketch = 0; sketch < 3; ++sketch) {
      const Candidate carried = space->Carry(candidate, sketch);
      EXPECT_EQ(carried.sketch, sketch);
      if (sketch == candidate.sketch) {
        EXPECT_EQ(carried, candidate);
      }
      // Fused or not, the same axes are tiled.
      for (const Decision& decision : space->Decisions(sketch)) {
        if (decision.HasLengths()) {
          EXPECT_FALSE(IsOpen(decision, carried.values));
        }
      }
    }
  }
}

// Tiles that overlap fit only where the consumer moves them.
TEST_F(ScheduleSpaceTest, LengthsThatDoNotFitAreDrawnAnew) {
  const ComputeDag dag = ConvBiasReluDag({});
  const auto space = Space(dag);
  Rng rng(1);
  Candidate candidate = SampleOf(*space, rng);
  candidate.values[0] = 1 << 20;
  Candidate repaired = candidate;
  EXPECT_EQ(space->Repair(nullptr, repaired).value(), Rejection::kUnfit);
  repaired = candidate;
  ASSERT_EQ(space->Repair(&rng, repaired).value(), std::nullopt);
  const Decision& first = space->Decisions(candidate.sketch)[0];
  EXPECT_TRUE(LengthsFit(first, repaired.values));
}

TEST_F(ScheduleSpaceTest, SketchesAreDerivedWhenTheyAreDrawn) {
  const ComputeDag dag = ProductsDag();
  const auto space = Space(dag);
  EXPECT_EQ(space->num_sketches(), 0);
  const auto other = Space(dag);
  Rng rng(1), warm_up(2), rng_other(1);
  // What was drawn before makes no difference.
  for (int i = 0; i < 30; ++i) Sample(*other, warm_up).value();
  std::set<std::string> derivations;
  for (int i = 0; i < 60; ++i) {
    const CandidateDraw draw = Sample(*space, rng).value();
    const CandidateDraw same = Sample(*other, rng_other).value();
    ASSERT_EQ(draw.index(), same.index());
    const auto* candidate = std::get_if<Candidate>(&draw);
    if (candidate == nullptr) continue;
    const std::string genes = space->GenesOf(*candidate);
    EXPECT_EQ(genes, other->GenesOf(std::get<Candidate>(same)));
    derivations.insert(space->sketch(candidate->sketch).derivation);
    // Another one finds the sketch by its derivation.
    const auto fresh = Space(dag);
    const absl::StatusOr<Candidate> parsed = fresh->Parse(genes);
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_EQ(fresh->GenesOf(*parsed), genes);
  }
  EXPECT_GT(derivations.size(), 10u);
}

TEST_F(ScheduleSpaceTest, SketchesMutateBeyondThoseDrawn) {
  const ComputeDag dag = ProductsDag();
  const auto space = Space(dag);
  Rng rng(1);
  const Candidate candidate = SampleOf(*space, rng);
  int changed = 0;
  for (int i = 0; i < 3000; ++i) {
    const CandidateDraw draw = Mutate(*space, candidate, rng).value();
    const auto* mutant = std::get_if<Candidate>(&draw);
    if (mutant == nullptr || mutant->sketch == candidate.sketch) continue;
    ++changed;
    // Most products are as they were.
    EXPECT_LT(Distance(*space, *mutant, candidate), 60);
  }
  EXPECT_GT(changed, 3);
}

TEST_F(ScheduleSpaceTest, GenesThatDoNotFitAreRefused) {
  const ComputeDag dag = MatmulReluDag(64, 64, 64);
  const auto space = Space(dag);
  Rng rng(1);
  const Candidate candidate = SampleOf(*space, rng);
  const std::string genes = space->GenesOf(candidate);
  EXPECT_EQ(space->Parse(genes).value(), candidate);
  EXPECT_EQ(space->Parse("nonsense").status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(space->Parse("skip luck #00000000 1").status().code(),
            absl::StatusCode::kNotFound);
  const Sketch& sketch = space->sketch(candidate.sketch);
  const absl::Status older =
      space->Parse(absl::StrCat(sketch.derivation, " #00000000 1")).status();
  EXPECT_EQ(older.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(older.message()), HasSubstr("version 00000000"));
  Candidate wrong = candidate;
  wrong.values[0] = 7;  // does not divide 64
  if (!sketch.decisions[0].lengths().may_overlap) {
    EXPECT_EQ(space->Parse(space->GenesOf(wrong)).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
  wrong.values[0] = 1 << 30;
  EXPECT_EQ(space->Parse(space->GenesOf(wrong)).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(ScheduleSpaceTest, ThereAreSketchesToDrawFrom) {
  const ComputeDag dag = MatmulReluDag(64, 64, 64);
  EXPECT_EQ(ScheduleSpace::CreateOf({.dag = dag, .target = target_}, {})
                .status()
                .code(),
            absl::StatusCode::kInvalidArgument);
}

// gelu(A) * B, the gelu directly before the product or scaled in between.
ComputeDag GeluProductDag(bool is_scaled) {
  std::vector<Stage> stages = MatmulReluDag(64, 96, 32).stages();
  Stage gelu = stages[3];
  gelu.name = "gelu";
  gelu.is_output = false;
  gelu.shape = {64, 32};
  gelu.axes[1].extent = 32;
  gelu.reads[0].stage = 0;
  gelu.definitions.clear();
  gelu.ops = {};
  gelu.ops.float_math = 1;
  Stage scaled = gelu;
  scaled.name = "scaled";
  scaled.reads[0].stage = 2;
  scaled.ops.float_math = 0;
  scaled.ops.float_mul = 1;
  std::vector<Stage> inserted = {gelu};
  if (is_scaled) inserted.push_back(scaled);
  const int count = static_cast<int>(inserted.size());
  stages.insert(stages.begin() + 2, inserted.begin(), inserted.end());
  Stage& product = stages[2 + count];
  product.reads[0].stage = 1 + count;
  stages[3 + count].reads[0].stage = 2 + count;
  return ComputeDag::Create(stages).value();
}

TEST_F(ScheduleSpaceTest, TranscendentalsAreNotInlinedIntoReductions) {
  for (const bool is_scaled : {false, true}) {
    const ComputeDag dag = GeluProductDag(is_scaled);
    const SketchContext context = {.dag = dag, .target = target_};
    const auto check = [&](const Schedule& schedule) {
      const LoopState state = *Replay(dag, schedule);
      for (int i = 0; i < state.dag->size(); ++i) {
        if (state.dag->stage(i).name == "gelu") {
          EXPECT_NE(state.stages[i].location, ComputeLocation::kInlined);
        }
      }
    };
    check(DefaultSchedule(context).value());
    const auto space = Space(dag);
    Rng rng(1);
    for (int i = 0; i < 100; ++i)
      check(space->ScheduleOf(SampleOf(*space, rng)).value());
  }
}

// Uniform factorizations: innermost tiles that are no vectors, and draws beyond
// the limits, of which the other sampling has few.
TEST_F(ScheduleSpaceTest, AnsorsSamplingIsUniform) {
  const ComputeDag dag = MatmulReluDag(4096, 4096, 4096);
  const SketchContext context = {.dag = dag, .target = target_};
  std::map<Sampling, int> rejected;
  std::map<int32_t, int> innermost;
  for (const Sampling sampling : {Sampling::kHardware, Sampling::kAnsor}) {
    const auto space =
        ScheduleSpace::Create(context, {.sampling = sampling}).value();
    Rng rng(1);
    for (int i = 0; i < 1000; ++i) {
      Candidate candidate = {.sketch = space->DrawSketch(rng).value()};
      candidate.values.assign(NumValues(*space, candidate.sketch), kOpen);
      ASSERT_EQ(space->Repair(&rng, candidate).value(), std::nullopt);
      rejected[sampling] += space->Check(candidate).value().has_value();
      if (sampling == Sampling::kAnsor) ++innermost[candidate.values[2]];
    }
  }
  EXPECT_LT(rejected[Sampling::kHardware], 100);
  EXPECT_GT(rejected[Sampling::kAnsor], 150);
  // Of 2^12 in four factors, the innermost at most 64: the smaller, the more.
  ASSERT_EQ(innermost.size(), 7u);
  EXPECT_EQ(innermost.rbegin()->first, 64);
  EXPECT_GT(innermost[1], innermost[8]);
  EXPECT_GT(innermost[8], innermost[64]);
}

TEST(SamplingTest, NamesRoundTrip) {
  for (const Sampling sampling : {Sampling::kHardware, Sampling::kAnsor})
    EXPECT_EQ(ParseSampling(SamplingName(sampling)).value(), sampling);
  EXPECT_EQ(ParseSampling("luck").status().message(),
            "there is no sampling 'luck'; it is one of hardware, ansor");
}

}  // namespace
}  // namespace pruner
