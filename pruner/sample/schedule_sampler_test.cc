#include "pruner/sample/schedule_sampler.h"

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "pruner/analysis/program_symbols.h"
#include "pruner/base/status_macros.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/program/resolve.h"
#include "pruner/sample/limits.h"
#include "pruner/sample/tile_sizes.h"
#include "pruner/schedule/replay.h"
#include "pruner/schedule/schedule_text.h"
#include "pruner/sketch/derivation_steps.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

class ScheduleSamplerTest : public testing::Test {
 protected:
  ScheduleSampler Sampler(const ComputeDag& dag) {
    const SketchContext context = {.dag = dag, .target = target_};
    return *ScheduleSampler::Create(context, *GenerateSketches(context));
  }

  const TargetSpec target_ = SampleCpuTarget();
};

TEST_F(ScheduleSamplerTest, SamplesReplayWithinTheLimits) {
  for (const ComputeDag& dag :
       {ConvBiasReluDag({}), ConvBiasReluDag({.size = 14, .stride = 2}),
        MatmulReluDag(1, 1000, 2048), MaxPoolDag(113, 64)}) {
    ScheduleSampler sampler = Sampler(dag);
    Rng rng(1);
    std::set<std::string> distinct;
    int accepted = 0;
    for (int i = 0; i < 300; ++i) {
      const absl::StatusOr<Draw> draw = sampler.Sample(rng);
      ASSERT_TRUE(draw.ok()) << draw.status();
      const auto* schedule = std::get_if<Schedule>(&*draw);
      if (schedule == nullptr) continue;
      const absl::StatusOr<LoopState> state = Replay(dag, *schedule);
      ASSERT_TRUE(state.ok()) << state.status();
      EXPECT_FALSE(
          CheckLimits(*Resolve(dag, *schedule, target_), target_).has_value());
      distinct.insert(PrintSchedule(*schedule));
      ++accepted;
    }
    EXPECT_GE(accepted, 100) << dag.ToString();
    if (dag.size() > 3) {
      EXPECT_GE(distinct.size(), accepted * 0.8);
    }
  }
}

TEST_F(ScheduleSamplerTest, SameSeedSameSchedules) {
  const ComputeDag dag = ConvBiasReluDag({});
  ScheduleSampler a = Sampler(dag), b = Sampler(dag);
  Rng rng_a(7), rng_b(7);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(*a.Sample(rng_a), *b.Sample(rng_b));
}

// The lengths that a schedule has for a decision.
std::vector<int64_t> LengthsIn(const Schedule& schedule,
                               const Decision& decision) {
  const TransformStep& step = schedule.steps[decision.step];
  if (const auto* rfactor = std::get_if<RfactorStep>(&step))
    return {rfactor->factor};
  return std::get<SplitStep>(step).lengths;
}

int64_t Product(const std::vector<int64_t>& lengths) {
  int64_t product = 1;
  for (const int64_t length : lengths) product *= length;
  return product;
}

TEST_F(ScheduleSamplerTest, RegisterTilesFitAndAreWholeVectors) {
  const ComputeDag dag = ConvBiasReluDag({.out_channels = 256});
  const SketchContext context = {.dag = dag, .target = target_};
  Rng rng(3);
  bool overlapping = false;
  const std::vector<Sketch> sketches = *GenerateSketches(context);
  for (const Sketch& sketch : sketches) {
    ScheduleSampler sampler = *ScheduleSampler::Create(context, {sketch});
    for (int i = 0; i < 100; ++i) {
      const absl::StatusOr<Draw> draw = sampler.Sample(rng);
      const auto* schedule = std::get_if<Schedule>(&*draw);
      if (schedule == nullptr) continue;
      int64_t registers = 1;
      for (const Decision& decision : sketch.decisions) {
        if (!decision.HasLengths()) continue;
        const LengthsDomain& domain = decision.lengths();
        if (domain.axis_kind == AxisKind::kReduction) continue;
        const std::vector<int64_t> lengths = LengthsIn(*schedule, decision);
        if (domain.is_vector_axis) {
          EXPECT_EQ(lengths.back() % 16, 0);
        }
        registers *=
            domain.is_vector_axis ? lengths.back() / 16 : lengths.back();
        const int64_t tile = Product(lengths);
        EXPECT_LE(tile, domain.extent);
        if (domain.extent % tile != 0) {
          EXPECT_TRUE(domain.may_overlap);
          overlapping = true;
        }
      }
      EXPECT_LE(registers, AccumulatorRegisters(target_));
    }
  }
  EXPECT_TRUE(overlapping);
}

