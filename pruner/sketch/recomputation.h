// How often a stage is computed anew where it is not stored whole.
#ifndef PRUNER_SKETCH_RECOMPUTATION_H_
#define PRUNER_SKETCH_RECOMPUTATION_H_

#include <cstdint>
#include <vector>

#include "pruner/schedule/loop_state.h"

namespace pruner {

// Reads through stages that are inlined, each stage counted once: there are 2^n
// ways through n sums of a stage and a function of it. Ask about stages from
// the last to the first; those behind the one that is asked about must be where
// they are computed, and stay so.
class InlinedReads {
 public:
  // `state` must outlive it.
  explicit InlinedReads(const LoopState& state);

  // The most elements of `stage` that an element of a stored reader needs.
  int64_t PerElement(int stage);

  // All elements of `stage` that its readers evaluate if it is inlined;
  // reductions count as if they read once.
  int64_t Evaluated(int stage);

  // Reads of stored stages for an element of `stage`.
  int64_t OfStored(int stage);

 private:
  bool IsInlined(int stage) const {
    return state_.stages[stage].location == ComputeLocation::kInlined;
  }

  const LoopState& state_;
  // By stage, of those from next_ on.
  std::vector<int64_t> per_element_, evaluated_;
  int next_;
  std::vector<int64_t> of_stored_;  // by stage; empty until it is asked for
};

// Whether the stage is a stencil, reduction or packed copy (`is_packed`). Other
// stages cost little wherever they are computed.
bool IsCostly(const Stage& stage, bool is_packed);

// Whether one that is costly, of which so many elements are computed, had
// better be stored.
bool IsRecomputedTooOften(const Stage& stage, bool is_packed, double elements);

}  // namespace pruner

#endif  // PRUNER_SKETCH_RECOMPUTATION_H_
