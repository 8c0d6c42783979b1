#include "models/runtime/tensor_arena.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "models/runtime/aligned_floats.h"

namespace pruner {
namespace {

TEST(TensorArenaTest, TensorsAreZeroAlignedAndApart) {
  TensorArena arena;
  std::vector<absl::Span<float>> tensors;
  // The last ones do not fit into what is left of the memory before.
  for (const size_t size : {1, 15, 16, 17, 1000, 8 << 20, 9 << 20, 3}) {
    tensors.push_back(
        {static_cast<float*>(arena.Allocate(size * sizeof(float))), size});
    EXPECT_EQ(
        reinterpret_cast<uintptr_t>(tensors.back().data()) % kTensorAlignment,
        0u);
    EXPECT_EQ(tensors.back().front(), 0);
    EXPECT_EQ(tensors.back().back(), 0);
  }
  for (size_t i = 0; i < tensors.size(); ++i) {
    tensors[i].front() = static_cast<float>(i);
    tensors[i].back() = static_cast<float>(i);
  }
  TensorArena moved = std::move(arena);
  for (size_t i = 0; i < tensors.size(); ++i) {
    EXPECT_EQ(tensors[i].front(), static_cast<float>(i));
    EXPECT_EQ(tensors[i].back(), static_cast<float>(i));
  }
  EXPECT_EQ(moved.bytes(),
            4 * (1 + 15 + 16 + 17 + 1000 + (8 << 20) + (9 << 20) + 3));
}

}  // namespace
}  // namespace pruner
