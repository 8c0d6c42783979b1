#include "pruner/target/measure_peaks.h"

#include <atomic>
#include <cmath>
#include <cstdint>

#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "pruner/base/clock.h"
#include "pruner/target/detect_host.h"

namespace pruner {
namespace {

constexpr int64_t kMiB = 1048576;

bool FiniteAndPositive(double value) {
  return std::isfinite(value) && value > 0;
}

// Bounds that any machine keeps: figures beyond them mean loops left out or
// units mixed up.
TEST(MeasurePeaksTest, FiguresArePlausible) {
  HostInfo host = DetectHost();
  host.caches.llc.size_bytes = 4 * kMiB;
  const MeasuredPeaks peaks =
      MeasurePeaks(host, RealClock(), {.total = absl::Milliseconds(4)});
  EXPECT_GT(peaks.fp32_gflops_per_core, 1);
  EXPECT_LT(peaks.fp32_gflops_per_core, 5000);
  EXPECT_TRUE(FiniteAndPositive(peaks.fp32_gflops));
  EXPECT_GE(peaks.fma_pipes, 1);
  EXPECT_LE(peaks.fma_pipes, 4);
  for (const double bandwidth : {peaks.l1_gb_per_s, peaks.l2_gb_per_s,
                                 peaks.llc_gb_per_s, peaks.dram_gb_per_s}) {
    EXPECT_TRUE(FiniteAndPositive(bandwidth));
    EXPECT_LT(bandwidth, 100000);
  }
}

// A clock that moves only when it is read: the figures are then known exactly
// enough to see that more threads count as more work.
class TickingClock : public Clock {
 public:
  absl::Time Now() override { return absl::UnixEpoch(); }
  absl::Duration Elapsed() override { return absl::Milliseconds(++readings_); }
  void SleepFor(absl::Duration) override {}

 private:
  std::atomic<int> readings_ = 0;
};

TEST(MeasurePeaksTest, AllCoresCountTogether) {
  HostInfo host = DetectHost();
  host.cores = 3;
  host.caches.llc.size_bytes = 3 * kMiB;
  TickingClock clock;
  // One round takes one tick, which is a repetition.
  const MeasuredPeaks peaks = MeasurePeaks(
      host, clock, {.repetition = absl::Milliseconds(1), .max_repetitions = 5});
  EXPECT_DOUBLE_EQ(peaks.fp32_gflops, 3 * peaks.fp32_gflops_per_core);
  EXPECT_TRUE(peaks.reliable);
}

TEST(IsConfirmedTest, SeveralMustComeCloseToTheBest) {
  EXPECT_TRUE(IsConfirmed({100, 20, 99, 98, 30, 97.5, 99}));
  EXPECT_FALSE(IsConfirmed({100, 20, 99, 98, 30, 90, 99}));
  EXPECT_FALSE(IsConfirmed({100}));
}

// A clock that stands still is the worst a coarse one can do.
TEST(MeasurePeaksTest, SurvivesACoarseClock) {
  HostInfo host = DetectHost();
  host.caches.llc.size_bytes = 1 * kMiB;
  FakeClock clock;
  const MeasuredPeaks peaks = MeasurePeaks(
      host, clock, {.repetition = absl::Nanoseconds(1), .max_repetitions = 5});
  EXPECT_TRUE(FiniteAndPositive(peaks.fp32_gflops));
  EXPECT_TRUE(FiniteAndPositive(peaks.dram_gb_per_s));
}

}  // namespace
}  // namespace pruner
