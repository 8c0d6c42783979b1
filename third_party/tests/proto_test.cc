// Protocol Buffers and Abseil, and cc_proto_library with imports.
#include <string>

#include "absl/log/log.h"
#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "third_party/tests/tensor.pb.h"

namespace pruner::third_party {
namespace {

TEST(ProtoTest, RoundTripsAsBytesAndText) {
  Tensor tensor;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(
      R"pb(
        name: "bias"
        shape { extent: 4 extent: 8 }
        written { seconds: 12 }
      )pb",
      &tensor));
  Tensor read;
  ASSERT_TRUE(read.ParseFromString(tensor.SerializeAsString()));
  EXPECT_THAT(read.shape().extent(), testing::ElementsAre(4, 8));
  EXPECT_EQ(read.written().seconds(), 12);
  LOG(INFO) << absl::StrJoin(read.shape().extent(), " by ");

  std::string text;
  ASSERT_TRUE(google::protobuf::TextFormat::PrintToString(read, &text));
  EXPECT_THAT(text, testing::HasSubstr("name: \"bias\""));
  EXPECT_FALSE(read.ParseFromString("\xff"));
}

}  // namespace
}  // namespace pruner::third_party
