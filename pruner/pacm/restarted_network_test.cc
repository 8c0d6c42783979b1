#include "pruner/pacm/restarted_network.h"

#include <signal.h>
#include <sys/types.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/cost/cost_model_conformance.h"
#include "pruner/cost/synthetic_programs.h"
#include "pruner/features/feature_rows.h"
#include "pruner/pacm/network_model.h"
#include "pruner/pacm/network_shape.h"
#include "pruner/pacm/remote_network.h"
#include "pruner/pacm/synthetic_rankings.h"

namespace pruner {
namespace {

using ::absl_testing::StatusIs;
using ::testing::HasSubstr;

constexpr char kWorker[] = "pruner/pacm/network_worker";

std::unique_ptr<CostModel> MakeForConformance() {
  auto model = RestartedNetwork::Create([] {
    return RemoteNetwork::Start(
        kWorker, SyntheticOptions(NetworkKind::kTensetMlp,
                                  {.columns = kConformanceColumns}));
  });
  ABSL_EXPECT_OK(model);
  return *std::move(model);
}

INSTANTIATE_TEST_SUITE_P(RestartedNetworks, CostModelConformanceTest,
                         testing::Values(CostModelUnderTest{
                             .name = "tenset_mlp",
                             .make = MakeForConformance}));

class RestartedNetworkTest : public testing::Test {
 protected:
  RestartedNetworkTest()
      : options_(SyntheticOptions(NetworkKind::kPacm, known_.programs)),
        path_(testing::TempDir() + "/restarted_network") {
    options_.training.max_epochs = 4;
  }

  // Keeps the process's number, to end it.
  std::unique_ptr<NetworkModel> Make(
      absl::Duration patience = absl::Seconds(30)) {
    auto model = RestartedNetwork::Create(
        [this]() -> absl::StatusOr<std::unique_ptr<NetworkModel>> {
          ++starts_;
          auto network = RemoteNetwork::Start(kWorker, options_);
          if (!network.ok()) return network.status();
          process_ = (*network)->pid();
          if (starts_ > lives_) EndProcess();
          return *std::move(network);
        },
        patience);
    ABSL_EXPECT_OK(model);
    return *std::move(model);
  }

  void EndProcess() const { ASSERT_EQ(kill(process_, SIGKILL), 0); }

  // The scores after three updates, with processes that are ended before the
  // calls with these numbers.
  std::vector<double> ScoresWithout(const std::vector<int>& ended) {
    const std::unique_ptr<NetworkModel> model = Make();
    for (int call = 0; call < 3; ++call) {
      if (absl::c_linear_search(ended, call)) EndProcess();
      ABSL_EXPECT_OK(model->Update(known_.programs, known_.labels));
      EXPECT_TRUE(model->is_trained());
    }
    if (absl::c_linear_search(ended, 3)) EndProcess();
    auto scores = model->Predict(known_.programs);
    ABSL_EXPECT_OK(scores);
    EXPECT_EQ(starts_, static_cast<int>(1 + ended.size()));
    starts_ = 0;
    return *std::move(scores);
  }

  const SyntheticPrograms known_ = MakeSyntheticRankings(100, 1);
  NetworkModelOptions options_;
  const std::string path_;
  int starts_ = 0;
  int lives_ = 100;  // processes from here on end as soon as they are started
  pid_t process_ = 0;
};

TEST_F(RestartedNetworkTest, KnowsWhatTheLastProcessKnew) {
  const std::vector<double> scores = ScoresWithout({});
  EXPECT_EQ(ScoresWithout({3}), scores);
  EXPECT_EQ(ScoresWithout({0, 2, 3}), scores);
}

TEST_F(RestartedNetworkTest, AdaptsInTheSameSteps) {
  {
    const std::unique_ptr<NetworkModel> model = Make();
    ABSL_ASSERT_OK(model->Update(known_.programs, known_.labels));
    EndProcess();
    ABSL_ASSERT_OK(model->Save(path_));
  }
  starts_ = 0;
  options_.pretrained = path_;
  options_.train_every = 1;
  const std::vector<double> scores = ScoresWithout({});
  EXPECT_EQ(ScoresWithout({3}), scores);
  EXPECT_EQ(ScoresWithout({1, 2}), scores);
}

TEST_F(RestartedNetworkTest, GivesUpAfterAFew) {
  const std::unique_ptr<NetworkModel> model = Make(absl::ZeroDuration());
  lives_ = 1;
  EndProcess();
  EXPECT_THAT(model->Update(known_.programs, known_.labels),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("signal 9")));
  EXPECT_EQ(starts_, 3);
  // Another time it may go better.
  lives_ = 100;
  ABSL_EXPECT_OK(model->Update(known_.programs, known_.labels));
  EXPECT_TRUE(model->is_trained());
}

TEST_F(RestartedNetworkTest, WhatIsAskedInVainIsNoReasonToStartAnew) {
  const std::unique_ptr<NetworkModel> model = Make();
  EXPECT_THAT(model->Save(path_),
              StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_EQ(starts_, 1);
  options_.training.batch_size = 1;
  EXPECT_THAT(RestartedNetwork::Create(
                  [this] { return RemoteNetwork::Start(kWorker, options_); }),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace pruner
