// A generator that others wrote: lesson 21 of Halide's tutorial, Harris corners
// with two outputs and a number. Its own schedule beside the plugin's.
#include <cmath>
#include <cstdint>

#include "HalideBuffer.h"
#include "gtest/gtest.h"
#include "halide_ext/plugin/tutorial_plain.h"
#include "halide_ext/plugin/tutorial_pruner.h"

namespace pruner {
namespace {

using Halide::Runtime::Buffer;

Buffer<float, 3> Image(int width, int height) {
  Buffer<float, 3> image(width, height, 3);
  image.for_each_element([&](int x, int y, int c) {
    const uint32_t bits = (x * 7919u + y * 104729u + c) * 2654435761u;
    image(x, y, c) = static_cast<float>(bits >> 24) / 255;
  });
  return image;
}

TEST(TutorialTest, ThePluginsScheduleComputesTheSame) {
  for (const auto& [width, height] :
       {std::pair{1024, 1024}, {1, 1}, {333, 77}}) {
    SCOPED_TRACE(testing::Message() << width << "x" << height);
    Buffer<float, 3> image = Image(width, height);
    Buffer<float, 2> first(width, height), second(width, height);
    Buffer<float, 2> tuned_first(width, height), tuned_second(width, height);
    ASSERT_EQ(tutorial_plain(image, 3.0f, first, second), 0);
    ASSERT_EQ(tutorial_pruner(image, 3.0f, tuned_first, tuned_second), 0);
    double error = 0;
    first.for_each_element([&](int x, int y) {
      error = std::fmax(error, std::abs(first(x, y) - tuned_first(x, y)));
      error = std::fmax(error, std::abs(second(x, y) - tuned_second(x, y)));
    });
    EXPECT_LT(error, 1e-5);
  }
}

}  // namespace
}  // namespace pruner
