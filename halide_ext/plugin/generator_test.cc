// A generator that the plugin scheduled, compiled ahead of time; and the
// schedule that Halide wrote for people (`-e schedule`).
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "Halide.h"
#include "HalideBuffer.h"
#include "gtest/gtest.h"
#include "halide_ext/plugin/unsharp_plain.h"
#include "halide_ext/plugin/unsharp_pruner.h"
#include "halide_ext/plugin/unsharp_pruner.schedule.h"

namespace pruner {
namespace {

using Image = Halide::Runtime::Buffer<uint8_t, 2>;

Image Noise(int width, int height) {
  Image image(width, height);
  image.for_each_element([&](int x, int y) {
    image(x, y) = ((x * 7919u + y * 104729u) * 2654435761u) >> 24;
  });
  return image;
}

void ExpectEqual(const Image& a, const Image& b) {
  int different = 0;
  a.for_each_element([&](int x, int y) { different += a(x, y) != b(x, y); });
  EXPECT_EQ(different, 0) << a.width() << "x" << a.height();
}

const std::vector<std::pair<int, int>> kSizes = {
    {1536, 1024}, {1, 1}, {13, 5}, {3000, 7}};

TEST(GeneratorTest, ComputesTheSameAheadOfTime) {
  for (const auto& [width, height] : kSizes) {
    Image input = Noise(width, height);
    Image expected(width, height), actual(width, height);
    ASSERT_EQ(unsharp_plain(input, 0.8f, expected), 0);
    ASSERT_EQ(unsharp_pruner(input, 0.8f, actual), 0);
    ExpectEqual(actual, expected);
  }
}

TEST(GeneratorTest, TheScheduleThatIsWrittenIsTheSame) {
  const Halide::Target target = Halide::get_host_target();
  const Halide::GeneratorContext context(target);
  const auto generator =
      Halide::Internal::GeneratorRegistry::create("unsharp", context);
  ASSERT_NE(generator, nullptr);
  Halide::Pipeline pipeline = generator->build_pipeline();
  apply_schedule_unsharp_pruner(pipeline, target);
  Halide::Callable sharpen =
      pipeline.compile_to_callable(pipeline.infer_arguments(), target);
  for (const auto& [width, height] : kSizes) {
    Image input = Noise(width, height);
    Image expected(width, height), actual(width, height);
    ASSERT_EQ(unsharp_plain(input, 2.0f, expected), 0);
    ASSERT_EQ(sharpen(input, 2.0f, actual), 0);
    ExpectEqual(actual, expected);
  }
}

}  // namespace
}  // namespace pruner