// 197 is a prime: without overlap, tiles would have 1 element or all of them.
TEST(ThreadTilesTest, TilesOfOddExtentsOverlap) {
  const TargetSpec target = SampleGpuTarget();
  for (const int64_t rows : {5, 7, 55, 149, 197}) {
    const ComputeDag dag = MatmulReluDag(rows, 768, 768);
    const SketchContext context = {.dag = dag, .target = target};
    const std::vector<Sketch> sketches = *GenerateSketches(context);
    ASSERT_EQ(sketches.size(), 1u);
    ScheduleSampler sampler = *ScheduleSampler::Create(context, sketches);
    Rng rng(1);
    std::set<int64_t> overlapping;
    for (int i = 0; i < 1000; ++i) {
      const absl::StatusOr<Draw> draw = sampler.Sample(rng);
      const auto* schedule = std::get_if<Schedule>(&*draw);
      if (schedule == nullptr) continue;
      for (const Decision& decision : sketches[0].decisions) {
        if (!decision.HasLengths()) continue;
        const LengthsDomain& domain = decision.lengths();
        const int64_t tile = Product(LengthsIn(*schedule, decision));
        EXPECT_LE(tile, domain.extent);
        if (decision.kind != DecisionKind::kTile || domain.extent % tile == 0)
          continue;
        EXPECT_TRUE(domain.may_overlap);
        const int64_t work = (domain.extent + tile - 1) / tile * tile;
        EXPECT_LE(work, 1.25 * domain.extent) << tile;
        if (domain.extent == rows) overlapping.insert(tile);
      }
    }
    EXPECT_GE(overlapping.size(), rows > 10 ? 10u : 2u) << rows;
  }
}

TEST_F(ScheduleSamplerTest, SketchThatDoesNotFitIsAnError) {
  const ComputeDag dag = MatmulReluDag(8, 8, 8);
  const SketchContext context = {.dag = dag, .target = target_};
  const Sketch sketch = {.schedule = *ParseSchedule(
                             "split stage=9 iterator=40 lengths=0 tail=guard")};
  EXPECT_EQ(ScheduleSampler::Create(context, {sketch}).status().message(),
            "step 0: there is no compute stage 9");
}

// A sketch that one rule's steps make, all stages decided at once.
class OneRule : public SketchRule {
 public:
  using Change = std::function<absl::Status(Derivation&)>;

  explicit OneRule(Change change) : change_(std::move(change)) {}

  absl::string_view Name() const override { return "one"; }
  RuleMatch Match(const SketchContext&, const Derivation&) const override {
    return RuleMatch::kApplyAndSkipRest;
  }
  absl::StatusOr<std::vector<Derivation>> Apply(
      const SketchContext&, const Derivation& from) const override {
    Derivation next = from;
    RETURN_IF_ERROR(change_(next));
    next.stage = -1;
    return std::vector<Derivation>{next};
  }

 private:
  const Change change_;
};

TEST_F(ScheduleSamplerTest, OnlyHolesAreFilled) {
  const ComputeDag dag = MatmulReluDag(64, 64, 64);
  const SketchContext context = {.dag = dag, .target = target_};
  const OneRule rule([&](Derivation& next) -> absl::Status {
    RETURN_IF_ERROR(
        Append(SplitStep{.stage = 2, .iterator = 0, .lengths = {5}}, next));
    return AppendTile(context, {.stage = 2, .iterator = 2, .lengths = {0, 0}},
                      {}, next);
  });
  const std::vector<Sketch> sketches = *GenerateSketches(context, {&rule});
  ASSERT_EQ(sketches.size(), 1u);
  ScheduleSampler sampler = *ScheduleSampler::Create(context, sketches);
  Rng rng(1);
  std::set<std::vector<int64_t>> drawn;
  for (int i = 0; i < 100; ++i) {
    const Draw draw = *sampler.Sample(rng);
    const auto* schedule = std::get_if<Schedule>(&draw);
    if (schedule == nullptr) continue;
    EXPECT_EQ(schedule->steps[0], sketches[0].schedule.steps[0]);
    drawn.insert(std::get<SplitStep>(schedule->steps[1]).lengths);
    const Draw mutated = *sampler.Mutate(*schedule, rng);
    if (const auto* mutant = std::get_if<Schedule>(&mutated)) {
      EXPECT_EQ(mutant->steps[0], sketches[0].schedule.steps[0]);
    }
  }
  EXPECT_GT(drawn.size(), 5u);
}

