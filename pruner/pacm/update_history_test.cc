#include "pruner/pacm/update_history.h"

#include <signal.h>
#include <sys/resource.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/cost/cost_model.h"
#include "pruner/features/feature_rows.h"

namespace pruner {
namespace {

using ::testing::HasSubstr;

using Update = std::pair<FeatureRows, std::vector<ProgramLabel>>;

// `count` programs of one to three rows.
Update MakeUpdate(int count) {
  Update update = {{.columns = 2, .program_columns = 1}, {}};
  auto& [programs, labels] = update;
  for (int i = 0; i < count; ++i) {
    const std::vector<float> rows(2 * (1 + i % 3), static_cast<float>(i));
    programs.Append(rows, {0.5f * static_cast<float>(count)});
    labels.push_back({.task = static_cast<uint64_t>(i)});
    if (i % 2 == 0) labels.back().seconds = 0.1 * i;
  }
  return update;
}

std::vector<Update> Told(const UpdateHistory& history) {
  std::vector<Update> told;
  ABSL_EXPECT_OK(history.ForEach(
      [&](const FeatureRows& programs, absl::Span<const ProgramLabel> labels) {
        told.emplace_back(
            programs, std::vector<ProgramLabel>(labels.begin(), labels.end()));
        return absl::OkStatus();
      }));
  return told;
}

TEST(UpdateHistoryTest, TellsWhatWasAddedInOrder) {
  UpdateHistory history = UpdateHistory::Create().value();
  EXPECT_TRUE(history.empty());
  EXPECT_TRUE(Told(history).empty());
  std::vector<Update> added;
  for (const int count : {3, 1, 5000}) {
    added.push_back(MakeUpdate(count));
    const auto& [programs, labels] = added.back();
    ABSL_ASSERT_OK(history.Add(programs, labels));
    EXPECT_FALSE(history.empty());
    // Also while it grows, and again.
    EXPECT_EQ(Told(history), added);
  }
  EXPECT_EQ(Told(history), added);
}

TEST(UpdateHistoryTest, EndsWithWhatItIsTold) {
  UpdateHistory history = UpdateHistory::Create().value();
  const auto [programs, labels] = MakeUpdate(2);
  ABSL_ASSERT_OK(history.Add(programs, labels));
  ABSL_ASSERT_OK(history.Add(programs, labels));
  int calls = 0;
  EXPECT_EQ(
      history.ForEach([&](const FeatureRows&, absl::Span<const ProgramLabel>) {
        ++calls;
        return absl::UnavailableError("gone");
      }),
      absl::UnavailableError("gone"));
  EXPECT_EQ(calls, 1);
}

TEST(UpdateHistoryTest, KeepsNoPartOfWhatThereIsNoRoomFor) {
  UpdateHistory history = UpdateHistory::Create().value();
  const Update first = MakeUpdate(10);
  const Update large = MakeUpdate(5000);
  ABSL_ASSERT_OK(history.Add(first.first, first.second));
  // A file may not be larger, which a disk that is full looks like.
  signal(SIGXFSZ, SIG_IGN);
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small = before;
  small.rlim_cur = 20000;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const absl::Status status = history.Add(large.first, large.second);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(std::string(status.message()), HasSubstr("File too large"));
  EXPECT_EQ(Told(history), std::vector<Update>{first});
  ABSL_ASSERT_OK(history.Add(large.first, large.second));
  EXPECT_EQ(Told(history), (std::vector<Update>{first, large}));
}

}  // namespace
}  // namespace pruner
