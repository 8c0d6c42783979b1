#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "pruner/base/status_macros.h"
#include "pruner/sketch/derivation_steps.h"
#include "pruner/sketch/rules.h"

namespace pruner {
namespace {

// The loop of a tiled reader inside which the threads of a block can share
// what they read: the innermost of the reduction loops around the threads.
std::optional<int> SharingLoop(const StageState& reader) {
  std::optional<int> loop;
  for (int i = 0; i < static_cast<int>(reader.iterators.size()); ++i) {
    if (reader.iterators[i].annotation == Annotation::kThread) return loop;
    if (reader.iterators[i].kind == AxisKind::kReduction) loop = i;
  }
  return std::nullopt;
}

// Readers whose threads accumulate in registers, and read the stage itself.
std::vector<int> SharingReaders(const Derivation& from) {
  std::vector<int> readers;
  for (int reader : from.dag().consumers(from.stage)) {
    const StageState& state = from.state.stages[reader];
    if (from.spatial_splits.contains(reader) &&
        state.storage == Storage::kRegister && SharingLoop(state) &&
        !from.dag().stage(reader).InitializationReads(from.stage)) {
      readers.push_back(reader);
    }
  }
  return readers;
}

// The position among a spatial split's lengths of the target's thread level.
int ThreadLength(const TargetSpec& target) {
  int length = -1;  // the outermost level has none
  for (const TileLevel& level : target.tiling.levels) {
    if (level.binding == Binding::kThread) break;
    length += level.axis == TileAxis::kSpatial;
  }
  return length;
}

// Has the threads of a block copy what they all read of an input or a stage to
// memory that they share, a chunk of the reduction at a time.
class CacheRead : public SketchRule {
 public:
  absl::string_view Name() const override { return "cache_read"; }
  bool DecidesInputs() const override { return true; }

  RuleMatch Match(const SketchContext& context,
                  const Derivation& from) const override {
    const Stage& stage = from.dag().stage(from.stage);
    const bool can = context.target.limits.shared_bytes_per_block > 0 &&
                     !stage.opaque && !stage.shape.empty();
    return can && !SharingReaders(from).empty() ? RuleMatch::kApplyAndSkipRest
                                                : RuleMatch::kNo;
  }

  // Goes on with the stage itself, which only the copies read now.
  absl::StatusOr<std::vector<Derivation>> Apply(
      const SketchContext& context, const Derivation& from) const override {
    Derivation next = from;
    int inserted = 0;
    for (int reader : SharingReaders(from)) {
      reader += inserted++;
      RETURN_IF_ERROR(Append(
          CacheReadStep{.stage = from.stage, .readers = {reader}}, next));
      RETURN_IF_ERROR(Share(context, from.stage + 1, reader + 1, next));
    }
    return std::vector<Derivation>{next};
  }

 private:
  // Computes the copy `stage` in the reader's loop, by all its threads.
  static absl::Status Share(const SketchContext& context, int stage, int reader,
                            Derivation& derivation) {
    const int loop = *SharingLoop(derivation.state.stages[reader]);
    RETURN_IF_ERROR(Append(
        ComputeAtStep{
            .stage = stage, .target_stage = reader, .target_iterator = loop},
        derivation));
    RETURN_IF_ERROR(Append(
        StoreInStep{.stage = stage, .storage = Storage::kShared}, derivation));
    const int rank = derivation.dag().stage(stage).SpatialRank();
    RETURN_IF_ERROR(FuseLoops(stage, 0, rank, derivation));
    RETURN_IF_ERROR(AppendVectors(stage, 0, derivation));
    FollowFusedSplitStep threads;
    threads.stage = stage;
    threads.level = ThreadLength(context.target);
    for (int step : derivation.spatial_splits.at(reader)) {
      if (step >= 0) threads.source_steps.push_back(step);
    }
    RETURN_IF_ERROR(Append(std::move(threads), derivation));
    RETURN_IF_ERROR(Annotate(stage, 1, Annotation::kThread, derivation));
    return Annotate(stage, 2, Annotation::kVectorize, derivation);
  }
};

}  // namespace

const SketchRule& CacheReadRule() {
  static const CacheRead kRule;
  return kRule;
}

}  // namespace pruner
