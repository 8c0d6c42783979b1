#include "pruner/pacm/network_messages.h"

#include <limits>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "gtest/gtest.h"
#include "pruner/cost/cost_model.h"
#include "pruner/features/feature_rows.h"
#include "pruner/pacm/network_messages.pb.h"
#include "pruner/pacm/network_model.h"
#include "pruner/pacm/network_shape.h"

namespace pruner {
namespace {

using ::absl_testing::IsOkAndHolds;
using ::absl_testing::StatusIs;

TEST(NetworkMessagesTest, OptionsComeOutAsTheyWentIn) {
  const NetworkModelOptions options = {
      .features = "columns 7",
      .shape = {.kind = NetworkKind::kTensetMlp,
                .row_columns = 1,
                .blocks = 2,
                .block_columns = 3,
                .width = 4,
                .dataflow_width = 8},
      .pretrained = "a file",
      .adapt = Adaption::kFineTune,
      .train_every = 5,
      .keep_normaliser = true,
      .training = {.optimizer = TrainingOptions::Optimizer::kSgd,
                   .learning_rate = 0.5,
                   .weight_decay = 0.25,
                   .max_gradient_norm = 3,
                   .batch_size = 4,
                   .list_size = 3,
                   .max_epochs = 5,
                   .max_examples = 600,
                   .halving_epochs = 6,
                   .patience = 7,
                   .loss_memory = 0.125,
                   .min_programs = 8,
                   .threads = 9},
      .normalisation = Normalisation::kStandard,
      .seed = 10};
  const auto again = FromProto(ToProto(options));
  ABSL_ASSERT_OK(again);
  EXPECT_EQ(*again, options);
  EXPECT_EQ(*FromProto(ToProto(NetworkModelOptions())), NetworkModelOptions());
}

TEST(NetworkMessagesTest, ProgramsComeOutAsTheyWentIn) {
  FeatureRows programs = {.columns = 2, .program_columns = 1};
  programs.Append({1, 2, 3, 4}, {5});
  programs.Append({-1, 1e-30f}, {0});
  const std::vector<ProgramLabel> labels = {
      {.task = 1, .seconds = 0.5},
      {.task = std::numeric_limits<uint64_t>::max()}};
  const proto::RankedRows rows = ToProto(programs, labels);
  EXPECT_THAT(RowsFromProto(rows), IsOkAndHolds(programs));
  EXPECT_EQ(LabelsFromProto(rows), labels);
  EXPECT_THAT(RowsFromProto(ToProto(FeatureRows{.columns = 3})),
              IsOkAndHolds(FeatureRows{.columns = 3}));
}

TEST(NetworkMessagesTest, NonsenseIsRefused) {
  FeatureRows programs = {.columns = 2, .program_columns = 1};
  programs.Append({1, 2, 3, 4}, {5});
  const auto is_refused = [&](auto change) {
    proto::RankedRows rows = ToProto(programs);
    change(rows);
    EXPECT_THAT(RowsFromProto(rows),
                StatusIs(absl::StatusCode::kInvalidArgument));
  };
  is_refused([](auto& rows) { rows.set_columns(-2); });
  is_refused([](auto& rows) { rows.set_columns(3); });
  is_refused([](auto& rows) { rows.set_ends(0, 1 << 30); });
  is_refused([](auto& rows) { rows.set_ends(0, 0); });
  is_refused([](auto& rows) { rows.clear_ends(); });
  is_refused([](auto& rows) { rows.set_program_values("1"); });
  proto::OpenNetwork open = ToProto(NetworkModelOptions());
  open.set_kind("tlp");
  EXPECT_THAT(FromProto(open), StatusIs(absl::StatusCode::kInvalidArgument));
  open = ToProto(NetworkModelOptions());
  open.set_adapt("luck");
  EXPECT_THAT(FromProto(open), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace pruner
