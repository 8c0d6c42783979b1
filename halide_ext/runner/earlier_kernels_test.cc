#include "halide_ext/runner/earlier_kernels.h"

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "halide_ext/build/kernel_argument.h"
#include "halide_ext/build/kernel_threads.h"

namespace pruner {
namespace {

TEST(EarlierKernelsTest, WhatTensorsHoldStays) {
  SetKernelThreads(3);
  // Not a whole number of lines.
  constexpr int64_t kSize = 100'003;
  const KernelArgument argument = {.name = "t", .shape = {kSize}, .min = {0}};
  alignas(64) static float memory[2][kSize];
  std::vector<KernelTensor> tensors;
  for (int t = 0; t < 2; ++t) {
    for (int64_t i = 0; i < kSize; ++i)
      memory[t][i] = static_cast<float>(i + t);
    tensors.emplace_back(argument, memory[t]);
  }
  EXPECT_EQ(tensors[0].bytes(), kSize * sizeof(float));
  LeaveAsEarlierKernels({&tensors[0]}, {&tensors[1]});
  LeaveAsEarlierKernels({}, {&tensors[1]});
  LeaveAsEarlierKernels({&tensors[0]}, {});
  LeaveAsEarlierKernels({}, {});
  for (int t = 0; t < 2; ++t) {
    for (int64_t i = 0; i < kSize; ++i)
      ASSERT_EQ(memory[t][i], static_cast<float>(i + t)) << t << " " << i;
  }
}

}  // namespace
}  // namespace pruner
