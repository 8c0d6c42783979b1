#include "pruner/sample/shared_copies.h"

#include <algorithm>

#include "pruner/schedule/regions.h"
#include "pruner/sketch/candidate.h"

namespace pruner {
namespace {

// What loops inside of loop `outer` cover of each axis, as far as it is known.
std::vector<int64_t> CoveredInside(const StageState& stage, int outer) {
  std::vector<int64_t> covered(stage.axis_extents.size(), 1);
  for (size_t i = outer + 1; i < stage.iterators.size(); ++i) {
    for (const LoopPart& part : stage.iterators[i].parts) {
      if (part.extent > 0)
        covered[part.axis] += (part.extent - 1) * part.stride;
    }
  }
  return covered;
}

}  // namespace

SharedCopies::SharedCopies(const LoopState& structure) : dag_(structure.dag) {
  for (int i = 0; i < structure.dag->size(); ++i) {
    const StageState& stage = structure.stages[i];
    const std::vector<int>& readers = structure.dag->consumers(i);
    const bool is_copy = stage.storage == Storage::kShared &&
                         stage.location == ComputeLocation::kAt &&
                         readers == std::vector<int>{stage.at_stage};
    if (!is_copy) continue;
    copies_.push_back({.stage = i, .reader = stage.at_stage});
    fixed_[stage.at_stage] =
        CoveredInside(structure.stages[stage.at_stage], stage.at_iterator);
  }
}

std::vector<int64_t> SharedCopies::Covered(
    int reader, absl::Span<const Decision> decisions,
    absl::Span<const int32_t> values) const {
  std::vector<int64_t> covered = fixed_.at(reader);
  for (const Decision& decision : decisions) {
    if (decision.stage != reader || decision.kind != DecisionKind::kTile)
      continue;
    int64_t tile = 1;
    for (const int32_t length : ValuesOf(decision, values))
      tile *= std::max<int64_t>(1, length);
    covered[decision.axis] = std::min(decision.lengths().extent, tile);
  }
  return covered;
}

int64_t SharedCopies::Bytes(int reader,
                            const std::vector<int64_t>& covered) const {
  int64_t bytes = 0;
  for (const Copy& copy : copies_) {
    if (copy.reader != reader) continue;
    int64_t size = dag_->stage(copy.stage).ElementBytes();
    for (int64_t extent : ReadExtents(*dag_, copy.stage, reader, covered))
      size *= extent;
    bytes += size;
  }
  return bytes;
}

int64_t SharedCopies::LargestTile(absl::Span<const Decision> decisions,
                                  size_t which,
                                  absl::Span<const int32_t> values,
                                  int64_t largest, int64_t max_bytes) const {
  const Decision& decision = decisions[which];
  if (!fixed_.contains(decision.stage)) return largest;
  std::vector<int64_t> covered = Covered(decision.stage, decisions, values);
  const auto fits = [&](int64_t tile) {
    covered[decision.axis] = tile;
    return Bytes(decision.stage, covered) <= max_bytes;
  };
  if (fits(largest)) return largest;
  int64_t fitting = 0, too_long = largest;
  while (too_long - fitting > 1) {
    const int64_t tile = fitting + (too_long - fitting) / 2;
    (fits(tile) ? fitting : too_long) = tile;
  }
  return fitting;
}

int64_t SharedCopies::RowLength(int stage, absl::Span<const Decision> decisions,
                                absl::Span<const int32_t> values) const {
  for (const Copy& copy : copies_) {
    if (copy.stage != stage) continue;
    return ReadExtents(*dag_, stage, copy.reader,
                       Covered(copy.reader, decisions, values))
        .back();
  }
  return 0;
}

}  // namespace pruner
