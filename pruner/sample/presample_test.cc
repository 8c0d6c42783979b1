#include "pruner/sample/presample.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/rng.h"
#include "pruner/sample/knob_search_space.h"
#include "pruner/sample/validity_oracle.h"
#include "pruner/sketch/candidate.h"
#include "pruner/vta/knobs.h"
#include "pruner/vta/validity.h"
#include "pruner/vta/vta_spec.h"
#include "pruner/vta/workloads.h"

namespace pruner {
namespace {

using ::absl_testing::StatusIs;
using ::testing::SizeIs;

// The rules of the simulated accelerator; counts what it is asked.
class VtaOracle : public ValidityOracle {
 public:
  explicit VtaOracle(const VtaWorkload& workload)
      : knobs(VtaKnobs(workload, VtaSpec())),
        space(knobs),
        workload_(workload) {}

  absl::StatusOr<std::vector<bool>> AreValid(
      absl::Span<const Candidate> candidates) override {
    if (!status.ok()) return status;
    batches.push_back(candidates.size());
    std::vector<bool> valid;
    for (const Candidate& candidate : candidates) {
      EXPECT_TRUE(asked.insert(candidate).second) << "asked twice";
      valid.push_back(IsValid(candidate));
    }
    return valid;
  }
  bool IsValid(const Candidate& candidate) const {
    return !WhyInvalid(workload_, VtaSpec(),
                       VtaTilingAt(knobs, space.PointOf(candidate)))
                .has_value();
  }
  double ValidRatio() const {
    int64_t valid = 0;
    for (int64_t i = 0; i < knobs.size(); ++i)
      valid += IsValid(space.CandidateOf(knobs.PointAt(i)));
    return static_cast<double>(valid) / static_cast<double>(knobs.size());
  }

  const KnobSpace knobs;
  KnobSearchSpace space;
  absl::Status status;
  absl::flat_hash_set<Candidate> asked;
  std::vector<size_t> batches;

 private:
  const VtaWorkload& workload_;
};

Presample Found(VtaOracle& oracle, const PresampleOptions& options,
                uint64_t seed = 1) {
  Rng rng(seed);
  auto found = PresampleSpace(oracle.space, oracle, options, rng);
  ABSL_EXPECT_OK(found);
  return *std::move(found);
}

TEST(PresampleTest, SaysWhatTheOracleSaid) {
  VtaOracle oracle(*FindVtaWorkload(48));
  const Presample found = Found(oracle, {});
  EXPECT_EQ(found.size(), 1000u);
  EXPECT_THAT(oracle.asked, SizeIs(1000));
  for (const Candidate& candidate : found.valid)
    EXPECT_TRUE(oracle.IsValid(candidate));
  for (const Candidate& candidate : found.invalid)
    EXPECT_FALSE(oracle.IsValid(candidate));
  EXPECT_EQ(oracle.batches, std::vector<size_t>(20, 50));
}

// That is what it is for: on each workload more than a random draw of this size
// would find.
TEST(PresampleTest, FindsMoreThanChance) {
  for (const VtaWorkload& workload : VtaWorkloads()) {
    VtaOracle oracle(workload);
    const double ratio = oracle.ValidRatio();
    const auto candidates = std::min<int64_t>(1000, oracle.knobs.size() / 5);
    double found = 0;
    constexpr int kSeeds = 10;
    for (int seed = 1; seed <= kSeeds; ++seed) {
      oracle.asked.clear();
      const Presample sample = Found(oracle, {.candidates = candidates},
                                     static_cast<uint64_t>(seed));
      found += static_cast<double>(sample.valid.size()) /
               static_cast<double>(sample.size()) / kSeeds;
    }
    EXPECT_GT(found, 1.3 * ratio) << workload.id;
  }
}

// A few valid ones lead to others sooner than chance does, and are not asked
// about again.
TEST(PresampleTest, BeginsBesideWhatIsKnown) {
  double beside = 0, at_random = 0;
  constexpr int kSeeds = 20;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    VtaOracle first(*FindVtaWorkload(8));
    const Presample known = Found(first, {.candidates = 200}, seed);
    ASSERT_FALSE(known.valid.empty());
    VtaOracle oracle(*FindVtaWorkload(8));
    oracle.asked.insert(known.valid.begin(), known.valid.end());
    oracle.asked.insert(known.invalid.begin(), known.invalid.end());
    Rng rng(seed + 100);
    const auto found = PresampleSpace(
        oracle.space, oracle, {.batch = 5, .candidates = 10}, rng, known);
    ASSERT_THAT(found, absl_testing::IsOk());
    EXPECT_EQ(found->size(), 10);
    beside += static_cast<double>(found->valid.size());
    VtaOracle other(*FindVtaWorkload(8));
    at_random += static_cast<double>(
        Found(other, {.batch = 5, .candidates = 10}, seed + 100).valid.size());
  }
  EXPECT_GT(beside, 2 * at_random) << at_random;
}

TEST(PresampleTest, TheSameSeedFindsTheSame) {
  VtaOracle a(*FindVtaWorkload(17)), b(*FindVtaWorkload(17)),
      c(*FindVtaWorkload(17));
  const Presample found = Found(a, {.candidates = 300}, 7);
  const Presample again = Found(b, {.candidates = 300}, 7);
  EXPECT_EQ(found.valid, again.valid);
  EXPECT_EQ(found.invalid, again.invalid);
  EXPECT_NE(Found(c, {.candidates = 300}, 8).invalid, found.invalid);
}

TEST(PresampleTest, ASmallSpaceIsSeenToItsEnd) {
  VtaOracle oracle(*FindVtaWorkload(3));
  const Presample found = Found(oracle, {.candidates = 100'000});
  EXPECT_EQ(static_cast<int64_t>(found.size()), oracle.knobs.size());
  EXPECT_THAT(found.valid, SizeIs(21));
}

TEST(PresampleTest, WhatCannotBeToldIsAnError) {
  VtaOracle oracle(*FindVtaWorkload(3));
  oracle.status = absl::NotFoundError("no assembler");
  Rng rng(1);
  EXPECT_THAT(PresampleSpace(oracle.space, oracle, {}, rng),
              StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(PresampleSpace(oracle.space, oracle, {.batch = 0}, rng),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(PresampleSpace(oracle.space, oracle, {.candidates = 0}, rng),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace pruner