// The stages that steps insert have numbers of their own.
TEST_F(ScheduleSamplerTest, PartialResultsHaveAllFactors) {
  const ComputeDag dag = MatmulReluDag(4, 16, 96);
  const SketchContext context = {.dag = dag, .target = target_};
  const OneRule rule([&](Derivation& next) -> absl::Status {
    RETURN_IF_ERROR(AppendTile(
        context, {.stage = 3, .iterator = 1, .lengths = {0}}, {}, next));
    RETURN_IF_ERROR(AppendFactor(
        {.stage = 2, .axis = 2, .part = RfactorPart::kInner}, 0, next));
    return Append(
        ComputeAtStep{.stage = 2, .target_stage = 3, .target_iterator = 0},
        next);
  });
  const std::vector<Sketch> sketches = *GenerateSketches(context, {&rule});
  ASSERT_EQ(sketches.size(), 1u);
  EXPECT_EQ(sketches[0].decisions[0].stage, 4);
  EXPECT_EQ(sketches[0].decisions[1].stage, 2);
  ScheduleSampler sampler = *ScheduleSampler::Create(context, sketches);
  Rng rng(1);
  std::set<int64_t> factors;
  for (int i = 0; i < 500; ++i) {
    Draw draw = *sampler.Sample(rng);
    if (i % 2 == 1 && std::holds_alternative<Schedule>(draw))
      draw = *sampler.Mutate(std::get<Schedule>(draw), rng);
    const auto* schedule = std::get_if<Schedule>(&draw);
    if (schedule == nullptr) continue;
    const absl::StatusOr<LoopState> state = Replay(dag, *schedule);
    ASSERT_TRUE(state.ok()) << state.status();
    EXPECT_EQ(state->stages.size(), 5u);
    factors.insert(std::get<RfactorStep>(schedule->steps[1]).factor);
  }
  EXPECT_EQ(factors,
            std::set<int64_t>({1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 96}));
}

// A copy in each of the orders that are to be chosen between.
TEST_F(ScheduleSamplerTest, OrdersOfStorageAreDrawn) {
  const ComputeDag dag = MatmulReluDag(32, 32, 32);
  const SketchContext context = {.dag = dag, .target = target_};
  const OneRule rule([&](Derivation& next) -> absl::Status {
    RETURN_IF_ERROR(Append(CacheReadStep{.stage = 1, .readers = {2}}, next));
    AddDecision({.kind = DecisionKind::kStorageOrder,
                 .stage = 2,
                 .step = static_cast<int>(next.schedule.steps.size()),
                 .domain = ChoiceDomain{.choices = {PackOrder({0, 1}),
                                                    PackOrder({1, 0})}}},
                next);
    return Append(StorageOrderStep{.stage = 2, .order = {0, 1}}, next);
  });
  const auto sketches = GenerateSketches(context, {&rule});
  ASSERT_TRUE(sketches.ok()) << sketches.status();
  ScheduleSampler sampler = *ScheduleSampler::Create(context, *sketches);
  Rng rng(1);
  std::set<std::vector<int64_t>> orders;
  for (int i = 0; i < 50; ++i) {
    Draw draw = *sampler.Sample(rng);
    if (std::holds_alternative<Schedule>(draw))
      draw = *sampler.Mutate(std::get<Schedule>(draw), rng);
    const auto* schedule = std::get_if<Schedule>(&draw);
    if (schedule == nullptr) continue;
    orders.insert(Replay(dag, *schedule)->stages[2].storage_order);
  }
  EXPECT_EQ(orders.size(), 2u);
}

