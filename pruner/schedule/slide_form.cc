#include "pruner/schedule/slide_form.h"

namespace pruner {

bool MaySlideOver(const Stage& stage, const Stage& at, bool is_at_root) {
  return is_at_root && stage.IsSlidable() && !at.IsInitialized();
}

SlideForm FindSlideForm(const Stage& stage,
                        absl::FunctionRef<LinearForm(int dimension)> form_of,
                        int first_axis, int num_axes, int axis) {
  SlideForm slide;
  constexpr int kBits = 64;
  if (num_axes > kBits) return slide;
  for (int d = 0; d < stage.SpatialRank(); ++d) {
    const LinearForm form = form_of(d);
    if (!form.IsWholeOf(first_axis, first_axis + num_axes)) return {};
    const int64_t factor = form.TimesOf(first_axis + axis);
    if (factor < 0 || (factor > 0 && slide.dimension >= 0)) return {};
    if (factor > 0) {
      slide.dimension = d;
      slide.factor = factor;
      continue;
    }
    for (int other = 0; other < num_axes; ++other) {
      if (form.TimesOf(first_axis + other) != 0)
        slide.other_axes |= uint64_t{1} << other;
    }
  }
  return slide;
}

}  // namespace pruner
