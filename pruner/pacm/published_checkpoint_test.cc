#include "pruner/pacm/published_checkpoint.h"

#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "absl/strings/str_replace.h"
#include "caffe2/serialize/inline_container.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/os/files.h"
#include "pruner/features/feature_rows.h"
#include "pruner/pacm/network_shape.h"
#include "pruner/pacm/normaliser.h"
#include "pruner/pacm/trained_network.h"

namespace pruner {
namespace {

using ::absl_testing::StatusIs;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr char kNarrow[] = "testdata/checkpoints/narrow.pth";
// testdata/checkpoints/narrow.py
constexpr int kColumns = 5;
constexpr int kBlockColumns = 3;
constexpr int kBlocks = 8;
constexpr double kScores[] = {2.9149086475, 0.6898687482, 1.7695436478};

std::string Bytes() { return ReadFile(kNarrow).value(); }

std::vector<float> Pattern(int count, int step, int modulus) {
  std::vector<float> values;
  for (int i = 0; i < count; ++i) {
    values.push_back(static_cast<float>(i * step % modulus) /
                     static_cast<float>(modulus));
  }
  return values;
}

ColumnScales NoScales(int columns) {
  const auto width = static_cast<size_t>(columns);
  return {.shifts = std::vector<float>(width),
          .divisors = std::vector<float>(width, 1)};
}

// The file with one text of its pickle replaced by another one.
std::string With(const std::string& from, const std::string& to) {
  std::istringstream stream(Bytes());
  caffe2::serialize::PyTorchStreamReader reader(&stream);
  std::string changed;
  caffe2::serialize::PyTorchStreamWriter writer(
      [&](const void* bytes, size_t size) {
        changed.append(static_cast<const char*>(bytes), size);
        return size;
      });
  for (const std::string& name : reader.getAllRecords()) {
    std::string record(reader.getRecordSize(name), '\0');
    reader.getRecord(name, record.data(), record.size());
    if (name == "data.pkl") record = absl::StrReplaceAll(record, {{from, to}});
    if (name != "version" && name != ".data/serialization_id")
      writer.writeRecord(name, record.data(), record.size());
  }
  writer.writeEndOfFile();
  return changed;
}

absl::Status WhyRefused(const std::string& bytes) {
  return ReadPublishedCheckpoint("k80.pth", bytes).status();
}

TEST(PublishedCheckpointTest, ScoresAsTheNetworkThatWasSaved) {
  EXPECT_TRUE(IsPublishedCheckpoint(Bytes()));
  auto model = ReadPublishedCheckpoint(kNarrow, Bytes());
  ABSL_ASSERT_OK(model);
  EXPECT_EQ(model->shape, (NetworkShape{.row_columns = kColumns,
                                        .blocks = kBlocks,
                                        .block_columns = kBlockColumns,
                                        .width = 4}));
  EXPECT_FALSE(model->has_scales());
  model->normaliser = {.rows = NoScales(kColumns),
                       .blocks = NoScales(kBlocks * kBlockColumns)};
  FeatureRows programs = {.columns = kColumns,
                          .program_columns = kBlocks * kBlockColumns};
  for (int p = 0; p < 3; ++p) {
    programs.Append(Pattern((p + 1) * kColumns, 3 + p, 11),
                    Pattern(kBlocks * kBlockColumns, 3 + p, 7));
  }
  const auto scores = ScorePrograms(*model, programs, /*threads=*/1);
  ABSL_ASSERT_OK(scores);
  for (int p = 0; p < 3; ++p) EXPECT_NEAR(scores->at(p), kScores[p], 1e-5);
}

TEST(PublishedCheckpointTest, PicklesAreRefused) {
  const std::string pickle = "\x80\x03(ctvm.auto_scheduler.cost_model\n";
  EXPECT_TRUE(IsPublishedCheckpoint(pickle));
  EXPECT_THAT(ReadPublishedCheckpoint("k80.pkl", pickle),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("k80.pkl is a pickle"),
                             HasSubstr("state_dict (.pth)"))));
  EXPECT_FALSE(IsPublishedCheckpoint("pruner network"));
  EXPECT_FALSE(IsPublishedCheckpoint(""));
}

TEST(PublishedCheckpointTest, WhatIsNoCheckpointIsRefused) {
  ABSL_EXPECT_OK(WhyRefused(With("", "")));
  EXPECT_THAT(WhyRefused(With("l1.0.bias", "l1.0.mass")),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("k80.pth is no checkpoint of PaCM"),
                             HasSubstr("no l1.0.bias"))));
  EXPECT_THAT(WhyRefused(With("decoder.bias", "unknown_bias")),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("no decoder.bias")));
  EXPECT_THAT(WhyRefused(With("segment_encoder.0", "segment_encoder.1")),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("no network reads")));
  EXPECT_THAT(WhyRefused(With("FloatStorage", "HalfsStorage")),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("is in a HalfsStorage")));
  EXPECT_THAT(WhyRefused(With("_rebuild_tensor_v2", "_rebuild_anything_")),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("torch._utils._rebuild_anything_")));
  const std::string bytes = Bytes();
  for (const size_t size : {bytes.size() / 2, size_t{10}}) {
    EXPECT_THAT(WhyRefused(bytes.substr(0, size)),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("k80.pth is no checkpoint of PaCM")));
  }
}

}  // namespace
}  // namespace pruner
