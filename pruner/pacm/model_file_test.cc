#include "pruner/pacm/model_file.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/hash.h"
#include "pruner/base/os/files.h"
#include "pruner/base/rng.h"
#include "pruner/cost/synthetic_programs.h"
#include "pruner/cost/training_set.h"
#include "pruner/pacm/make_network.h"
#include "pruner/pacm/network_file.pb.h"
#include "pruner/pacm/network_shape.h"
#include "pruner/pacm/network_state.h"
#include "pruner/pacm/normaliser.h"
#include "pruner/pacm/synthetic_rankings.h"
#include "pruner/pacm/trained_network.h"
#include "pruner/pacm/training.h"

namespace pruner {
namespace {

using ::absl_testing::StatusIs;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr char kFeatures[] = "synthetic columns 1, dataflow blocks 1";

class ModelFileTest : public testing::Test {
 protected:
  // After a little training, so that statistics are not their defaults.
  TrainedNetwork Trained(NetworkKind kind) {
    const NetworkShape shape = ShapeFor(kind, programs_.programs);
    TrainedNetwork model = {
        .shape = shape,
        .normaliser =
            FitNormaliser(Normalisation::kStandard, shape, programs_.programs),
        .network = *MakeNetwork(shape, Rng(1))};
    TrainingSet data;
    ABSL_EXPECT_OK(data.Add(programs_.programs, programs_.labels));
    const auto outcome = Train({.max_epochs = 2, .threads = 1},
                               RankedPrograms(data), Rng(2), model);
    ABSL_EXPECT_OK(outcome);
    EXPECT_TRUE(outcome->trained());
    return model;
  }

  void Save() {
    ABSL_ASSERT_OK(SaveNetwork(path_, kFeatures, Trained(NetworkKind::kPacm)));
  }

  // Writes the file once more with another content, its fingerprint right.
  template <typename Change>
  void Rewrite(Change change) {
    Save();
    proto::NetworkFile file;
    ASSERT_TRUE(file.ParseFromString(*ReadFile(path_)));
    proto::StoredNetwork stored;
    ASSERT_TRUE(stored.ParseFromString(file.network()));
    change(stored);
    file.set_network(stored.SerializeAsString());
    file.set_fingerprint(Fingerprint(file.network()));
    ABSL_ASSERT_OK(WriteFileAtomically(path_, file.SerializeAsString()));
  }

  const SyntheticPrograms programs_ = MakeSyntheticRankings(60, 1);
  const std::string path_ = testing::TempDir() + "/network";
};

TEST_F(ModelFileTest, LoadedNetworksScoreTheSame) {
  for (const NetworkKind kind : {NetworkKind::kPacm, NetworkKind::kTensetMlp}) {
    const TrainedNetwork model = Trained(kind);
    ABSL_ASSERT_OK(SaveNetwork(path_, kFeatures, model));
    const auto loaded = LoadNetwork(path_, kFeatures);
    ABSL_ASSERT_OK(loaded);
    EXPECT_EQ(loaded->shape, model.shape);
    EXPECT_EQ(loaded->normaliser, model.normaliser);
    EXPECT_EQ(StateOf(*loaded->network), StateOf(*model.network));
    EXPECT_EQ(*ScorePrograms(*loaded, programs_.programs, 1),
              *ScorePrograms(model, programs_.programs, 1));
  }
}

TEST_F(ModelFileTest, OtherFeaturesAreRefused) {
  Save();
  EXPECT_THAT(
      LoadNetwork(path_, "synthetic columns 2"),
      StatusIs(absl::StatusCode::kInvalidArgument,
               "the network " + path_ +
                   " was trained on features synthetic columns 1, dataflow "
                   "blocks 1; these are synthetic columns 2"));
}

TEST_F(ModelFileTest, OtherVersionsAreRefused) {
  Save();
  proto::NetworkFile file;
  ASSERT_TRUE(file.ParseFromString(*ReadFile(path_)));
  file.set_version(7);
  ABSL_ASSERT_OK(WriteFileAtomically(path_, file.SerializeAsString()));
  EXPECT_THAT(LoadNetwork(path_, kFeatures),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "the network " + path_ +
                           " is of version 7; this program reads version 2"));
}

TEST_F(ModelFileTest, WhatIsNoNetworkIsRefused) {
  EXPECT_THAT(LoadNetwork(path_ + "x", kFeatures),
              StatusIs(absl::StatusCode::kNotFound));
  for (const std::string content : {"", "no network", "\x0a\xff\xff\xff"}) {
    ABSL_ASSERT_OK(WriteFileAtomically(path_, content));
    EXPECT_THAT(
        LoadNetwork(path_, kFeatures),
        StatusIs(absl::StatusCode::kInvalidArgument, path_ + " is no network"));
  }
}

TEST_F(ModelFileTest, DamageIsFound) {
  Save();
  const std::string whole = *ReadFile(path_);
  const auto is_refused = [&](const std::string& bytes) {
    ABSL_EXPECT_OK(WriteFileAtomically(path_, bytes));
    EXPECT_THAT(LoadNetwork(path_, kFeatures),
                StatusIs(absl::StatusCode::kDataLoss,
                         AllOf(HasSubstr(path_), HasSubstr("damaged"))));
  };
  // Cut short: at the end, in the middle, behind the magic and the version.
  for (const size_t length : {whole.size() - 1, whole.size() / 2, size_t{20}})
    is_refused(whole.substr(0, length));
  // A bit that is not what it was, of a weight and of the fingerprint.
  for (const size_t at : {whole.size() / 2, whole.size() - 2}) {
    std::string other = whole;
    other[at] ^= 1;
    is_refused(other);
  }
}

// Files that somebody else wrote.
TEST_F(ModelFileTest, WhatMakesNoNetworkIsRefused) {
  const auto is_refused = [&](auto change) {
    Rewrite(change);
    EXPECT_THAT(LoadNetwork(path_, kFeatures),
                StatusIs(absl::StatusCode::kDataLoss, HasSubstr(path_)));
  };
  is_refused([](auto& stored) { stored.set_kind("tlp"); });
  is_refused([](auto& stored) { stored.set_kind("tenset_mlp"); });
  is_refused([](auto& stored) { stored.set_row_columns(1 << 30); });
  is_refused([](auto& stored) { stored.set_row_columns(25); });
  is_refused(
      [](auto& stored) { stored.mutable_row_scales()->set_divisors(0, 0); });
  is_refused([](auto& stored) {
    stored.mutable_row_scales()->mutable_divisors()->RemoveLast();
  });
  is_refused([](auto& stored) { stored.set_limit(-1); });
  is_refused([](auto& stored) { stored.mutable_tensors()->RemoveLast(); });
  is_refused([](auto& stored) { stored.mutable_tensors(0)->set_name("x"); });
  is_refused([](auto& stored) { stored.mutable_tensors(0)->add_shape(1); });
  is_refused([](auto& stored) { stored.mutable_tensors(0)->set_values("1"); });
  Rewrite([](auto&) {});
  ABSL_EXPECT_OK(LoadNetwork(path_, kFeatures));
}

}  // namespace
}  // namespace pruner
