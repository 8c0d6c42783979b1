// Pipelines compiled ahead of time, each by a generator with an autoscheduler
// plugin: ours and one of Halide's.
#include "HalideBuffer.h"
#include "gtest/gtest.h"
#include "third_party/tests/matmul_adams.h"
#include "third_party/tests/matmul_toy.h"

namespace {

using Matmul = int (*)(halide_buffer_t*, halide_buffer_t*, halide_buffer_t*);

class HalideLibraryTest : public testing::TestWithParam<Matmul> {};

TEST_P(HalideLibraryTest, MultipliesByIdentity) {
  constexpr int kSize = 20;
  Halide::Runtime::Buffer<float, 2> a(kSize, kSize), b(kSize, kSize),
      c(kSize, kSize);
  a.for_each_element([&](int x, int y) { a(x, y) = x + 100 * y; });
  b.for_each_element([&](int x, int y) { b(x, y) = x == y; });
  ASSERT_EQ(GetParam()(a, b, c), 0);
  c.for_each_element([&](int x, int y) { EXPECT_EQ(c(x, y), a(x, y)); });
}

INSTANTIATE_TEST_SUITE_P(Schedulers, HalideLibraryTest,
                         testing::Values(matmul_toy, matmul_adams));

}  // namespace
