#include "pruner/base/rng.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAreArray;

std::vector<uint64_t> Draw(Rng rng, int n) {
  std::vector<uint64_t> drawn(n);
  for (uint64_t& number : drawn) number = rng.Next();
  return drawn;
}

// The numbers of these golden tests are part of the contract: logs are
// reproduced from seeds. The first come from an independent implementation of
// xoshiro256++.
TEST(RngTest, NextIsXoshiro256PlusPlus) {
  EXPECT_THAT(Draw(Rng(0), 4),
              ElementsAre(0x53175d61490b23df, 0x61da6f3dc380d507,
                          0x5c0fdf91ec9a7bfc, 0x02eebf8c3bbe5e1a));
  EXPECT_THAT(Draw(Rng(42), 4),
              ElementsAre(0xd0764d4f4476689f, 0x519e4174576f3791,
                          0xfbe07cfb0c24ed8c, 0xb37d9f600cd835b8));
  EXPECT_THAT(Draw(Rng(42).Fork(0), 1), ElementsAre(0xeac6ce13a2a07ede));
  EXPECT_THAT(Draw(Rng(42).Fork(1), 1), ElementsAre(0xcd075ff87b8e7d17));
  EXPECT_THAT(Draw(Rng(42).Fork(7), 1), ElementsAre(0x6ee0cc321f0e5a23));
}

TEST(RngTest, DistributionsNeverChange) {
  Rng rng(7);
  std::vector<int64_t> dice(8);
  for (int64_t& die : dice) die = rng.Uniform(1, 6);
  EXPECT_THAT(dice, ElementsAre(1, 2, 5, 3, 6, 3, 5, 2));
  EXPECT_EQ(rng.Real(), 0x1.f6f2fe9a27380p-1);
  EXPECT_EQ(rng.WeightedIndex({1.0, 2.0, 3.0}), 0);
  std::vector<int> order = {0, 1, 2, 3, 4, 5, 6, 7};
  rng.Shuffle(order);
  EXPECT_THAT(order, ElementsAre(3, 2, 5, 6, 7, 4, 1, 0));
}

TEST(RngTest, UniformReachesBothEndsAndNothingBeyond) {
  Rng rng(1);
  std::set<int64_t> seen;
  for (int i = 0; i < 200; ++i) seen.insert(rng.Uniform(-2, 3));
  EXPECT_THAT(seen, ElementsAre(-2, -1, 0, 1, 2, 3));
  EXPECT_EQ(rng.Uniform(5, 5), 5);
}

TEST(RngTest, UniformSpansAllIntegers) {
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  Rng rng(1);
  int negative = 0;
  for (int i = 0; i < 1000; ++i) negative += rng.Uniform(kMin, kMax) < 0;
  EXPECT_NEAR(negative, 500, 80);
  EXPECT_EQ(rng.Uniform(kMax, kMax), kMax);
  EXPECT_EQ(rng.Uniform(kMin, kMin), kMin);
}

// Taking Next() modulo 3 * 2^62 would make the lower third twice as likely.
TEST(RngTest, UniformHasNoBiasForHugeRanges) {
  Rng rng(3);
  constexpr int64_t kThird = int64_t{1} << 62;
  int low = 0;
  for (int i = 0; i < 3000; ++i)
    low += rng.Uniform(-kThird, 2 * (kThird - 1) + 1) < 0;
  EXPECT_NEAR(low, 1000, 130);
}

TEST(RngTest, IndexIsUniform) {
  Rng rng(5);
  std::array<int, 7> count = {};
  for (int i = 0; i < 70000; ++i) ++count[rng.Index(count.size())];
  double chi_square = 0;
  for (const int c : count)
    chi_square += (c - 10000.0) * (c - 10000.0) / 10000.0;
  EXPECT_LT(chi_square, 22.5);  // 6 degrees of freedom, p = 0.001
}

