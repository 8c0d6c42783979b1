// Pipelines of Resize.
#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "models/graph/graph_builder.h"
#include "models/ops/testing.h"
#include "pruner/base/rng.h"

namespace pruner {
namespace {

// Of some dimensions, up or down.
Resize RandomResize(Rng& rng, const Shape& shape) {
  Resize op;
  for (const int64_t extent : shape) {
    const int64_t size = rng.Chance(0.4) ? extent : rng.Uniform(1, 9);
    op.sizes.push_back(size);
    op.scales.push_back(static_cast<double>(size) /
                        static_cast<double>(extent));
  }
  return op;
}

TEST(ResizePipelineTest, AllCoordinates) {
  Rng rng(1);
  for (const std::string coordinates :
       {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel",
        "align_corners", "asymmetric", "tf_crop_and_resize"}) {
    for (const std::string mode : {"nearest", "linear", "cubic"}) {
      Shape shape(rng.Uniform(0, 4));
      for (int64_t& extent : shape) extent = rng.Uniform(1, 7);
      Resize op = RandomResize(rng, shape);
      op.mode = mode;
      op.coordinates = coordinates;
      op.exclude_outside = rng.Chance(0.5);
      op.extrapolation_value = 0.5;
      if (coordinates == "tf_crop_and_resize") {
        for (size_t d = 0; d < 2 * shape.size(); ++d)
          op.roi.push_back(d < shape.size() ? -0.1 : 1.2);
      }
      ExpectOperatorComputes(op, {{shape}});
    }
  }
}

TEST(ResizePipelineTest, NearestModesWithTies) {
  for (const std::string mode :
       {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"}) {
    for (const std::string coordinates : {"half_pixel", "asymmetric"}) {
      for (const int64_t size : {3, 7, 14, 20, 21}) {
        ExpectOperatorComputes(
            Resize{.sizes = {1, size, 2},
                   .scales = {1, static_cast<double>(size) / 7, 1},
                   .coordinates = coordinates,
                   .nearest_mode = mode},
            {{{1, 7, 2}}});
      }
    }
  }
}

TEST(ResizePipelineTest, Images) {
  for (const std::string mode : {"nearest", "linear", "cubic"}) {
    ExpectOperatorComputes(
        Resize{.mode = mode, .sizes = {1, 3, 18, 20}, .scales = {1, 1, 2, 2}},
        {{{1, 3, 9, 10}}});
    ExpectOperatorComputes(
        Resize{.mode = mode, .sizes = {1, 6, 7, 8}, .scales = {1, .5, .5, 1}},
        {{{1, 12, 14, 8}}});
  }
}

}  // namespace
}  // namespace pruner
