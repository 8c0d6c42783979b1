#include "models/job/serve_network.h"

#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

class ServeNetworkTest : public testing::Test {
 protected:
  // Serves a network whose nth run takes n / 4 seconds.
  absl::Status Serve(const std::string& requests) {
    std::istringstream lines(requests);
    proto::ServedNetwork network;
    network.set_model("a \"model\"");
    network.set_batch(16);
    return ServeNetwork(
        network,
        [&] {
          clock_.SleepFor(++runs_ * absl::Milliseconds(250));
          return runs_ == fails_at_ ? absl::InternalError("it broke")
                                    : absl::OkStatus();
        },
        lines, [&](const std::string& line) { said_.push_back(line); }, clock_);
  }

  FakeClock clock_;
  int runs_ = 0;
  int fails_at_ = -1;
  std::vector<std::string> said_;
};

TEST_F(ServeNetworkTest, AnswersEachRequestInALine) {
  ASSERT_TRUE(Serve("time 0\ntime 6\n").ok());
  EXPECT_EQ(said_,
            (std::vector<std::string>{R"({"model":"a \"model\"","batch":"16"})",
                                      R"({"seconds":[0.5,0.75,1]})",
                                      R"({"seconds":[1.5,1.75,2,2.25]})"}));
}

TEST_F(ServeNetworkTest, RefusesWhatIsNoRequest) {
  for (const char* line :
       {"time", "time soon", "time -1", "time 1e9", "time nan", "stop", ""}) {
    EXPECT_EQ(
        Serve(absl::StrCat(line, "\n")),
        absl::InvalidArgumentError(absl::StrCat(
            "'", line, "' is no request; there is: time SECONDS, up to 3600")));
  }
  EXPECT_EQ(runs_, 0);
}

TEST_F(ServeNetworkTest, EndsWhenARunFails) {
  fails_at_ = 6;
  EXPECT_EQ(Serve("time 0\ntime 6\ntime 6\n"), absl::InternalError("it broke"));
  EXPECT_EQ(said_.size(), 2u);
}

}  // namespace
}  // namespace pruner
