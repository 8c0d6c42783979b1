#include "examples/blur.h"

namespace pruner {

Halide::Pipeline BlurPipeline(int width, int height) {
  Halide::ImageParam image(Halide::Float(32), 2, "image");
  image.dim(0).set_bounds(0, width + 2);
  image.dim(1).set_bounds(0, height + 2);
  Halide::Var x("x"), y("y");
  Halide::Func rows("rows"), blurred("blurred");
  rows(x, y) = (image(x, y) + 2 * image(x + 1, y) + image(x + 2, y)) * 0.25f;
  blurred(x, y) = (rows(x, y) + 2 * rows(x, y + 1) + rows(x, y + 2)) * 0.25f;
  blurred.bound(x, 0, width).bound(y, 0, height);
  return blurred;
}

}  // namespace pruner
