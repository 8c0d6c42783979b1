// Along which of its dimensions a stage can slide over a loop
// (docs/algorithms.md A5.2).
#ifndef PRUNER_SCHEDULE_SLIDE_FORM_H_
#define PRUNER_SCHEDULE_SLIDE_FORM_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "pruner/dag/compute_dag.h"
#include "pruner/schedule/linear_form.h"

namespace pruner {

struct SlideForm {
  // The one that moves on with the loop; -1: none does, or it is not known how
  // all of them move.
  int dimension = -1;
  int64_t factor = 0;  // elements for each step of the loop's axis
  // The other axes of the loop's stage that other dimensions move with, as
  // bits.
  uint64_t other_axes = 0;
};

// Whether loops of `at` are any that the stage may slide over: of a pure stage
// at the root.
bool MaySlideOver(const Stage& stage, const Stage& at, bool is_at_root);

// Of a loop that moves axis `axis` alone. `form_of`: where what is needed of
// the stage begins along a dimension. The `num_axes` axes of the loop's stage
// are the things from `first_axis` on.
SlideForm FindSlideForm(const Stage& stage,
                        absl::FunctionRef<LinearForm(int dimension)> form_of,
                        int first_axis, int num_axes, int axis);

}  // namespace pruner

#endif  // PRUNER_SCHEDULE_SLIDE_FORM_H_
