#include "pruner/vta/validity.h"

#include <map>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

TEST(ValidityTest, NeedsByHand) {
  // 4 x 8 outputs of a 3 x 3 kernel read 6 x 10 inputs, of two blocks.
  const VtaNeeds needs = NeedsOf(
      *FindVtaWorkload(42), {.h_threads = 2, .h = 4, .w = 8, .ci = 2, .co = 4});
  EXPECT_EQ(needs.input_vectors, 2 * 2 * 6 * 10);
  EXPECT_EQ(needs.weight_blocks, 2 * 2 * 4 * 9);
  EXPECT_EQ(needs.accumulator_vectors, 2 * 4 * 4 * 8);
}

struct ReasonCase {
  int workload;
  VtaTiling tiling;
  absl::string_view reason;
};

TEST(ValidityTest, Reasons) {
  const ReasonCase cases[] = {
      {42, {}, "none"},
      {42, {.h_threads = 2, .oc_threads = 2}, "both_threaded"},
      {42, {.h_threads = 2, .h = 56}, "undivided_rows"},
      {42, {.h_threads = 2, .h = 28}, "none"},
      {42, {.oc_threads = 2, .co = 4}, "undivided_channels"},
      // 58 x 58 inputs are 3364 vectors; 58 x 30 are 1740, twice too many.
      {42, {.h = 56, .w = 56}, "input_capacity"},
      {42, {.h = 56, .w = 28}, "none"},
      {42, {.oc_threads = 2, .h = 56, .w = 28}, "input_capacity"},
      // 8 x 16 x 9 blocks are 1152.
      {17, {.ci = 8, .co = 16}, "weight_capacity"},
      {17, {.ci = 8, .co = 8}, "none"},
      // 28 x 28 outputs of 4 blocks are 3136 vectors.
      {42, {.h = 28, .w = 28, .co = 4}, "accumulator_capacity"},
      {42, {.h = 28, .w = 28, .co = 2}, "none"},
  };
  for (const ReasonCase& c : cases) {
    const auto reason =
        WhyInvalid(*FindVtaWorkload(c.workload), VtaSpec(), c.tiling);
    EXPECT_EQ(reason ? VtaInvalidName(*reason) : "none", c.reason);
  }
}

// Counted by a program of its own, with these rules only.
TEST(ValidityTest, PointsLeftInEachSpace) {
  const std::map<int, int64_t> expected = {
      {3, 160},    {5, 644},    {8, 5232},   {17, 9396}, {42, 4884},
      {48, 936},   {53, 9436},  {59, 2104},  {76, 7176}, {78, 7704},
      {92, 13468}, {106, 2448}, {107, 2352},
  };
  for (const VtaWorkload& workload : VtaWorkloads()) {
    const KnobSpace space = VtaKnobs(workload, VtaSpec());
    int64_t left = 0;
    for (int64_t i = 0; i < space.size(); ++i) {
      const VtaTiling tiling = VtaTilingAt(space, space.PointAt(i));
      left += WhyInvalid(workload, VtaSpec(), tiling) ? 0 : 1;
    }
    EXPECT_EQ(left, expected.at(workload.id)) << workload.id;
  }
}

}  // namespace
}  // namespace pruner
