#include "pruner/tune/rounds.h"

#include <cstdint>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

using ::testing::ElementsAre;

TEST(RoundsTest, BecomeLonger) {
  const Rounds rounds(8);
  std::vector<int64_t> ends;
  for (int64_t trials = 0; trials < 80; trials += rounds.Left(trials))
    ends.push_back(trials + rounds.Left(trials));
  EXPECT_THAT(ends, ElementsAre(4, 12, 20, 36, 52, 68, 84));
}

TEST(RoundsTest, GoOnWhereTheyWere) {
  for (const int size : {1, 3, 8}) {
    const Rounds rounds(size);
    for (int64_t start = 0; start < 100; start += rounds.Left(start)) {
      const int64_t left = rounds.Left(start);
      EXPECT_EQ(rounds.Begun(start), 0);
      for (int64_t done = 0; done < left; ++done) {
        EXPECT_EQ(rounds.Begun(start + done), done);
        EXPECT_EQ(rounds.Left(start + done), left - done);
      }
    }
  }
}

}  // namespace
}  // namespace pruner
