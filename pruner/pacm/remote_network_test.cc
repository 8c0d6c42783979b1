#include "pruner/pacm/remote_network.h"

#include <signal.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/os/files.h"
#include "pruner/cost/cost_model_conformance.h"
#include "pruner/cost/synthetic_programs.h"
#include "pruner/features/feature_rows.h"
#include "pruner/pacm/make_network_model.h"
#include "pruner/pacm/network_model.h"
#include "pruner/pacm/network_shape.h"
#include "pruner/pacm/synthetic_rankings.h"

namespace pruner {
namespace {

using ::absl_testing::StatusIs;
using ::testing::HasSubstr;

constexpr char kWorker[] = "pruner/pacm/network_worker";

std::unique_ptr<CostModel> MakeForConformance() {
  auto model = RemoteNetwork::Start(
      kWorker, SyntheticOptions(NetworkKind::kTensetMlp,
                                {.columns = kConformanceColumns}));
  ABSL_EXPECT_OK(model);
  return *std::move(model);
}

INSTANTIATE_TEST_SUITE_P(RemoteNetworks, CostModelConformanceTest,
                         testing::Values(CostModelUnderTest{
                             .name = "tenset_mlp",
                             .make = MakeForConformance}));

class RemoteNetworkTest : public testing::Test {
 protected:
  NetworkModelOptions Options() {
    return SyntheticOptions(NetworkKind::kPacm, known_.programs);
  }

  const SyntheticPrograms known_ = MakeSyntheticRankings(100, 1);
  const std::string path_ = testing::TempDir() + "/remote_network";
};

TEST_F(RemoteNetworkTest, IsTheNetworkThatItWouldBeHere) {
  auto remote = RemoteNetwork::Start(kWorker, Options());
  ABSL_ASSERT_OK(remote);
  auto here = MakeNetworkModel(Options());
  ABSL_ASSERT_OK(here);
  for (NetworkModel* const model :
       {static_cast<NetworkModel*>(remote->get()), here->get()}) {
    EXPECT_FALSE(model->is_trained());
    ABSL_ASSERT_OK(model->Update(known_.programs, known_.labels));
    EXPECT_TRUE(model->is_trained());
  }
  const std::vector<double> scores = *(*here)->Predict(known_.programs);
  EXPECT_EQ(*(*remote)->Predict(known_.programs), scores);
  ABSL_ASSERT_OK((*remote)->Save(path_));

  for (const Adaption adapt :
       {Adaption::kNone, Adaption::kFineTune, Adaption::kMomentum}) {
    NetworkModelOptions options = Options();
    options.pretrained = path_;
    options.adapt = adapt;
    auto loaded = RemoteNetwork::Start(kWorker, options);
    ABSL_ASSERT_OK(loaded);
    EXPECT_TRUE((*loaded)->is_trained());
    EXPECT_EQ(*(*loaded)->Predict(known_.programs), scores);
    // MoA's first update only keeps what it is given.
    for (int i = 0; i < 4; ++i)
      ABSL_ASSERT_OK((*loaded)->Update(known_.programs, known_.labels));
    EXPECT_EQ(*(*loaded)->Predict(known_.programs) == scores,
              adapt == Adaption::kNone)
        << AdaptionName(adapt);
  }
}

TEST_F(RemoteNetworkTest, ErrorsComeAcross) {
  NetworkModelOptions options = Options();
  options.training.batch_size = 1;
  EXPECT_THAT(RemoteNetwork::Start(kWorker, options),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("batch_size = 1")));
  options = Options();
  options.pretrained = path_ + "_missing";
  EXPECT_THAT(
      RemoteNetwork::Start(kWorker, options),
      StatusIs(absl::StatusCode::kNotFound, HasSubstr(options.pretrained)));
  ABSL_ASSERT_OK(WriteFileAtomically(path_, "PK\x03\x04 and so on"));
  options.pretrained = path_;
  EXPECT_THAT(RemoteNetwork::Start(kWorker, options),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(path_)));

  auto remote = RemoteNetwork::Start(kWorker, Options());
  ABSL_ASSERT_OK(remote);
  EXPECT_THAT((*remote)->Save(path_),
              StatusIs(absl::StatusCode::kFailedPrecondition));
  // It goes on after errors.
  ABSL_EXPECT_OK((*remote)->Update(known_.programs, known_.labels));
}

TEST_F(RemoteNetworkTest, WhoDiesIsMissed) {
  EXPECT_THAT(RemoteNetwork::Start("/nowhere/network_worker", Options()),
              StatusIs(testing::_, HasSubstr("/nowhere/network_worker")));
  EXPECT_THAT(RemoteNetwork::Start("/bin/true", Options()),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("/bin/true")));
}

TEST_F(RemoteNetworkTest, TrainingThatIsNotWantedIsNotAwaited) {
  NetworkModelOptions options = Options();
  options.training.max_epochs = 1'000'000;
  options.training.patience = 1'000'000;
  auto remote = RemoteNetwork::Start(kWorker, options);
  ABSL_ASSERT_OK(remote);
  EXPECT_THAT(
      (*remote)->Update(known_.programs, known_.labels, [] { return true; }),
      StatusIs(absl::StatusCode::kCancelled));
  EXPECT_NE(kill((*remote)->pid(), 0), 0) << "it goes on learning";
}

}  // namespace
}  // namespace pruner
