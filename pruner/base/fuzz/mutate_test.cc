#include "pruner/base/fuzz/mutate.h"

#include <set>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/rng.h"

namespace pruner {
namespace {

using ::testing::Each;
using ::testing::Ge;
using ::testing::Le;
using ::testing::SizeIs;

std::vector<std::string> Mutants(const std::vector<std::string>& seeds) {
  Rng rng(1);
  std::vector<std::string> mutants;
  for (int i = 0; i < 1000; ++i) mutants.push_back(Mutate(seeds, 20, rng));
  return mutants;
}

TEST(MutateTest, TheSameEachTimeAndSeldomTwice) {
  const std::vector<std::string> seeds = {"a seed of some length", "another"};
  const std::vector<std::string> mutants = Mutants(seeds);
  EXPECT_EQ(Mutants(seeds), mutants);
  EXPECT_THAT(mutants, Each(SizeIs(Le(20))));
  EXPECT_THAT(std::set<std::string>(mutants.begin(), mutants.end()),
              SizeIs(Ge(600)));
}

}  // namespace
}  // namespace pruner
