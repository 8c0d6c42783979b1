#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "pruner/base/status_macros.h"
#include "pruner/sketch/derivation_steps.h"

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
std::vector<int> NestRanks(const TargetSpec& target, bool binds_threads) {
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
  if (binds_threads) {
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

// How the target's tiles are nested, and whether their loops are bound to
// threads when they are cut.
struct Nest {
  explicit Nest(const TargetSpec& target)
      : levels(target.tiling.levels),
        binds_threads(target.HasThreads()),
        ranks(NestRanks(target, binds_threads)),
        spatial(LevelsOf(target, AxisKind::kSpatial)),
        reduction(LevelsOf(target, AxisKind::kReduction)) {}

  const std::vector<int>& LevelsFor(AxisKind kind) const {
    return kind == AxisKind::kSpatial ? spatial : reduction;
  }
  // Of all but the outermost.
  std::vector<Binding> BindingsOfLengths(AxisKind kind) const {
    const std::vector<int>& of_kind = LevelsFor(kind);
    std::vector<Binding> bindings;
    for (size_t i = 1; i < of_kind.size(); ++i)
      bindings.push_back(levels[of_kind[i]].binding);
    return bindings;
  }

  const std::vector<TileLevel>& levels;
  const bool binds_threads;
  const std::vector<int> ranks;  // by level
  const std::vector<int> spatial;
  const std::vector<int> reduction;
};

// The innermost spatial axis that is cut; -1 if none is.
int VectorAxis(const Stage& stage) {
  int axis = stage.SpatialRank() - 1;
  while (axis >= 0 && stage.axes[axis].extent == 1) --axis;
  return axis;
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
// what registers are indexed by. What is not summed up there is stored in
// vectors, as far as the innermost of these loops can be cut into some; those
// of accumulators LLVM finds by itself.
absl::Status BindThreadLoops(int stage, const std::vector<Place>& places,
                             Derivation& derivation) {
  const Stage& s = derivation.dag().stage(stage);
  bool may_be_vector = !s.HasReduction();
  for (size_t i = places.size(); i-- > 0;) {
    const bool in_registers = places[i].binding == Binding::kRegister &&
                              places[i].kind == AxisKind::kSpatial;
    if (!in_registers) continue;
    const bool is_vector = may_be_vector && places[i].axis == VectorAxis(s);
    RETURN_IF_ERROR(Annotate(
        stage, static_cast<int>(i),
        is_vector ? Annotation::kVectorize : Annotation::kUnroll, derivation));
    may_be_vector &= !is_vector;
  }
  // Inner loops first: fusing moves what is inside.
  RETURN_IF_ERROR(FuseAndBind(stage, places, Binding::kVThread,
                              Annotation::kVThread, derivation));
  return FuseAndBind(stage, places, Binding::kThread, Annotation::kThread,
                     derivation);
}

// Whether an axis is cut, into loops that others stand between. Where the order
// of a reduction may matter only its innermost axis is: the loops of others
// would not keep theirs.
bool IsCut(const Stage& stage, int axis) {
  if (stage.axes[axis].extent <= 1) return false;
  const bool is_reduction = stage.axes[axis].kind == AxisKind::kReduction;
  const bool is_innermost = axis + 1 == static_cast<int>(stage.axes.size());
  return !(stage.ordered && is_reduction) || is_innermost;
}

// What reads the tiles of a split moves its last one inwards.
void LetTilesOverlap(int step, Derivation& derivation) {
  for (Decision& decision : derivation.decisions) {
    if (decision.step == step)
      std::get<LengthsDomain>(decision.domain).may_overlap = true;
  }
}

}  // namespace

absl::Status TileStage(const SketchContext& context, int stage,
                       Derivation& derivation) {
  const Stage& s = derivation.dag().stage(stage);
  const Nest nest(context.target);
  const int vector_axis = VectorAxis(s);
  std::vector<Place> places;
  std::vector<int>& spatial_splits = derivation.spatial_splits[stage];
  for (int axis = 0; axis < static_cast<int>(s.axes.size()); ++axis) {
    const AxisKind kind = s.axes[axis].kind;
    const std::vector<int>& levels = nest.LevelsFor(kind);
    const bool is_split = IsCut(s, axis) && levels.size() > 1;
    if (kind == AxisKind::kSpatial) {
      const int next_step = static_cast<int>(derivation.schedule.steps.size());
      spatial_splits.push_back(is_split ? next_step : -1);
    }
    const int position = static_cast<int>(places.size());
    const size_t loops = is_split ? levels.size() : 1;
    for (size_t i = 0; i < loops; ++i) {
      places.push_back({.rank = nest.ranks[levels[i]],
                        .axis = axis,
                        .binding = nest.levels[levels[i]].binding,
                        .kind = kind});
    }
    if (!is_split) continue;
    RETURN_IF_ERROR(
        AppendTile(context,
                   {.stage = stage,
                    .iterator = position,
                    .lengths = std::vector<int64_t>(levels.size() - 1, 0)},
                   {.is_vector_axis = axis == vector_axis,
                    .bindings = nest.BindingsOfLengths(kind)},
                   derivation));
  }
  RETURN_IF_ERROR(Reorder(stage, places, derivation));
  if (!nest.binds_threads) return absl::OkStatus();
  return BindThreadLoops(stage, places, derivation);
}

absl::Status BindBlocks(const SketchContext& context, int stage,
                        Derivation& derivation) {
  if (!context.target.TileLevelBoundTo(Binding::kBlock))
    return absl::OkStatus();
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
  const Nest nest(context.target);
  const auto& [levels, threads, ranks, spatial, reduction] = nest;
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
    if (tail == Tail::kShiftInwards) LetTilesOverlap(splits[axis], derivation);
  }
  if (!threads && derivation.dag().stage(stage).cached) {
    LeaveLocationOpen(consumer, derivation);
  } else {
    KeepAtRoot(consumer, derivation);
  }
  RETURN_IF_ERROR(Reorder(consumer, places, derivation));
  ComputeAtStep at{.stage = stage, .target_stage = consumer};
  if (threads) {
    RETURN_IF_ERROR(BindThreadLoops(consumer, places, derivation));
    RETURN_IF_ERROR(BindBlocks(context, consumer, derivation));
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
