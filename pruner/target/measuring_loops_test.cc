#include "pruner/target/measuring_loops.h"

#include <cmath>
#include <vector>

#include "absl/types/span.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

class MeasuringLoopsTest : public ::testing::TestWithParam<VectorIsa> {
 protected:
  void SetUp() override {
    if (GetParam() > WidestVectorIsa()) {
      GTEST_SKIP() << "not an instruction set of this processor";
    }
  }
};

// What the loop must return: every lane of chain i holds 2 + (i - 2) /
// 2^rounds.
float ExpectedSum(int lanes_per_chain, int chains, int rounds) {
  float sum = 0;
  for (int i = 0; i < chains; ++i) {
    const float x = 2.0F + std::ldexp(static_cast<float>(i - 2), -rounds);
    sum += static_cast<float>(lanes_per_chain) * x;
  }
  return sum;
}

TEST_P(MeasuringLoopsTest, FmaLoopComputes) {
  const int lanes =
      static_cast<int>(FmaLoopLanes(GetParam(), FmaChains::kLatency));
  const int chains =
      static_cast<int>(FmaLoopLanes(GetParam(), FmaChains::kThroughput)) /
      lanes;
  EXPECT_GE(chains, 8);
  for (const int rounds : {0, 1, 2, 10, 1000}) {
    EXPECT_FLOAT_EQ(RunFmaLoop(GetParam(), FmaChains::kLatency, rounds),
                    ExpectedSum(lanes, 1, rounds));
    EXPECT_FLOAT_EQ(RunFmaLoop(GetParam(), FmaChains::kThroughput, rounds),
                    ExpectedSum(lanes, chains, rounds));
  }
}

TEST_P(MeasuringLoopsTest, TriadComputes) {
  std::vector<FloatLine> a(3);
  std::vector<FloatLine> b(3);
  std::vector<FloatLine> c(3);
  for (int i = 0; i < 3 * 16; ++i) {
    b[i / 16].values[i % 16] = static_cast<float>(i);
    c[i / 16].values[i % 16] = static_cast<float>(2 * i);
  }
  RunTriadLoop(GetParam(), absl::MakeSpan(a), b, c, 10);
  for (int i = 0; i < 3 * 16; ++i) {
    EXPECT_EQ(a[i / 16].values[i % 16], 21 * i);
  }
}

INSTANTIATE_TEST_SUITE_P(All, MeasuringLoopsTest,
                         ::testing::Values(VectorIsa::kGeneric,
                                           VectorIsa::kAvx2,
                                           VectorIsa::kAvx512));

}  // namespace
}  // namespace pruner
