// Where stages that no rule placed can be computed (docs/algorithms.md A5.2),
// as values of the decision (Location of candidate.h).
#ifndef PRUNER_SAMPLE_COMPUTE_LOCATION_H_
#define PRUNER_SAMPLE_COMPUTE_LOCATION_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "pruner/schedule/loop_state.h"
#include "pruner/schedule/regions.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/sketch/recomputation.h"

namespace pruner {

// Where a stage can be computed.
struct PossiblePlace {
  int32_t location = 0;
  double elements = 0;  // that are computed, in all
  double held = 0;      // that are stored at a time; 0: inlined
  // In the same loop as something that reads it, and does not sum up.
  bool is_with_reader = false;
};

// Appends the steps that say where the stage is computed.
void AppendPlacing(int stage, int32_t location,
                   std::vector<TransformStep>& steps);

// Goes through the stages from the last to the first, for where a stage can be
// computed depends on where its readers are. Bounds are inferred on the way,
// once for each stage. All functions give the error of bounds that do not fit.
class Placement {
 public:
  // Of a schedule without holes and its loops (ReplayStructure). Both must
  // outlive it; nobody else changes them meanwhile. `slides`: stages may slide
  // over loops.
  Placement(Schedule& schedule, LoopState& state, bool slides = false);

  const Stage& stage(int stage) const { return state_.dag->stage(stage); }

  // Those that follow are for stages before the one that was placed last.

  // At the root, inlined if it can be, and loops of other stages (A5a),
  // outermost first, of the outer stage first.
  absl::StatusOr<std::vector<PossiblePlace>> PlacesOf(int stage);

  // Whether a location that was chosen under other tile sizes or for other
  // stages is one still.
  absl::StatusOr<bool> Fits(int stage, int32_t location);

  // Appends the step that says so, and applies it.
  absl::Status Place(int stage, int32_t location);

 private:
  absl::Status InferBoundsBehind(int stage);
  // Whether another stage is computed in one of its loops.
  bool HoldsOthers(int stage) const;
  bool CanBeInlined(int stage);
  // Where a stage behind the one that is asked about is computed; of one that
  // is inlined, where the first of those that read it is.
  int32_t LocationOf(int stage);
  // Marks those in loops in which readers are computed, too.
  void FindReaders(int stage, std::vector<PossiblePlace>& places);
  // Adds the loops of `target`, up to where a stage computed inside would be
  // computed too often or too deep in the nest. `executions`: of the nest.
  void AddLoops(int stage, int target, double executions,
                std::vector<PossiblePlace>& out);
  PossiblePlace PlaceAt(int stage, int target, int loop, double executions);
  // The same place, the stage sliding over the loop, if it can, and if there
  // are iterations outside of it that cores can share; `outside`: so many.
  std::optional<PossiblePlace> SlideAt(int stage, int target, int loop,
                                       double outside);
  // Of the loop in which the stage would be computed: before the first one, in
  // which it would be computed for that one.
  double EarlyIterations(int stage, int32_t location);
  // How often iterations of the loop are executed.
  double Executions(int at, int loop) const;
  // Elements of a stage behind the one that is asked about: how many are
  // computed, in all; how many of `stage` all that reads it reads.
  double Computed(int stage);
  double ReadsOf(int stage);

  Schedule& schedule_;
  LoopState& state_;
  const bool slides_;
  Regions regions_;
  InlinedReads reads_;
  std::vector<double> computed_;    // by stage; 0: not known yet
  std::vector<int32_t> locations_;  // by stage; kOpen: not known yet
  std::vector<double> early_;       // by stage: EarlyIterations
  // By stage: its outermost loop in which another one is computed.
  std::vector<int> outermost_occupied_;
  int inferred_;  // from this stage on
};

}  // namespace pruner

#endif  // PRUNER_SAMPLE_COMPUTE_LOCATION_H_
