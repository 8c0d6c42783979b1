#include "models/runtime/latency.h"

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

TEST(LatencyTest, SamplesUntilBothMinimaAreReached) {
  FakeClock clock;
  int runs = 0;
  const auto run = [&] {
    clock.Advance(absl::Milliseconds(++runs % 3 == 0 ? 400 : 100));
    return absl::OkStatus();
  };
  const absl::StatusOr<Latency> by_time = MeasureLatency(
      run, {.warm_up_runs = 3, .min_samples = 2, .min_seconds = 1.1}, clock);
  ASSERT_TRUE(by_time.ok()) << by_time.status();
  EXPECT_EQ(by_time->seconds,
            (std::vector<double>{0.1, 0.1, 0.4, 0.1, 0.1, 0.4}));
  EXPECT_EQ(runs, 9);
  EXPECT_DOUBLE_EQ(by_time->Median(), 0.1);
  EXPECT_DOUBLE_EQ(by_time->Min(), 0.1);

  const absl::StatusOr<Latency> by_number = MeasureLatency(
      run, {.warm_up_runs = 0, .min_samples = 4, .min_seconds = 0}, clock);
  EXPECT_EQ(by_number->seconds, (std::vector<double>{0.1, 0.1, 0.4, 0.1}));

  const absl::StatusOr<Latency> enough =
      MeasureLatency(run, {.warm_up_runs = 1, .max_samples = 2}, clock);
  EXPECT_EQ(enough->seconds, (std::vector<double>{0.4, 0.1}));
}

TEST(LatencyTest, MedianIsInTheMiddle) {
  EXPECT_EQ((Latency{{3, 1, 2}}).Median(), 2);
  EXPECT_EQ((Latency{{4, 1, 2, 3}}).Median(), 2.5);
  EXPECT_EQ((Latency{{4, 1, 2, 3}}).Min(), 1);
}

TEST(LatencyTest, InTurns) {
  FakeClock clock;
  std::string order;
  std::vector<std::function<absl::Status()>> runs;
  for (const char name : {'a', 'b'}) {
    runs.emplace_back([&, name] {
      order += name;
      // The first turn is disturbed.
      clock.Advance(absl::Seconds(order.size() <= 6 ? 9 : name - 'a' + 1));
      return absl::OkStatus();
    });
  }
  const LatencyOptions options = {
      .warm_up_runs = 1, .min_samples = 2, .min_seconds = 0};
  const auto latencies = MeasureInTurns(runs, 3, options, clock);
  ASSERT_TRUE(latencies.ok()) << latencies.status();
  EXPECT_EQ(order, "aaabbbaaabbbaaabbb");
  ASSERT_EQ(latencies->size(), 2);
  EXPECT_EQ((*latencies)[0].seconds, (std::vector<double>{9, 9, 1, 1, 1, 1}));
  EXPECT_EQ((*latencies)[0].Median(), 1);
  EXPECT_EQ((*latencies)[1].Median(), 2);

  runs.emplace_back([] { return absl::InternalError("broken"); });
  EXPECT_EQ(MeasureInTurns(runs, 3, options, clock).status().message(),
            "broken");
}

TEST(LatencyTest, ErrorsEndIt) {
  FakeClock clock;
  int runs = 0;
  const auto run = [&] {
    clock.Advance(absl::Seconds(1));
    return ++runs < 5 ? absl::OkStatus() : absl::InternalError("broken");
  };
  const absl::StatusOr<Latency> latency =
      MeasureLatency(run, {.warm_up_runs = 1, .min_samples = 10}, clock);
  EXPECT_EQ(latency.status().message(), "broken");
  EXPECT_EQ(runs, 5);
}

}  // namespace
}  // namespace pruner
