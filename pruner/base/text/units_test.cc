#include "pruner/base/text/units.h"

#include <cstdint>

#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

TEST(UnitsTest, Time) {
  EXPECT_EQ(FormatTime(absl::ZeroDuration()), "0.00 ns");
  EXPECT_EQ(FormatTime(absl::Nanoseconds(250)), "250 ns");
  EXPECT_EQ(FormatTime(absl::Microseconds(17.44)), "17.4 us");
  EXPECT_EQ(FormatTime(absl::Milliseconds(1.234)), "1.23 ms");
  EXPECT_EQ(FormatTime(absl::Seconds(12.3)), "12.3 s");
  EXPECT_EQ(FormatTime(absl::Seconds(59.94)), "59.9 s");
  EXPECT_EQ(FormatTime(absl::Seconds(59.96)), "1m00s");
  EXPECT_EQ(FormatTime(absl::Seconds(125)), "2m05s");
  EXPECT_EQ(FormatTime(absl::Seconds(3599.6)), "1h00m");
  EXPECT_EQ(FormatTime(absl::Minutes(187)), "3h07m");
  EXPECT_EQ(FormatTime(absl::Minutes(1420)), "23h40m");
  EXPECT_EQ(FormatTime(absl::Hours(52)), "2d04h");
  EXPECT_EQ(FormatTime(-absl::Milliseconds(5)), "-5.00 ms");
  EXPECT_EQ(FormatTime(absl::InfiniteDuration()), "forever");
}

TEST(UnitsTest, Flops) {
  EXPECT_EQ(FormatFlops(0), "0.00 FLOP/s");
  EXPECT_EQ(FormatFlops(209.4e9), "209 GFLOP/s");
  EXPECT_EQ(FormatFlops(1.2345e12), "1.23 TFLOP/s");
  EXPECT_EQ(FormatFlops(5e18), "5000 PFLOP/s");
}

TEST(UnitsTest, Bytes) {
  EXPECT_EQ(FormatBytes(0), "0 B");
  EXPECT_EQ(FormatBytes(1023), "1023 B");
  EXPECT_EQ(FormatBytes(1536), "1.50 KiB");
  EXPECT_EQ(FormatBytes(int64_t{20} << 30), "20.0 GiB");
}

TEST(UnitsTest, RoundingNeverShowsFourDigits) {
  EXPECT_EQ(FormatTime(absl::Microseconds(999.4)), "999 us");
  EXPECT_EQ(FormatTime(absl::Microseconds(999.6)), "1.00 ms");
  EXPECT_EQ(FormatTime(absl::Microseconds(9.996)), "10.0 us");
  EXPECT_EQ(FormatTime(absl::Microseconds(99.96)), "100 us");
  EXPECT_EQ(FormatFlops(999.7e9), "1.00 TFLOP/s");
}

TEST(UnitsTest, DecimalsOfAColumn) {
  EXPECT_EQ(ColumnDecimals({}), 0);
  EXPECT_EQ(ColumnDecimals({0, -1}), 0);
  EXPECT_EQ(ColumnDecimals({1.23, 45.6}), 2);
  EXPECT_EQ(ColumnDecimals({45.6, 0, 0.00123}), 5);
  EXPECT_EQ(ColumnDecimals({0.1}), 3);
  EXPECT_EQ(ColumnDecimals({123, 4567}), 0);
  EXPECT_EQ(ColumnDecimals({5e-324}), 12);
}

}  // namespace
}  // namespace pruner
