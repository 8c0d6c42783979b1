#include "pruner/sample/schedule_sampler.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "pruner/base/status_macros.h"
#include "pruner/sample/annotation.h"
#include "pruner/sample/compute_location.h"
#include "pruner/sample/limits.h"
#include "pruner/schedule/replay.h"

namespace pruner {
namespace {

// Shares of the kinds of mutation (ALGORITHMS A9); the rest are tile sizes.
constexpr double kMutateLocation = 0.05;
constexpr double kMutateUnrolling = 0.05;

// Half of the tile mutations move a factor between neighbouring loops, half
// draw anew.
constexpr double kMoveFactor = 0.5;

// Equal but for tile sizes.
bool SameStructure(const TransformStep& a, const TransformStep& b) {
  const auto* split_a = std::get_if<SplitStep>(&a);
  const auto* split_b = std::get_if<SplitStep>(&b);
  if (split_a == nullptr || split_b == nullptr) return a == b;
  return split_a->stage == split_b->stage &&
         split_a->iterator == split_b->iterator &&
         split_a->lengths.size() == split_b->lengths.size() &&
         split_a->tail == split_b->tail;
}

// Moves one prime factor from a loop of the split to a neighbouring one. Level
// 0, whose extent follows from the others', takes part for splits that divide.
bool MoveFactor(const SplitInfo& split, Rng& rng,
                std::vector<int64_t>& lengths) {
  int64_t inner = 1;
  for (int64_t length : lengths) inner *= length;
  std::vector<int64_t> levels = {split.extent / inner};
  levels.insert(levels.end(), lengths.begin(), lengths.end());
  const size_t first = split.extent % inner == 0 ? 0 : 1;
  std::vector<size_t> sources;
  for (size_t i = first; i < levels.size(); ++i) {
    if (levels[i] > 1) sources.push_back(i);
  }
  if (sources.empty() || levels.size() - first < 2) return false;
  const size_t from = rng.Pick(sources);
  size_t to = rng.Chance(0.5) ? from + 1 : from - 1;
  if (from == first) to = from + 1;
  if (from + 1 == levels.size()) to = from - 1;
  const int64_t factor = rng.Pick(PrimeFactors(levels[from]));
  levels[from] /= factor;
  levels[to] *= factor;
  std::copy(levels.begin() + 1, levels.end(), lengths.begin());
  return true;
}

}  // namespace

absl::StatusOr<ScheduleSampler> ScheduleSampler::Create(
    const SketchContext& context, std::vector<Sketch> sketches) {
  std::vector<std::vector<SplitInfo>> splits;
  for (const Sketch& sketch : sketches) {
    ASSIGN_OR_RETURN(splits.emplace_back(),
                     FindSplits(context.dag, sketch.schedule));
  }
  return ScheduleSampler(context, std::move(sketches), std::move(splits));
}

ScheduleSampler::ScheduleSampler(const SketchContext& context,
                                 std::vector<Sketch> sketches,
                                 std::vector<std::vector<SplitInfo>> splits)
    : context_(context),
      sketches_(std::move(sketches)),
      splits_(std::move(splits)),
      tile_sizes_(context.target) {}

absl::StatusOr<Draw> ScheduleSampler::Sample(Rng& rng) {
  const size_t which = rng.Index(sketches_.size());
  Schedule schedule = sketches_[which].schedule;
  if (const auto rejection = tile_sizes_.Fill(splits_[which], rng, schedule))
    return *rejection;
  return Complete(std::move(schedule), rng);
}

absl::StatusOr<Draw> ScheduleSampler::Complete(Schedule schedule,
                                               Rng& rng) const {
  ASSIGN_OR_RETURN(LoopState state, Replay(context_.dag, schedule));
  RETURN_IF_ERROR(DrawLocations(rng, schedule, state));
  RETURN_IF_ERROR(AnnotateParallel(context_.target, schedule, state));
  RETURN_IF_ERROR(DrawUnrolling(context_.target, rng, schedule, state));
  RETURN_IF_ERROR(AnnotateInnermost(context_.target, schedule, state));
  if (const auto rejection = CheckLimits(state, context_.target))
    return *rejection;
  return schedule;
}

absl::StatusOr<Draw> ScheduleSampler::Checked(Schedule schedule) const {
  ASSIGN_OR_RETURN(const LoopState state, Replay(context_.dag, schedule));
  if (const auto rejection = CheckLimits(state, context_.target))
    return *rejection;
  return schedule;
}

absl::StatusOr<Draw> ScheduleSampler::Mutate(const Schedule& schedule,
                                             Rng& rng) {
  const int sketch = SketchOf(schedule);
  if (sketch < 0)
    return absl::InvalidArgumentError(
        "the schedule is of none of the sketches");
  const double kind = rng.Real();
  absl::StatusOr<Draw> mutated;
  if (kind < kMutateLocation) {
    Schedule tiled = schedule;
    tiled.steps.resize(sketches_[sketch].schedule.steps.size());
    mutated = Complete(std::move(tiled), rng);
  } else if (kind < kMutateLocation + kMutateUnrolling) {
    mutated = MutateUnrolling(schedule, rng);
  } else {
    mutated = MutateTileSize(schedule, sketch, rng);
  }
  if (mutated.ok() && std::holds_alternative<Schedule>(*mutated) &&
      std::get<Schedule>(*mutated) == schedule) {
    return Rejection::kUnchanged;
  }
  return mutated;
}

absl::StatusOr<Draw> ScheduleSampler::MutateTileSize(Schedule schedule,
                                                     size_t sketch, Rng& rng) {
  const std::vector<SplitInfo>& splits = splits_[sketch];
  if (splits.empty()) {
    schedule.steps.resize(sketches_[sketch].schedule.steps.size());
    return Complete(std::move(schedule), rng);
  }
  const size_t which = rng.Index(splits.size());
  if (rng.Chance(kMoveFactor)) {
    auto& split = std::get<SplitStep>(schedule.steps[splits[which].step]);
    if (!MoveFactor(splits[which], rng, split.lengths))
      return Rejection::kUnchanged;
  } else if (const auto rejection =
                 tile_sizes_.Refill(splits, which, rng, schedule)) {
    return *rejection;
  }
  return Checked(std::move(schedule));
}

absl::StatusOr<Draw> ScheduleSampler::MutateUnrolling(Schedule schedule,
                                                      Rng& rng) const {
  std::vector<AutoUnrollStep*> steps;
  for (TransformStep& step : schedule.steps) {
    if (auto* unroll = std::get_if<AutoUnrollStep>(&step))
      steps.push_back(unroll);
  }
  if (steps.empty()) return Rejection::kUnchanged;
  rng.Pick(steps)->max_step =
      rng.Pick(context_.target.tiling.auto_unroll_steps);
  return Checked(std::move(schedule));
}

int ScheduleSampler::SketchOf(const Schedule& schedule) const {
  for (size_t i = 0; i < sketches_.size(); ++i) {
    const std::vector<TransformStep>& steps = sketches_[i].schedule.steps;
    if (steps.size() <= schedule.steps.size() &&
        std::equal(steps.begin(), steps.end(), schedule.steps.begin(),
                   SameStructure)) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

absl::StatusOr<Schedule> ScheduleSampler::DefaultSchedule() const {
  Schedule schedule;
  LoopState state = NaiveState(context_.dag);
  for (int stage = 0; stage < context_.dag.size(); ++stage) {
    const Stage& s = context_.dag.stage(stage);
    if (s.kind != StageKind::kCompute || s.is_output || s.opaque ||
        s.HasReduction())
      continue;
    schedule.steps.push_back(ComputeInlineStep{.stage = stage});
    RETURN_IF_ERROR(ApplyStep(
        schedule, static_cast<int>(schedule.steps.size()) - 1, state));
  }
  RETURN_IF_ERROR(AnnotateParallel(context_.target, schedule, state));
  RETURN_IF_ERROR(AnnotateInnermost(context_.target, schedule, state));
  return schedule;
}

}  // namespace pruner
