#include "models/operators/reference_loops.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

// Rounded as one product after the other is, to the bit.
TEST(AddProductsTest, AreTheSameWhicheverRowsAreTakenTogether) {
  constexpr int64_t kStride = 700;
  for (const int64_t rows : {1, 3, 8}) {
    for (const int64_t inner : {1, 4, 7}) {
      for (const int64_t outer : {1, 31, 600}) {
        std::vector<double> input(rows * inner), weights(inner * kStride);
        for (size_t i = 0; i < input.size(); ++i)
          input[i] = 1.0 / static_cast<double>(i + 3);
        for (size_t i = 0; i < weights.size(); ++i)
          weights[i] = 1.0 / static_cast<double>(i % 97 + 7);
        std::vector<double> sums(rows * outer, 0.1), expected = sums;
        std::vector<ProductRow> together;
        for (int64_t r = 0; r < rows; ++r) {
          together.push_back(
              {.input = &input[r * inner], .sums = &sums[r * outer]});
          for (int64_t o = 0; o < outer; ++o) {
            for (int64_t c = 0; c < inner; ++c)
              expected[r * outer + o] +=
                  input[r * inner + c] * weights[c * kStride + o];
          }
        }
        AddProducts(together, weights.data(), inner, outer, kStride);
        EXPECT_EQ(sums, expected) << rows << " " << inner << " " << outer;
      }
    }
  }
}

}  // namespace
}  // namespace pruner