TEST_F(ScheduleSamplerTest, StagesOfWhichNothingIsOpenStayWhereTheyAre) {
  const ComputeDag dag = ConvBiasReluDag({});
  const SketchContext context = {.dag = dag, .target = target_};
  const OneRule rule([](Derivation& next) {
    LeaveLocationOpen(3, next);
    return Append(ComputeRootStep{.stage = 3}, next);
  });
  ScheduleSampler sampler =
      *ScheduleSampler::Create(context, *GenerateSketches(context, {&rule}));
  Rng rng(1);
  for (int i = 0; i < 100; ++i) {
    const Draw draw = *sampler.Sample(rng);
    const auto* schedule = std::get_if<Schedule>(&draw);
    if (schedule == nullptr) continue;
    EXPECT_EQ(Replay(dag, *schedule)->stages[3].location,
              ComputeLocation::kRoot);
  }
}

TEST_F(ScheduleSamplerTest, OnlyWhatWasDrawnIsMutated) {
  const ComputeDag dag = ConvBiasReluDag({});
  Rng rng(1);
  EXPECT_EQ(Sampler(dag).Mutate(Schedule(), rng).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(ScheduleSamplerTest, MutationsStayInTheSpace) {
  const ComputeDag dag = ConvBiasReluDag({});
  ScheduleSampler sampler = Sampler(dag);
  Rng rng(5);
  Schedule schedule;
  while (schedule.steps.empty()) {
    const Draw draw = *sampler.Sample(rng);
    if (const auto* s = std::get_if<Schedule>(&draw)) schedule = *s;
  }
  std::set<std::string> distinct;
  for (int i = 0; i < 500; ++i) {
    const absl::StatusOr<Draw> draw = sampler.Mutate(schedule, rng);
    ASSERT_TRUE(draw.ok()) << draw.status();
    const auto* mutated = std::get_if<Schedule>(&*draw);
    if (mutated == nullptr) continue;
    EXPECT_NE(*mutated, schedule);
    ASSERT_TRUE(Replay(dag, *mutated).ok());
    distinct.insert(PrintSchedule(*mutated));
    schedule = *mutated;
  }
  EXPECT_GE(distinct.size(), 100u);
}

// The channels are all there is to divide: among cores, and into vectors.
TEST_F(ScheduleSamplerTest, OneLongLoopIsParallelAndVectorized) {
  const ComputeDag dag = MaxPoolDag(3, 2048);
  ScheduleSampler sampler = Sampler(dag);
  EXPECT_EQ(Replay(dag, *sampler.DefaultSchedule())->ToString(),
            "parallel y@x@c.0 (128)\n"
            "  for ry (3)\n"
            "    for rx (3)\n"
            "      vectorize c.1 (16)\n"
            "        pool = …\n"
            "parallel y@x@c.0 (128)\n"
            "  vectorize c.1 (16)\n"
            "    out = …\n");
  Rng rng(1);
  int fused = 0;
  for (int i = 0; i < 50; ++i) {
    const Draw draw = *sampler.Sample(rng);
    const auto* schedule = std::get_if<Schedule>(&draw);
    if (schedule == nullptr) continue;
    const LoopState state = *Replay(dag, *schedule);
    // Computed vector by vector inside the output's tiles.
    fused += state.stages[1].location == ComputeLocation::kAt &&
             state.stages[1].axis_extents[2] <= 64;
  }
  EXPECT_GT(fused, 5);
}

TEST_F(ScheduleSamplerTest, DefaultScheduleIsParallelAndVectorized) {
  const ComputeDag dag =
      ConvBiasReluDag({.batch = 1, .size = 14, .in_channels = 32});
  const absl::StatusOr<Schedule> schedule = Sampler(dag).DefaultSchedule();
  ASSERT_TRUE(schedule.ok()) << schedule.status();
  EXPECT_EQ(Replay(dag, *schedule)->ToString(),
            "pad inlined\n"
            "parallel n@y@x (196)\n"
            "  for ry (3)\n"
            "    for rx (3)\n"
            "      for rc (32)\n"
            "        vectorize c (64)\n"
            "          conv = …\n"
            "parallel n@y@x (196)\n"
            "  vectorize c (64)\n"
            "    out = …\n");
}

// A table of sums, read at places that only the data know.
ComputeDag LookupDag(int64_t pixels) {
  Stage values;
  values.name = "values";
  values.kind = StageKind::kPlaceholder;
  values.shape = {256, 64};
  const IndexExpr row = {.terms = {{.axis = 0}}},
                  column = {.terms = {{.axis = 1}}},
                  any = {.terms = {{.axis = 0}}, .opaque = true};
  Stage sums;
  sums.name = "sums";
  sums.shape = {256};
  sums.axes = {{.name = "k", .extent = 256},
               {.name = "r", .extent = 64, .kind = AxisKind::kReduction}};
  sums.reads = {{.stage = 0, .indices = {row, column}}};
  sums.ops.float_add = 1;
  Stage out;
  out.name = "out";
  out.shape = {pixels, 64};
  out.axes = {{.name = "y", .extent = pixels}, {.name = "x", .extent = 64}};
  out.reads = {{.stage = 1, .indices = {any}}};
  out.is_output = true;
  return *ComputeDag::Create({values, sums, out});
}

TEST_F(ScheduleSamplerTest, WhatIsComputedOverAndOverIsRejected) {
  const ComputeDag dag = LookupDag(4096);
  const auto rejection = [&](const TransformStep& location) {
    return CheckLimits(*Resolve(dag, {.steps = {location}}, target_), target_);
  };
  EXPECT_EQ(rejection(ComputeAtStep{
                .stage = 1, .target_stage = 2, .target_iterator = 0}),
            Rejection::kRecomputation);
  EXPECT_EQ(rejection(ComputeRootStep{.stage = 1}), std::nullopt);
  ScheduleSampler sampler = Sampler(dag);
  Rng rng(1);
  for (int i = 0; i < 200; ++i) {
    const Draw draw = *sampler.Sample(rng);
    const auto* schedule = std::get_if<Schedule>(&draw);
    if (schedule == nullptr) continue;
    const Program program = *Resolve(dag, *schedule, target_);
    ProgramSymbols symbols;
    ExtractSymbols(program, symbols);
    for (int i = 0; i < program.dag->size(); ++i) {
      if (program.stages[i].at_stage < 0) continue;
      EXPECT_LE(
          symbols.stages[i].executions * symbols.stages[i].region_elements,
          4 * program.dag->stage(i).SpatialSize())
          << PrintSchedule(*schedule);
    }
  }
}

TEST(ThreadTilesTest, DefaultScheduleIsInBlocksOfThreads) {
  const TargetSpec target = SampleGpuTarget();
  const ComputeDag dag = ConvBiasReluDag({.size = 14, .in_channels = 32});
  const SketchContext context = {.dag = dag, .target = target};
  const ScheduleSampler sampler =
      *ScheduleSampler::Create(context, *GenerateSketches(context));
  const absl::StatusOr<Schedule> schedule = sampler.DefaultSchedule();
  ASSERT_TRUE(schedule.ok()) << schedule.status();
  EXPECT_EQ(Replay(dag, *schedule)->ToString(),
            "pad inlined\n"
            "block (n@y@x@c.0).0 (13)\n"
            "  thread (n@y@x@c.0).1 (256)\n"
            "    for ry (3)\n"
            "      for rx (3)\n"
            "        for rc (32)\n"
            "          vectorize c.1 (4)\n"
            "            conv = …\n"
            "block (n@y@x@c.0).0 (13)\n"
            "  thread (n@y@x@c.0).1 (256)\n"
            "    vectorize c.1 (4)\n"
            "      out = …\n");
}

// Rows of 6 elements have vectors of 2, and 5 x 3 of these no more threads.
TEST(ThreadTilesTest, ThreadsShareVectors) {
  const TargetSpec target = SampleGpuTarget();
  const ComputeDag dag = MaxPoolDag(5, 6);
  const SketchContext context = {.dag = dag, .target = target};
  ScheduleSampler sampler =
      *ScheduleSampler::Create(context, *GenerateSketches(context));
  Rng rng(1);
  std::set<int64_t> vectors;
  for (int i = 0; i < 50; ++i) {
    const absl::StatusOr<Draw> draw = sampler.Sample(rng);
    ASSERT_TRUE(std::holds_alternative<Schedule>(*draw));
    const LoopState state = *Replay(dag, std::get<Schedule>(*draw));
    for (const int stage : {1, 2}) {
      const std::vector<Iterator>& loops = state.stages[stage].iterators;
      vectors.insert(loops.back().extent);
      EXPECT_EQ(loops[1].extent * loops.back().extent, 2 * 2 * 6)
          << state.ToString();
    }
  }
  EXPECT_EQ(vectors, (std::set<int64_t>{1, 2}));
}

}  // namespace
}  // namespace pruner