TEST(RngTest, RealLiesInTheUnitInterval) {
  Rng rng(5);
  double sum = 0, smallest = 1, largest = 0;
  for (int i = 0; i < 10000; ++i) {
    const double real = rng.Real();
    sum += real;
    smallest = std::min(smallest, real);
    largest = std::max(largest, real);
  }
  EXPECT_GE(smallest, 0);
  EXPECT_LT(smallest, 0.001);
  EXPECT_LT(largest, 1);
  EXPECT_GT(largest, 0.999);
  EXPECT_NEAR(sum / 10000, 0.5, 0.01);
}

TEST(RngTest, ChanceHonoursItsProbability) {
  Rng rng(5);
  int hits = 0;
  for (int i = 0; i < 10000; ++i) {
    hits += rng.Chance(0.3);
    EXPECT_FALSE(rng.Chance(0));
    EXPECT_FALSE(rng.Chance(-1));
    EXPECT_TRUE(rng.Chance(1));
    EXPECT_TRUE(rng.Chance(2));
  }
  EXPECT_NEAR(hits, 3000, 150);
}

TEST(RngTest, WeightedIndexFollowsTheWeights) {
  Rng rng(5);
  std::array<int, 5> count = {};
  for (int i = 0; i < 10000; ++i) {
    ++count[rng.WeightedIndex({0.0, 1.0, 0.0, 3.0, 0.0})];
  }
  EXPECT_EQ(count[0] + count[2] + count[4], 0);
  EXPECT_NEAR(count[3], 7500, 150);
}

TEST(RngDeathTest, RefusesWhatHasNoAnswer) {
  Rng rng(5);
  EXPECT_DEATH(rng.Uniform(1, 0), "lo <= hi");
  EXPECT_DEATH(rng.Index(0), "n > 0");
  EXPECT_DEATH(rng.WeightedIndex({0.0, 0.0}), "total > 0");
  EXPECT_DEATH(rng.WeightedIndex({1.0, -1.0}), "weight >= 0");
}

TEST(RngTest, ShuffleKeepsTheElementsAndReachesEveryOrder) {
  Rng rng(9);
  std::set<std::string> orders;
  for (int i = 0; i < 300; ++i) {
    std::string letters = "abcd";
    rng.Shuffle(letters);
    EXPECT_THAT(letters, UnorderedElementsAreArray("abcd", 4));
    orders.insert(letters);
  }
  EXPECT_EQ(orders.size(), 24);
  std::vector<int> none;
  rng.Shuffle(none);
  EXPECT_TRUE(none.empty());
}

TEST(RngTest, PickReachesEveryElement) {
  Rng rng(9);
  const std::vector<std::string> names = {"x", "y", "z"};
  std::set<std::string> seen;
  for (int i = 0; i < 50; ++i) seen.insert(rng.Pick(names));
  EXPECT_THAT(seen, ElementsAre("x", "y", "z"));
}

TEST(RngTest, ForkDependsOnSeedAndStreamOnly) {
  const Rng fresh(11);
  Rng used(11);
  used.Next();
  used.Shuffle(*std::make_unique<std::vector<int>>(10));
  EXPECT_EQ(Draw(fresh.Fork(3), 5), Draw(used.Fork(3), 5));

  Rng forked(11);
  forked.Fork(1);
  EXPECT_EQ(Draw(fresh, 5), Draw(forked, 5));
}

TEST(RngTest, ForksOfNeighbouringSeedsAndStreamsDiffer) {
  std::set<uint64_t> first;
  for (uint64_t seed = 0; seed < 64; ++seed) {
    first.insert(Rng(seed).Next());
    for (uint64_t stream = 0; stream < 64; ++stream) {
      first.insert(Rng(seed).Fork(stream).Next());
    }
  }
  EXPECT_EQ(first.size(), 64 * 65);
  EXPECT_NE(Draw(Rng(1).Fork(2).Fork(3), 1), Draw(Rng(1).Fork(3).Fork(2), 1));
}

// Bits of a stream and of its neighbour agree as often as chance has it.
TEST(RngTest, ForkedStreamsAreUncorrelated) {
  Rng a = Rng(1).Fork(0), b = Rng(1).Fork(1);
  int differing = 0;
  for (int i = 0; i < 1000; ++i)
    differing += std::popcount(a.Next() ^ b.Next());
  EXPECT_NEAR(differing, 32000, 600);
}

}  // namespace
}  // namespace pruner
