#include "pruner/sketch/derivation_steps.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "pruner/base/status_macros.h"
#include "pruner/dag/node_analysis.h"
#include "pruner/schedule/replay.h"

namespace pruner {
namespace {

// Where a loop belongs in the order of a tiled nest.
struct Place {
  int rank = 0;  // of its tile level; see NestRanks
  int axis = 0;
  Binding binding = Binding::kSerial;
  AxisKind kind = AxisKind::kSpatial;
};

// Sorts loops, given in their current order, by rank and then axis, `places`
// with them.
absl::Status Reorder(int stage, std::vector<Place>& places,
                     Derivation& derivation) {
  std::vector<int64_t> order(places.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int64_t>(i);
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return std::tie(places[a].rank, places[a].axis) <
           std::tie(places[b].rank, places[b].axis);
  });
  std::vector<Place> sorted;
  sorted.reserve(order.size());
  for (int64_t old : order) sorted.push_back(places[old]);
  places = std::move(sorted);
  return Append(ReorderStep{.stage = stage, .order = order}, derivation);
}

// Positions in the tile structure of the levels for axes of this kind.
std::vector<int> LevelsOf(const TargetSpec& target, AxisKind kind) {
  const TileAxis wanted =
      kind == AxisKind::kSpatial ? TileAxis::kSpatial : TileAxis::kReduction;
  std::vector<int> levels;
  for (size_t i = 0; i < target.tiling.levels.size(); ++i) {
    if (target.tiling.levels[i].axis == wanted)
      levels.push_back(static_cast<int>(i));
  }
  return levels;
}

// For each tile level the position of its loops in the nest. They are nested as
// they are cut, but for threads: all threads of a block go together through the
// outermost reduction loops, in which what they share is staged, and virtual
// threads are copies of a thread's code inside its reduction loops
// (docs/algorithms.md E2a).
std::vector<int> NestRanks(const TargetSpec& target) {
  const std::vector<TileLevel>& levels = target.tiling.levels;
  std::vector<int> order;
  const auto take = [&](const auto& wanted) {
    for (int i = 0; i < static_cast<int>(levels.size()); ++i) {
      const bool taken =
          std::find(order.begin(), order.end(), i) != order.end();
      if (!taken && wanted(levels[i])) order.push_back(i);
    }
  };
  const auto bound_to = [](Binding binding) {
    return
        [binding](const TileLevel& level) { return level.binding == binding; };
  };
  if (target.HasThreads()) {
    take(bound_to(Binding::kBlock));
    const std::vector<int> reduction = LevelsOf(target, AxisKind::kReduction);
    if (!reduction.empty()) order.push_back(reduction[0]);
    take(bound_to(Binding::kThread));
    take([](const TileLevel& level) {
      return level.axis == TileAxis::kReduction;
    });
    take(bound_to(Binding::kVThread));
  }
  take([](const TileLevel&) { return true; });
  std::vector<int> ranks(levels.size());
  for (size_t i = 0; i < order.size(); ++i)
    ranks[order[i]] = static_cast<int>(i);
  return ranks;
}

// Makes one loop of those with this binding, which stand together, and binds
// it. Loops before them keep their positions.
absl::Status FuseAndBind(int stage, const std::vector<Place>& places,
                         Binding binding, Annotation annotation,
                         Derivation& derivation) {
  const auto is_bound = [&](const Place& place) {
    return place.binding == binding && place.kind == AxisKind::kSpatial;
  };
  const auto first = std::find_if(places.begin(), places.end(), is_bound);
  const auto count = std::count_if(first, places.end(), is_bound);
  if (count == 0) return absl::OkStatus();
  const int iterator = static_cast<int>(first - places.begin());
  RETURN_IF_ERROR(
      FuseLoops(stage, iterator, static_cast<int>(count), derivation));
  return Annotate(stage, iterator, annotation, derivation);
}

// Binds the loops of a sorted nest to threads and virtual threads, and unrolls
// what registers are indexed by.
absl::Status BindThreadLoops(int stage, const std::vector<Place>& places,
                             Derivation& derivation) {
  for (size_t i = places.size(); i-- > 0;) {
    const bool in_registers = places[i].binding == Binding::kRegister &&
                              places[i].kind == AxisKind::kSpatial;
    if (!in_registers) continue;
    RETURN_IF_ERROR(
        Annotate(stage, static_cast<int>(i), Annotation::kUnroll, derivation));
  }
  // Inner loops first: fusing moves what is inside.
  RETURN_IF_ERROR(FuseAndBind(stage, places, Binding::kVThread,
                              Annotation::kVThread, derivation));
  return FuseAndBind(stage, places, Binding::kThread, Annotation::kThread,
                     derivation);
}

}  // namespace

absl::Status Append(TransformStep step, Derivation& derivation) {
  if (const int inserted = InsertedStage(step); inserted >= 0) {
    std::map<int, std::vector<int>> moved;
    for (auto& [stage, splits] : derivation.spatial_splits)
      moved[stage + (stage >= inserted)] = std::move(splits);
    derivation.spatial_splits = std::move(moved);
  }
  derivation.schedule.steps.push_back(std::move(step));
  return ApplyStep(derivation.schedule,
                   static_cast<int>(derivation.schedule.steps.size()) - 1,
                   derivation.state);
}

absl::Status Annotate(int stage, int iterator, Annotation annotation,
                      Derivation& derivation) {
  return Append(
      AnnotateStep{
          .stage = stage, .iterator = iterator, .annotation = annotation},
      derivation);
}

absl::Status FuseLoops(int stage, int first, int count,
                       Derivation& derivation) {
  if (count <= 1) return absl::OkStatus();
  return Append(FuseStep{.stage = stage, .iterator = first, .count = count},
                derivation);
}

