#include "pruner/search/annealing_search.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status_matchers.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/rng.h"
#include "pruner/sample/knob_search_space.h"
#include "pruner/sample/presample.h"
#include "pruner/sketch/candidate.h"
#include "pruner/vta/grid_knobs.h"
#include "pruner/vta/knobs.h"

namespace pruner {
namespace {

using ::testing::ElementsAreArray;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// 16^3 points, fastest at (11, 3, 8), of which those with an even first knob
// cannot run.
class AnnealingSearchTest : public testing::Test {
 protected:
  static bool IsValid(const Candidate& candidate) {
    return candidate.values[0] % 2 == 1;
  }
  static double ThroughputOf(const Candidate& candidate) {
    const int best[] = {11, 3, 8};
    double distance = 0;
    for (size_t k = 0; k < candidate.values.size(); ++k)
      distance += std::abs(candidate.values[k] - best[k]);
    return IsValid(candidate) ? 100 / (1 + distance) : 0;
  }

  std::vector<Candidate> Next(AnnealingSearch& search, int count) {
    auto next = search.Next(
        count,
        [this](const Candidate& candidate) {
          return !taken_.contains(candidate);
        },
        rng_);
    ABSL_EXPECT_OK(next);
    return *std::move(next);
  }

  // Trials until the fastest was measured; `most` if it was not.
  int TrialsToBest(AnnealingSearch& search, int most) {
    for (int trials = 0; trials < most;) {
      for (const Candidate& candidate : Next(search, 10)) {
        ++trials;
        search.Observe(candidate, ThroughputOf(candidate));
        if (ThroughputOf(candidate) == 100) return trials;
      }
    }
    return most;
  }

  const KnobSpace knobs_ = GridKnobs({16, 16, 16});
  KnobSearchSpace space_{knobs_};
  absl::flat_hash_set<Candidate> taken_;
  Rng rng_{1};
};

TEST_F(AnnealingSearchTest, FindsTheFastestSooner) {
  AnnealingSearch search(space_, {});
  EXPECT_LT(TrialsToBest(search, 2000), 500);
  EXPECT_GT(search.num_trees(), 0);
}

TEST_F(AnnealingSearchTest, AsksForEachOnceAndNotForWhatOthersHave) {
  AnnealingSearch search(space_, {.batch = 20});
  absl::flat_hash_set<Candidate> asked;
  for (int i = 0; i < 30; ++i) {
    for (const Candidate& candidate : Next(search, 10)) {
      EXPECT_TRUE(asked.insert(candidate).second);
      EXPECT_FALSE(taken_.contains(candidate));
      search.Observe(candidate, ThroughputOf(candidate));
    }
    taken_.insert(space_.CandidateOf({i % 16, 3, 8}));
  }
  EXPECT_THAT(asked, SizeIs(300));
}

TEST_F(AnnealingSearchTest, EndsWithTheSpace) {
  const KnobSpace small = GridKnobs({3, 4});
  KnobSearchSpace space(small);
  AnnealingSearch search(space, {});
  EXPECT_THAT(Next(search, 100), SizeIs(12));
  EXPECT_THAT(Next(search, 100), IsEmpty());
}

TEST_F(AnnealingSearchTest, BeginsWithWhatItIsGiven) {
  AnnealingSearch search(space_, {});
  const std::vector<Candidate> first = {space_.CandidateOf({5, 5, 5}),
                                        space_.CandidateOf({4, 4, 4}),
                                        space_.CandidateOf({9, 1, 7})};
  search.BeginWith(Presample{}, first);
  EXPECT_THAT(Next(search, 3), ElementsAreArray(first));
  EXPECT_THAT(Next(search, 2), SizeIs(2));
}

// All that is invalid is known: it is measured only if it is in the first
// batch.
TEST_F(AnnealingSearchTest, NeverAsksForWhatIsKnownToBeInvalid) {
  Presample known;
  for (int64_t i = 0; i < knobs_.size(); ++i) {
    const Candidate candidate = space_.CandidateOf(knobs_.PointAt(i));
    (IsValid(candidate) ? known.valid : known.invalid).push_back(candidate);
  }
  AnnealingSearch search(space_, {.batch = 20});
  search.BeginWith(known, {});
  for (int i = 0; i < 30; ++i) {
    for (const Candidate& candidate : Next(search, 10)) {
      EXPECT_TRUE(IsValid(candidate));
      search.Observe(candidate, ThroughputOf(candidate));
    }
  }
}

// Of the first plan, for which the trees know little, most are known to be
// valid, though most of the space is not.
TEST_F(AnnealingSearchTest, PrefersWhatIsKnownToBeValid) {
  Presample known;
  for (int64_t i = 0; i < knobs_.size(); i += 8)
    known.valid.push_back(space_.CandidateOf(knobs_.PointAt(i)));
  const absl::flat_hash_set<Candidate> valid(known.valid.begin(),
                                             known.valid.end());
  const auto count_known = [&](bool told) {
    AnnealingSearch search(space_, {.batch = 20, .valid_bonus = 1});
    if (told) search.BeginWith(known, {});
    rng_ = Rng(7);
    for (const Candidate& candidate : Next(search, 20))
      search.Observe(candidate, ThroughputOf(candidate));
    const std::vector<Candidate> planned = Next(search, 20);
    return std::count_if(
        planned.begin(), planned.end(),
        [&](const Candidate& candidate) { return valid.contains(candidate); });
  };
  EXPECT_GE(count_known(true), 10);
  EXPECT_LE(count_known(false), 8);
}

// What nobody knows is at first as good as the base says.
TEST_F(AnnealingSearchTest, ABaseSaysWhereToLook) {
  AnnealingSearch search(space_, {.batch = 10});
  search.BeginWith([](absl::Span<const Candidate> candidates)
                       -> absl::StatusOr<std::vector<float>> {
    std::vector<float> scores;
    for (const Candidate& candidate : candidates)
      scores.push_back(static_cast<float>(ThroughputOf(candidate)));
    return scores;
  });
  EXPECT_LE(TrialsToBest(search, 1000), 20);
}

TEST_F(AnnealingSearchTest, SameSeedSameCandidates) {
  std::vector<std::vector<Candidate>> runs;
  for (int run = 0; run < 2; ++run) {
    rng_ = Rng(3);
    AnnealingSearch search(space_, {.batch = 20});
    std::vector<Candidate>& asked = runs.emplace_back();
    for (int i = 0; i < 8; ++i) {
      for (const Candidate& candidate : Next(search, 10)) {
        asked.push_back(candidate);
        search.Observe(candidate, ThroughputOf(candidate));
      }
    }
  }
  EXPECT_EQ(runs[0], runs[1]);
}

}  // namespace
}  // namespace pruner
