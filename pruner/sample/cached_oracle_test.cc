#include "pruner/sample/cached_oracle.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/os/files.h"
#include "pruner/sample/validity_oracle.h"
#include "pruner/sketch/candidate.h"

namespace pruner {
namespace {

using ::absl_testing::IsOkAndHolds;
using ::absl_testing::StatusIs;
using ::testing::ElementsAre;

// Candidates of an even number are valid. Counts what it is asked about.
class EvenOracle : public ValidityOracle {
 public:
  absl::StatusOr<std::vector<bool>> AreValid(
      absl::Span<const Candidate> candidates) override {
    if (fails) return absl::UnavailableError("no assembler");
    asked += static_cast<int>(candidates.size());
    std::vector<bool> valid;
    for (const Candidate& candidate : candidates)
      valid.push_back(candidate.values[0] % 2 == 0);
    return valid;
  }

  int asked = 0;
  bool fails = false;
};

std::vector<Candidate> Numbers(const std::vector<int>& numbers) {
  std::vector<Candidate> candidates;
  for (const int number : numbers) candidates.push_back({.values = {number}});
  return candidates;
}

class CachedOracleTest : public testing::Test {
 protected:
  absl::StatusOr<std::vector<bool>> Ask(const std::vector<int>& numbers) {
    if (!cache_) cache_.emplace(OracleCache::Open(path_).value());
    CachedOracle cached(oracle_, *cache_, [](const Candidate& candidate) {
      return absl::StatusOr<uint64_t>(CandidateHash(candidate));
    });
    return cached.AreValid(Numbers(numbers));
  }

  const TempDirectory directory_ = TempDirectory::Create().value();
  const std::string path_ = directory_.File("answers");
  EvenOracle oracle_;
  std::optional<OracleCache> cache_;
};

TEST_F(CachedOracleTest, AsksOnce) {
  EXPECT_THAT(Ask({4, 7, 8}), IsOkAndHolds(ElementsAre(true, false, true)));
  EXPECT_EQ(oracle_.asked, 3);
  EXPECT_THAT(Ask({7, 9, 4}), IsOkAndHolds(ElementsAre(false, false, true)));
  EXPECT_EQ(oracle_.asked, 4);
  EXPECT_THAT(Ask({}), IsOkAndHolds(ElementsAre()));
}

TEST_F(CachedOracleTest, AnswersSurviveTheRun) {
  ABSL_ASSERT_OK(Ask({1, 2, 3}));
  cache_.reset();
  EXPECT_THAT(Ask({3, 2, 1}), IsOkAndHolds(ElementsAre(false, true, false)));
  EXPECT_EQ(oracle_.asked, 3);
}

// As a kill in the middle of writing leaves it.
TEST_F(CachedOracleTest, AnswersBeforeAnEndThatIsCutOffCount) {
  ABSL_ASSERT_OK(Ask({1, 2}));
  ABSL_ASSERT_OK(Ask({3, 4}));
  cache_.reset();
  const std::string bytes = ReadFile(path_).value();
  ABSL_ASSERT_OK(WriteFileAtomically(path_, bytes.substr(0, bytes.size() - 5)));
  EXPECT_THAT(Ask({1, 2, 3, 4}),
              IsOkAndHolds(ElementsAre(false, true, false, true)));
  EXPECT_EQ(oracle_.asked, 6);
}

TEST_F(CachedOracleTest, KeepsNothingOfWhatCannotBeTold) {
  ABSL_ASSERT_OK(Ask({1}));
  oracle_.fails = true;
  EXPECT_THAT(Ask({1, 2}), StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_THAT(Ask({1}), IsOkAndHolds(ElementsAre(false)));
  oracle_.fails = false;
  EXPECT_THAT(Ask({2}), IsOkAndHolds(ElementsAre(true)));
}

TEST_F(CachedOracleTest, OneRunAtATimeHasTheFile) {
  ABSL_ASSERT_OK(Ask({1}));
  EXPECT_THAT(OracleCache::Open(path_),
              StatusIs(absl::StatusCode::kFailedPrecondition));
}

}  // namespace
}  // namespace pruner
