#include "pruner/sample/shared_copies.h"

#include <algorithm>
#include <variant>

#include "pruner/schedule/infer_bounds.h"

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

std::vector<int64_t> SharedCopies::Covered(int reader,
                                           const std::vector<SplitInfo>& splits,
                                           const Schedule& schedule) const {
  std::vector<int64_t> covered = fixed_.at(reader);
  for (const SplitInfo& split : splits) {
    const auto* step = std::get_if<SplitStep>(&schedule.steps[split.step]);
    if (split.stage != reader || step == nullptr) continue;
    int64_t tile = 1;
    for (int64_t length : step->lengths) tile *= std::max<int64_t>(1, length);
    covered[split.axis] = std::min(split.extent, tile);
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

int64_t SharedCopies::LargestTile(const std::vector<SplitInfo>& splits,
                                  size_t which, const Schedule& schedule,
                                  int64_t largest, int64_t max_bytes) const {
  const SplitInfo& split = splits[which];
  if (!fixed_.contains(split.stage)) return largest;
  std::vector<int64_t> covered = Covered(split.stage, splits, schedule);
  const auto fits = [&](int64_t tile) {
    covered[split.axis] = tile;
    return Bytes(split.stage, covered) <= max_bytes;
  };
  if (fits(largest)) return largest;
  int64_t fitting = 0, too_long = largest;
  while (too_long - fitting > 1) {
    const int64_t tile = fitting + (too_long - fitting) / 2;
    (fits(tile) ? fitting : too_long) = tile;
  }
  return fitting;
}

int64_t SharedCopies::RowLength(int stage, const std::vector<SplitInfo>& splits,
                                const Schedule& schedule) const {
  for (const Copy& copy : copies_) {
    if (copy.stage != stage) continue;
    return ReadExtents(*dag_, stage, copy.reader,
                       Covered(copy.reader, splits, schedule))
        .back();
  }
  return 0;
}

}  // namespace pruner
