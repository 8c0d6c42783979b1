#include "pruner/program/edge_tiles.h"

#include <algorithm>

namespace pruner {
namespace {

// More tiles than these along an axis have some that are at neither end.
constexpr int64_t kMaxTiles = 64;

int64_t FloorDiv(int64_t a, int64_t b) { return (a >= 0 ? a : a - b + 1) / b; }

// Along one axis.
int64_t TilesAlong(absl::Span<const TileStep> steps, int axis) {
  int64_t tiles = 1;
  for (const TileStep& step : steps) {
    if (step.axis == axis) tiles *= step.extent;
  }
  return tiles;
}

}  // namespace

void EdgeTiles::Reset(const Structure& structure) {
  structure_ = &structure;
  tile_.resize(structure.num_axes);
  regions_.resize(structure.num_member_axes);
  largest_.assign(structure.num_member_axes, 0);
  first_region_.assign(structure.stages.size(), 0);
  begins_.assign(structure.num_axes, 0);
}

void EdgeTiles::Measure(const AttachPoint& point,
                        absl::Span<const TileStep> steps,
                        absl::Span<const int64_t> covered,
                        absl::Span<int64_t> extents) {
  int64_t tiles = 1;
  for (int a = 0; a < structure_->stages[point.stage].num_axes; ++a)
    tiles = std::max(tiles, TilesAlong(steps, a));
  // One that is at no end, if there is one.
  PlaceTile(point, steps, covered, extents, tiles / 2);
  for (int m = 0; m < point.num_members; ++m) {
    const AttachMember& member = structure_->members[point.first_member + m];
    const StageStructure& stage = structure_->stages[member.stage];
    for (int a = 0; member.is_computed_here && a < stage.num_axes; ++a)
      begins_[stage.first_axis + a] = regions_[member.first_extent + a].low;
  }
  const int64_t end = std::min(tiles, kMaxTiles);
  for (int64_t tile = 0; tile < end && !IsDone(point, extents); ++tile)
    PlaceTile(point, steps, covered, extents, tile);
  for (int m = 0; m < point.num_members; ++m) {
    const AttachMember& member = structure_->members[point.first_member + m];
    const StageStructure& stage = structure_->stages[member.stage];
    for (int a = 0; a < stage.rank; ++a) {
      if (!IsMeasured(member, a, extents)) continue;
      int64_t& extent = extents[stage.first_axis + a];
      extent = std::min(extent, largest_[member.first_extent + a]);
    }
  }
}

bool EdgeTiles::IsMeasured(const AttachMember& member, int axis,
                           absl::Span<const int64_t> extents) const {
  const int a = structure_->stages[member.stage].first_axis + axis;
  // What may be all of a dimension is computed whole.
  return member.is_computed_here &&
         structure_->has_edges[member.first_extent + axis] &&
         extents[a] < structure_->dag->stage(member.stage).shape[axis];
}

bool EdgeTiles::IsDone(const AttachPoint& point,
                       absl::Span<const int64_t> extents) const {
  for (int m = 0; m < point.num_members; ++m) {
    const AttachMember& member = structure_->members[point.first_member + m];
    const StageStructure& stage = structure_->stages[member.stage];
    for (int a = 0; a < stage.rank; ++a) {
      if (IsMeasured(member, a, extents) &&
          largest_[member.first_extent + a] < extents[stage.first_axis + a]) {
        return false;
      }
    }
  }
  return true;
}

void EdgeTiles::PlaceTile(const AttachPoint& point,
                          absl::Span<const TileStep> steps,
                          absl::Span<const int64_t> covered,
                          absl::Span<const int64_t> extents, int64_t number) {
  const StageStructure& at = structure_->stages[point.stage];
  for (int a = 0; a < at.num_axes; ++a) {
    int64_t rest = number % TilesAlong(steps, a);
    int64_t offset = 0;
    const int64_t extent = extents[at.first_axis + a];
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
      if (step->axis != a) continue;
      offset += rest % step->extent * step->stride;
      rest /= step->extent;
      if (step->shifts) offset = std::min(offset, extent - covered[a]);
    }
    const int64_t begin = begins_[at.first_axis + a];
    tile_[a].low = begin + std::min(offset, extent - 1);
    tile_[a].high = begin + std::min(offset + covered[a], extent) - 1;
  }
  for (int m = 0; m < point.num_members; ++m)
    PlaceMember(structure_->members[point.first_member + m], point);
}

void EdgeTiles::PlaceMember(const AttachMember& member,
                            const AttachPoint& point) {
  const StageStructure& stage = structure_->stages[member.stage];
  const Stage& s = structure_->dag->stage(member.stage);
  first_region_[member.stage] = member.first_extent;
  for (int a = 0; a < stage.num_axes; ++a) {
    Interval region = {.low = 0, .high = s.axes[a].extent - 1};
    bool is_first = true;
    for (const ReadBy& read : structure_->read_by[member.stage]) {
      if (a >= stage.rank) break;
      const IndexExpr& index = read.access->indices[a];
      const Interval* const reader =
          read.reader == point.stage ? tile_.data()
                                     : &regions_[first_region_[read.reader]];
      Interval here = {.low = index.constant, .high = index.constant};
      for (const IndexTerm& term : index.terms) {
        const int64_t first = term.coefficient * reader[term.axis].low;
        const int64_t last = term.coefficient * reader[term.axis].high;
        here.low += std::min(first, last);
        here.high += std::max(first, last);
      }
      here.low = FloorDiv(here.low, index.divisor);
      here.high = FloorDiv(here.high, index.divisor);
      const int64_t end = index.modulus != 0 ? index.modulus : s.shape[a];
      if (index.opaque || index.modulus != 0)
        here = {.low = 0, .high = end - 1};
      if (index.clamped) {
        here.low = std::clamp<int64_t>(here.low, 0, end - 1);
        here.high = std::clamp<int64_t>(here.high, 0, end - 1);
      }
      region.low = is_first ? here.low : std::min(region.low, here.low);
      region.high = is_first ? here.high : std::max(region.high, here.high);
      is_first = false;
    }
    regions_[member.first_extent + a] = region;
    int64_t& largest = largest_[member.first_extent + a];
    largest = std::max(largest, region.high - region.low + 1);
  }
}

}  // namespace pruner
