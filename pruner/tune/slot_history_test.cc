#include "pruner/tune/slot_history.h"

#include <limits>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr double kNever = std::numeric_limits<double>::infinity();

TEST(SlotHistoryTest, KeepsTheBestOfEachRound) {
  SlotHistory history(2);
  EXPECT_THAT(history.best_by_round(), IsEmpty());
  history.Add(std::nullopt);
  history.Add(std::nullopt);
  EXPECT_THAT(history.best_by_round(), ElementsAre(kNever));
  EXPECT_EQ(history.trials_since_best(), 2);
  for (const double seconds : {3.0, 4.0, 5.0, 2.0, 2.0}) history.Add(seconds);
  EXPECT_THAT(history.best_by_round(), ElementsAre(kNever, 3, 2, 2));
  EXPECT_EQ(history.trials(), 7);
  EXPECT_EQ(history.trials_since_best(), 1);
}

}  // namespace
}  // namespace pruner