absl::Status CutIntoBlocks(int stage, int count, Derivation& derivation) {
  RETURN_IF_ERROR(FuseLoops(stage, 0, count, derivation));
  RETURN_IF_ERROR(Append(
      SplitStep{.stage = stage, .iterator = 0, .lengths = {0}}, derivation));
  RETURN_IF_ERROR(Annotate(stage, 0, Annotation::kBlock, derivation));
  return Annotate(stage, 1, Annotation::kThread, derivation);
}

std::optional<int> ConsumerToFuse(const Derivation& derivation, int stage) {
  std::optional<int> consumer = FusibleConsumer(derivation.dag(), stage);
  while (consumer && derivation.state.stages[*consumer].location ==
                         ComputeLocation::kInlined) {
    consumer = FusibleConsumer(derivation.dag(), *consumer);
  }
  // Both with a reduction: the tiles of one are not those of the other.
  if (consumer && derivation.dag().stage(stage).HasReduction() &&
      derivation.dag().stage(*consumer).HasReduction()) {
    return std::nullopt;
  }
  return consumer;
}

absl::Status TileStage(const SketchContext& context, int stage,
                       Derivation& derivation) {
  const Stage& s = derivation.dag().stage(stage);
  const std::vector<int> ranks = NestRanks(context.target);
  std::vector<Place> places;
  std::vector<int>& spatial_splits = derivation.spatial_splits[stage];
  for (size_t axis = 0; axis < s.axes.size(); ++axis) {
    const AxisKind kind = s.axes[axis].kind;
    const std::vector<int> levels = LevelsOf(context.target, kind);
    const bool is_split = s.axes[axis].extent > 1 && levels.size() > 1;
    if (kind == AxisKind::kSpatial) {
      const int next_step = static_cast<int>(derivation.schedule.steps.size());
      spatial_splits.push_back(is_split ? next_step : -1);
    }
    const int position = static_cast<int>(places.size());
    const size_t loops = is_split ? levels.size() : 1;
    for (size_t i = 0; i < loops; ++i) {
      places.push_back(
          {.rank = ranks[levels[i]],
           .axis = static_cast<int>(axis),
           .binding = context.target.tiling.levels[levels[i]].binding,
           .kind = kind});
    }
    if (!is_split) continue;
    RETURN_IF_ERROR(
        Append(SplitStep{.stage = stage,
                         .iterator = position,
                         .lengths = std::vector<int64_t>(levels.size() - 1, 0)},
               derivation));
  }
  RETURN_IF_ERROR(Reorder(stage, places, derivation));
  if (!context.target.HasThreads()) return absl::OkStatus();
  return BindThreadLoops(stage, places, derivation);
}

absl::Status BindBlocks(int stage, Derivation& derivation) {
  const std::vector<Iterator>& iterators =
      derivation.state.stages[stage].iterators;
  const auto inside = std::find_if(
      iterators.begin(), iterators.end(), [](const Iterator& iterator) {
        return iterator.kind == AxisKind::kReduction ||
               iterator.annotation != Annotation::kNone;
      });
  const int count = static_cast<int>(inside - iterators.begin());
  RETURN_IF_ERROR(FuseLoops(stage, 0, count, derivation));
  return Annotate(stage, 0, Annotation::kBlock, derivation);
}

absl::Status FuseIntoConsumer(const SketchContext& context, int stage,
                              int consumer, int level, Derivation& derivation) {
  const std::vector<int> splits = derivation.spatial_splits.at(stage);
  const std::vector<TileLevel>& levels = context.target.tiling.levels;
  const std::vector<int> spatial = LevelsOf(context.target, AxisKind::kSpatial);
  const std::vector<int> ranks = NestRanks(context.target);
  const bool threads = context.target.HasThreads();
  std::vector<Place> places;
  for (size_t axis = 0; axis < splits.size(); ++axis) {
    const int position = static_cast<int>(places.size());
    const int loops = splits[axis] < 0 ? 1 : level + 1;
    for (int i = 0; i < loops; ++i) {
      // What is left of the tile is innermost, whatever levels it is made of.
      const bool rest = i == level;
      places.push_back(
          {.rank = rest ? static_cast<int>(levels.size()) : ranks[spatial[i]],
           .axis = static_cast<int>(axis),
           .binding = rest ? Binding::kRegister : levels[spatial[i]].binding});
    }
    if (splits[axis] < 0) continue;
    // A tile that does not fit in is moved back until it does: all tiles are
    // then whole, and so is what is computed inside. Not where that would add
    // something twice.
    const Tail tail = derivation.dag().stage(consumer).accumulates
                          ? Tail::kGuard
                          : Tail::kShiftInwards;
    RETURN_IF_ERROR(Append(FollowSplitStep{.stage = consumer,
                                           .iterator = position,
                                           .source_step = splits[axis],
                                           .levels = level + 1,
                                           .tail = tail},
                           derivation));
  }
  RETURN_IF_ERROR(Reorder(consumer, places, derivation));
  ComputeAtStep at{.stage = stage, .target_stage = consumer};
  if (threads) {
    RETURN_IF_ERROR(BindThreadLoops(consumer, places, derivation));
    RETURN_IF_ERROR(BindBlocks(consumer, derivation));
    RETURN_IF_ERROR(
        Append(StoreInStep{.stage = stage, .storage = Storage::kRegister},
               derivation));
    at.target_iterator = 0;
  } else {
    const auto is_outside = [&](const Place& place) {
      return place.rank < static_cast<int>(levels.size());
    };
    const auto outside =
        std::count_if(places.begin(), places.end(), is_outside);
    at.target_iterator = static_cast<int>(outside) - 1;
  }
  return Append(at, derivation);
}

}  // namespace pruner
