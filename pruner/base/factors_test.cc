#include "pruner/base/factors.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(FactorsTest, CeilDiv) {
  EXPECT_EQ(CeilDiv(0, 4), 0);
  EXPECT_EQ(CeilDiv(1, 4), 1);
  EXPECT_EQ(CeilDiv(4, 4), 1);
  EXPECT_EQ(CeilDiv(197, 50), 4);
}

TEST(FactorsTest, Divisors) {
  EXPECT_THAT(Divisors(1), ElementsAre(1));
  EXPECT_THAT(Divisors(7), ElementsAre(1, 7));
  EXPECT_THAT(Divisors(12), ElementsAre(1, 2, 3, 4, 6, 12));
  EXPECT_THAT(Divisors(49), ElementsAre(1, 7, 49));
  for (int64_t n = 1; n < 300; ++n) {
    std::vector<int64_t> expected;
    for (int64_t d = 1; d <= n; ++d) {
      if (n % d == 0) expected.push_back(d);
    }
    EXPECT_EQ(Divisors(n), expected) << n;
  }
}

TEST(FactorsTest, PrimeFactors) {
  EXPECT_THAT(PrimeFactors(1), IsEmpty());
  EXPECT_THAT(PrimeFactors(2), ElementsAre(2));
  EXPECT_THAT(PrimeFactors(3136), ElementsAre(2, 2, 2, 2, 2, 2, 7, 7));
  EXPECT_THAT(PrimeFactors(197), ElementsAre(197));
  // 2^63 - 1: the largest number there is must not overflow.
  EXPECT_THAT(PrimeFactors(std::numeric_limits<int64_t>::max()),
              ElementsAre(7, 7, 73, 127, 337, 92737, 649657));
}

TEST(FactorsTest, OrderedFactorizationsAreLexicographic) {
  EXPECT_THAT(OrderedFactorizations(4, 1, 64),
              ElementsAre(ElementsAre(1), ElementsAre(2), ElementsAre(4)));
  EXPECT_THAT(
      OrderedFactorizations(4, 2, 64),
      ElementsAre(ElementsAre(1, 1), ElementsAre(1, 2), ElementsAre(1, 4),
                  ElementsAre(2, 1), ElementsAre(2, 2), ElementsAre(4, 1)));
  EXPECT_THAT(OrderedFactorizations(1, 3, 64),
              ElementsAre(ElementsAre(1, 1, 1)));
}

TEST(FactorsTest, OnlyTheInnermostFactorIsLimited) {
  EXPECT_THAT(
      OrderedFactorizations(4, 2, 2),
      ElementsAre(ElementsAre(1, 1), ElementsAre(1, 2), ElementsAre(2, 1),
                  ElementsAre(2, 2), ElementsAre(4, 1)));
  EXPECT_THAT(
      OrderedFactorizations(4, 2, 1),
      ElementsAre(ElementsAre(1, 1), ElementsAre(2, 1), ElementsAre(4, 1)));
  EXPECT_THAT(OrderedFactorizations(197, 2, 64),
              ElementsAre(ElementsAre(1, 1), ElementsAre(197, 1)));
}

TEST(FactorsTest, OrderedFactorizationsAreAllThereAre) {
  for (int64_t n = 1; n <= 72; ++n) {
    std::set<std::vector<int64_t>> expected;
    for (int64_t a = 1; a <= n; ++a) {
      for (int64_t b = 1; b <= n; ++b) {
        for (int64_t c = 1; c <= 8; ++c) {
          if (n % (a * b * c) == 0) expected.insert({a, b, c});
        }
      }
    }
    const auto found = OrderedFactorizations(n, 3, 8);
    EXPECT_EQ(found, std::vector<std::vector<int64_t>>(expected.begin(),
                                                       expected.end()))
        << n;
  }
}

TEST(FactorsTest, CountsOfATypicalExtent) {
  // 3136 = 2^6 7^2: each prime's exponents are distributed over 3 factors and
  // the rest, C(6+3, 3) * C(2+3, 3) ways.
  EXPECT_EQ(OrderedFactorizations(3136, 3, 3136).size(), 84 * 10);
}

TEST(FactorsTest, DrawsEveryFactorizationEquallyOften) {
  for (const auto& [n, parts] :
       std::vector<std::pair<int64_t, int>>{{72, 2}, {16, 3}, {7, 1}}) {
    const auto all = OrderedFactorizations(n, parts, n);
    std::map<std::vector<int64_t>, int> counts;
    Rng rng(1);
    constexpr int kEach = 1000;
    for (size_t i = 0; i < kEach * all.size(); ++i)
      ++counts[DrawFactorization(PrimeFactors(n), parts, rng)];
    EXPECT_EQ(counts.size(), all.size());
    for (const auto& factors : all) {
      EXPECT_NEAR(counts[factors], kEach, 5 * std::sqrt(kEach)) << n;
    }
  }
  Rng rng(1);
  EXPECT_THAT(DrawFactorization({}, 3, rng), ElementsAre(1, 1, 1));
}

TEST(FactorTableTest, AnswersOnceAndKeepsItsAnswers) {
  FactorTable table;
  const auto* first = &table.OrderedFactorizations(64, 3, 16);
  const auto* primes = &table.PrimeFactors(64);
  const auto* divisors = &table.Divisors(64);
  for (int64_t n = 1; n < 200; ++n) {
    EXPECT_EQ(table.PrimeFactors(n), PrimeFactors(n));
    EXPECT_EQ(table.Divisors(n), Divisors(n));
    table.OrderedFactorizations(n, 2, 16);
  }
  EXPECT_EQ(&table.OrderedFactorizations(64, 3, 16), first);
  EXPECT_EQ(*first, OrderedFactorizations(64, 3, 16));
  EXPECT_NE(*first, table.OrderedFactorizations(64, 3, 8));
  EXPECT_EQ(&table.PrimeFactors(64), primes);
  EXPECT_EQ(&table.Divisors(64), divisors);
}

TEST(FactorsDeathTest, RefusesExtentsThatAreNotPositive) {
  EXPECT_DEATH(Divisors(0), "n > 0");
  EXPECT_DEATH(OrderedFactorizations(-4, 2, 8), "n > 0");
  EXPECT_DEATH(OrderedFactorizations(4, 0, 8), "parts > 0");
  EXPECT_DEATH(OrderedFactorizations(4, 2, 0), "max_innermost > 0");
}

}  // namespace
}  // namespace pruner
