#include "pruner/sample/schedule_sampler.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "pruner/base/status_macros.h"
#include "pruner/dag/node_analysis.h"
#include "pruner/program/resolver.h"
#include "pruner/program/structure.h"
#include "pruner/sample/annotation.h"
#include "pruner/sample/compute_location.h"
#include "pruner/sample/limits.h"
#include "pruner/sample/mutation_weights.h"
#include "pruner/sample/thread_tiles.h"
#include "pruner/schedule/replay.h"
#include "pruner/sketch/bind_remaining.h"

namespace pruner {
namespace {

// Half of the tile mutations move a factor between neighbouring loops, half
// draw anew.
constexpr double kMoveFactor = 0.5;

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

std::vector<int> StagesWith(const Choices& choices, const auto& choice) {
  std::vector<int> stages;
  for (size_t i = 0; i < choices.size(); ++i) {
    if (choices[i].*choice) stages.push_back(static_cast<int>(i));
  }
  return stages;
}

// Gives a schedule's stages at the root, of which nothing is said, blocks and
// threads.
absl::StatusOr<Schedule> BindAll(const SketchContext& context,
                                 Schedule schedule, LoopState state) {
  Derivation derivation = {.schedule = std::move(schedule),
                           .state = std::move(state),
                           .stage = 0,
                           .spatial_splits = {}};
  RETURN_IF_ERROR(BindRemaining(context, derivation));
  ASSIGN_OR_RETURN(const std::vector<SplitInfo> splits,
                   FindSplits(context.dag, derivation.schedule));
  SetDefaultThreads(context.target, splits, derivation.schedule);
  return std::move(derivation.schedule);
}

absl::Status NoSketch() {
  return absl::InvalidArgumentError("the schedule is of none of the sketches");
}

}  // namespace

absl::StatusOr<ScheduleSampler> ScheduleSampler::Create(
    const SketchContext& context, const std::vector<Sketch>& sketches) {
  std::vector<Space> spaces;
  for (const Sketch& sketch : sketches) {
    ASSIGN_OR_RETURN(std::vector<SplitInfo> splits,
                     FindSplits(context.dag, sketch.schedule));
    ASSIGN_OR_RETURN(const LoopState state,
                     ReplayStructure(context.dag, sketch.schedule));
    spaces.push_back(
        {.sketch = sketch.schedule,
         .tiles = {.splits = std::move(splits), .copies = SharedCopies(state)},
         .num_stages = state.stages.size(),
         .groups = StageGroups(sketch.schedule, state)});
  }
  return ScheduleSampler(context, std::move(spaces));
}

ScheduleSampler::ScheduleSampler(const SketchContext& context,
                                 std::vector<Space> spaces)
    : context_(context),
      spaces_(std::move(spaces)),
      tile_sizes_(context.target) {}

absl::StatusOr<Draw> ScheduleSampler::Sample(Rng& rng) {
  const Space& space = rng.Pick(spaces_);
  Genes genes = {.tiled = space.sketch, .choices = Choices(space.num_stages)};
  if (const auto rejection = tile_sizes_.Fill(space.tiles, rng, genes.tiled))
    return *rejection;
  return Complete(std::move(genes), rng);
}

absl::StatusOr<LoopState> ScheduleSampler::Place(const Choices& choices,
                                                 Rng& rng,
                                                 Schedule& schedule) const {
  ASSIGN_OR_RETURN(LoopState state, Replay(context_.dag, schedule));
  // With threads, sketches place every stage.
  if (!context_.target.HasThreads()) {
    RETURN_IF_ERROR(DrawLocations(choices, rng, schedule, state));
  }
  return state;
}

absl::StatusOr<Draw> ScheduleSampler::Annotate(const Choices& choices, Rng& rng,
                                               Schedule schedule,
                                               LoopState state) const {
  const TargetSpec& target = context_.target;
  RETURN_IF_ERROR(AnnotateParallel(target, choices, schedule, state));
  RETURN_IF_ERROR(DrawUnrolling(target, choices, rng, schedule, state));
  RETURN_IF_ERROR(AnnotateInnermost(target, schedule, state));
  ASSIGN_OR_RETURN(const Structure structure, MakeStructure(schedule, state));
  Program program;
  Resolver(target).Resolve(structure, NumbersOf(schedule), program);
  if (const auto rejection = CheckLimits(program, target)) return *rejection;
  return schedule;
}

absl::StatusOr<Draw> ScheduleSampler::Complete(Genes genes, Rng& rng) const {
  ASSIGN_OR_RETURN(LoopState state, Place(genes.choices, rng, genes.tiled));
  return Annotate(genes.choices, rng, std::move(genes.tiled), std::move(state));
}

absl::StatusOr<Draw> ScheduleSampler::Mutate(const Schedule& schedule,
                                             Rng& rng) {
  const Space* const space = SpaceOf(schedule);
  if (space == nullptr) return NoSketch();
  Genes genes = GenesOf(*space, schedule);
  const MutationWeights& weights = MutationWeightsOf(context_.target);
  const auto has = [&](auto choice) {
    return !StagesWith(genes.choices, choice).empty();
  };
  const struct {
    double weight;
    bool possible;
    absl::StatusOr<Draw> (ScheduleSampler::*mutate)(const Space&, Genes, Rng&);
  } kinds[] = {
      {weights.tile_size, !space->tiles.splits.empty(),
       &ScheduleSampler::MutateTileSize},
      {weights.auto_unroll, has(&StageChoices::auto_unroll),
       &ScheduleSampler::MutateUnrolling},
      {weights.location, has(&StageChoices::location),
       &ScheduleSampler::MutateLocation},
      {weights.parallel, has(&StageChoices::parallel_loops),
       &ScheduleSampler::MutateParallel},
  };
  std::vector<double> chances;
  for (const auto& kind : kinds)
    chances.push_back(kind.possible ? kind.weight : 0);
  if (std::accumulate(chances.begin(), chances.end(), 0.0) == 0)
    return Rejection::kUnchanged;
  const auto& kind = kinds[rng.WeightedIndex(chances)];
  ASSIGN_OR_RETURN(Draw mutated,
                   (this->*kind.mutate)(*space, std::move(genes), rng));
  if (mutated == Draw(schedule)) return Rejection::kUnchanged;
  return mutated;
}

absl::StatusOr<Draw> ScheduleSampler::MutateTileSize(const Space& space,
                                                     Genes genes, Rng& rng) {
  const size_t which = rng.Index(space.tiles.splits.size());
  const SplitInfo& split = space.tiles.splits[which];
  if (split.role == SplitRole::kTile && rng.Chance(kMoveFactor)) {
    TransformStep& step = genes.tiled.steps[split.step];
    std::vector<int64_t> lengths = LengthsOf(step);
    if (!MoveFactor(split, rng, lengths)) return Rejection::kUnchanged;
    SetLengths(std::move(lengths), step);
  } else if (const auto rejection =
                 tile_sizes_.Refill(space.tiles, which, rng, genes.tiled)) {
    return *rejection;
  }
  tile_sizes_.Adjust(space.tiles, rng, genes.tiled);
  return Complete(std::move(genes), rng);
}

absl::StatusOr<Draw> ScheduleSampler::MutateUnrolling(const Space&, Genes genes,
                                                      Rng& rng) {
  StageChoices& stage = genes.choices[rng.Pick(
      StagesWith(genes.choices, &StageChoices::auto_unroll))];
  std::vector<int64_t> others = context_.target.tiling.auto_unroll_steps;
  std::erase(others, *stage.auto_unroll);
  if (others.empty()) return Rejection::kUnchanged;
  stage.auto_unroll = rng.Pick(others);
  return Complete(std::move(genes), rng);
}

absl::StatusOr<Draw> ScheduleSampler::MutateLocation(const Space&, Genes genes,
                                                     Rng& rng) {
  genes.choices[rng.Pick(StagesWith(genes.choices, &StageChoices::location))]
      .location.reset();
  return Complete(std::move(genes), rng);
}

absl::StatusOr<Draw> ScheduleSampler::MutateParallel(const Space&, Genes genes,
                                                     Rng& rng) {
  const int stage =
      rng.Pick(StagesWith(genes.choices, &StageChoices::parallel_loops));
  ASSIGN_OR_RETURN(LoopState state, Place(genes.choices, rng, genes.tiled));
  const int max = MaxParallelLoops(state, stage);
  if (max < 2) return Rejection::kUnchanged;
  std::optional<int>& count = genes.choices[stage].parallel_loops;
  const int before = std::min(*count, max);
  const auto drawn = static_cast<int>(rng.Uniform(1, max - 1));
  count = drawn < before ? drawn : drawn + 1;
  return Annotate(genes.choices, rng, std::move(genes.tiled), std::move(state));
}

absl::StatusOr<Draw> ScheduleSampler::Cross(const Schedule& a,
                                            const Schedule& b, Rng& rng) const {
  const Space* const space = SpaceOf(a);
  const Space* const other = SpaceOf(b);
  if (space == nullptr || other == nullptr) return NoSketch();
  if (space != other) return Rejection::kParents;
  std::optional<Genes> child =
      CrossGenes(space->tiles.splits, space->groups, GenesOf(*space, a),
                 GenesOf(*space, b), rng);
  if (!child) return Rejection::kUnchanged;
  ASSIGN_OR_RETURN(Draw draw, Complete(*std::move(child), rng));
  // What a parent chose may fit no more, and be replaced by what the other has.
  if (a != b && (draw == Draw(a) || draw == Draw(b)))
    return Rejection::kUnchanged;
  return draw;
}

const ScheduleSampler::Space* ScheduleSampler::SpaceOf(
    const Schedule& schedule) const {
  const Space* found = nullptr;
  for (const Space& space : spaces_) {
    // A sketch may begin like another one.
    const bool is_longer = found == nullptr || found->sketch.steps.size() <
                                                   space.sketch.steps.size();
    if (is_longer && Fills(schedule, space.sketch)) found = &space;
  }
  return found;
}

Genes ScheduleSampler::GenesOf(const Space& space, const Schedule& schedule) {
  const size_t size = space.sketch.steps.size();
  const auto& steps = schedule.steps;
  return {.tiled = {.steps = {steps.begin(), steps.begin() + size}},
          .choices = ChoicesOf(schedule, size, space.num_stages)};
}

absl::StatusOr<Schedule> ScheduleSampler::DefaultSchedule() const {
  Schedule schedule;
  LoopState state = NaiveState(context_.dag);
  for (int stage = 0; stage < context_.dag.size(); ++stage) {
    const Stage& s = context_.dag.stage(stage);
    if (s.kind != StageKind::kCompute || s.is_output || s.opaque ||
        s.HasReduction())
      continue;
    if (ReadsNeighbours(s)) continue;
    schedule.steps.push_back(ComputeInlineStep{.stage = stage});
    RETURN_IF_ERROR(ApplyStep(
        schedule, static_cast<int>(schedule.steps.size()) - 1, state));
  }
  if (context_.target.HasThreads())
    return BindAll(context_, std::move(schedule), std::move(state));
  RETURN_IF_ERROR(AnnotateParallel(
      context_.target, Choices(state.stages.size()), schedule, state));
  RETURN_IF_ERROR(AnnotateInnermost(context_.target, schedule, state));
  return schedule;
}

}  // namespace pruner
