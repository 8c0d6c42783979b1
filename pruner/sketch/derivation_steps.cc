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
  int level = 0;  // position in the tile structure
  int axis = 0;
};

// Sorts loops, given in their current order, by level and then axis.
absl::Status Reorder(int stage, const std::vector<Place>& places,
                     Derivation& derivation) {
  std::vector<int64_t> order(places.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int64_t>(i);
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return std::tie(places[a].level, places[a].axis) <
           std::tie(places[b].level, places[b].axis);
  });
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
  std::vector<Place> places;
  std::vector<int>& spatial_splits = derivation.spatial_splits[stage];
  for (size_t axis = 0; axis < s.axes.size(); ++axis) {
    const std::vector<int> levels = LevelsOf(context.target, s.axes[axis].kind);
    const bool is_split = s.axes[axis].extent > 1 && levels.size() > 1;
    if (s.axes[axis].kind == AxisKind::kSpatial) {
      const int next_step = static_cast<int>(derivation.schedule.steps.size());
      spatial_splits.push_back(is_split ? next_step : -1);
    }
    const int position = static_cast<int>(places.size());
    const size_t loops = is_split ? levels.size() : 1;
    for (size_t i = 0; i < loops; ++i) {
      places.push_back({.level = levels[i], .axis = static_cast<int>(axis)});
    }
    if (!is_split) continue;
    RETURN_IF_ERROR(
        Append(SplitStep{.stage = stage,
                         .iterator = position,
                         .lengths = std::vector<int64_t>(levels.size() - 1, 0)},
               derivation));
  }
  return Reorder(stage, places, derivation);
}

absl::Status FuseIntoConsumer(int stage, int consumer, int level,
                              Derivation& derivation) {
  const std::vector<int> splits = derivation.spatial_splits.at(stage);
  std::vector<Place> places;
  for (size_t axis = 0; axis < splits.size(); ++axis) {
    const int position = static_cast<int>(places.size());
    const int loops = splits[axis] < 0 ? 1 : level + 1;
    for (int i = 0; i < loops; ++i) {
      places.push_back({.level = i, .axis = static_cast<int>(axis)});
    }
    if (splits[axis] < 0) continue;
    // A tile that does not fit in is moved back until it does: all tiles are
    // then whole, and so is what is computed inside.
    RETURN_IF_ERROR(Append(FollowSplitStep{.stage = consumer,
                                           .iterator = position,
                                           .source_step = splits[axis],
                                           .levels = level + 1,
                                           .tail = Tail::kShiftInwards},
                           derivation));
  }
  const auto outside =
      std::count_if(places.begin(), places.end(),
                    [&](const Place& place) { return place.level < level; });
  RETURN_IF_ERROR(Reorder(consumer, places, derivation));
  return Append(ComputeAtStep{.stage = stage,
                              .target_stage = consumer,
                              .target_iterator = static_cast<int>(outside) - 1},
                derivation);
}

}  // namespace pruner
