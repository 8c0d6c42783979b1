#include "pruner/record/run_info.h"

#include <cstdint>
#include <limits>

#include "absl/status/status_matchers.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

using ::absl_testing::IsOkAndHolds;
using ::absl_testing::StatusIs;

LoggedRun Sample() {
  return {.id = 7,
          .target = {0xc0ffee},
          .info = {.seed = std::numeric_limits<uint64_t>::max(),
                   .policy = "mutate",
                   .options = {{"model", "tiny"}, {"batch", "1"}, {"x", ""}},
                   .program = "pruner 9",
                   .halide = "21",
                   .host = "here",
                   .time = absl::FromUnixNanos(1714564800'123456789)},
          .fp32_gflops = 200.5,
          .dram_gb_per_s = 30};
}

TEST(RunTest, ProtoRoundTrips) {
  proto::Run message;
  ASSERT_TRUE(message.ParseFromString(ToProto(Sample()).SerializeAsString()));
  EXPECT_THAT(FromProto(message), IsOkAndHolds(Sample()));
}

TEST(RunTest, FindsOptions) {
  EXPECT_EQ(Sample().info.Option("batch"), "1");
  EXPECT_EQ(Sample().info.Option("none"), "");
}

TEST(RunTest, NumbersThatNoLogGetsToAreRefused) {
  for (const int64_t id :
       {int64_t{0}, int64_t{-1}, std::numeric_limits<int64_t>::max()}) {
    proto::Run message = ToProto(Sample());
    message.set_id(id);
    EXPECT_THAT(FromProto(message),
                StatusIs(absl::StatusCode::kInvalidArgument))
        << id;
  }
}

}  // namespace
}  // namespace pruner
