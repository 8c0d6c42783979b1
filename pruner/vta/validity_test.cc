#include "pruner/vta/validity.h"

#include <map>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

TEST(ValidityTest, NeedsByHand) {
  // 4 x 8 outputs of a 3 x 3 kernel read 6 x 10 inputs, of two blocks.
  const VtaNeeds needs =
      NeedsOf(*FindVtaWorkload(42), VtaSpec(),
              {.h_threads = 2, .h = 4, .w = 8, .ci = 2, .co = 4});
  EXPECT_EQ(needs.input_vectors, 2 * 2 * 6 * 10);
  EXPECT_EQ(needs.weight_blocks, 2 * 2 * 4 * 9);
  EXPECT_EQ(needs.accumulator_vectors, 2 * 4 * 4 * 8);
}

TEST(ValidityTest, TransfersByHand) {
  EXPECT_EQ(TransferDimensions({8}, {8}), 1);
  EXPECT_EQ(TransferDimensions({4, 3}, {8, 8}), 2);
  // Whole rows, and whole images, are one run.
  EXPECT_EQ(TransferDimensions({8, 3}, {8, 8}), 1);
  EXPECT_EQ(TransferDimensions({8, 8, 2}, {8, 8, 4}), 1);
  EXPECT_EQ(TransferDimensions({4, 3, 2}, {8, 8, 4}), 3);
  EXPECT_EQ(TransferDimensions({8, 3, 2}, {8, 8, 4}), 2);
  // All rows of a column are a stride, and so are those of the next block.
  EXPECT_EQ(TransferDimensions({4, 8, 2}, {8, 8, 4}), 2);
  EXPECT_EQ(TransferDimensions({1, 3}, {8, 8}), 2);
  EXPECT_EQ(TransferDimensions({1, 1, 1}, {8, 8, 4}), 1);
}

TEST(ValidityTest, DistancesByHand) {
  const VtaWorkload& conv = *FindVtaWorkload(42);
  const VtaTiling tiling = {.h = 2, .w = 7, .ci = 1, .co = 3};
  const int64_t expected[] = {2 * 7 * 3, 7 * 3, 3, 1};
  for (int order = 1; order <= 4; ++order) {
    VtaTiling ordered = tiling;
    ordered.loop_order = order;
    EXPECT_EQ(AccumulatorDistance(conv, ordered), expected[order - 1]);
  }
  // One step of a 1x1 kernel adds nothing to what another has written.
  EXPECT_GT(AccumulatorDistance(*FindVtaWorkload(76), {.loop_order = 4}),
            1000000);
}

struct ReasonCase {
  int workload;
  VtaTiling tiling;
  absl::string_view reason;
};

TEST(ValidityTest, Reasons) {
  const ReasonCase cases[] = {
      {42, {.h = 4}, "none"},
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
      // 28 x 28 outputs of 4 blocks are 3136 vectors.
      {42, {.h = 28, .w = 28, .co = 4}, "accumulator_capacity"},
      // Padding is of one block.
      {42, {.h = 4, .ci = 2}, "input_transfer"},
      {76, {.h = 4, .w = 4, .ci = 2}, "input_transfer"},
      {76, {.h = 4, .w = 112, .ci = 2}, "none"},
      {42, {.h = 4, .w = 4, .co = 2}, "output_transfer"},
      {42, {.h = 4, .w = 56, .co = 2}, "none"},
      {42, {}, "accumulator_distance"},
      {42, {.loop_order = 3, .h = 4}, "accumulator_distance"},
      {42, {.loop_order = 2, .h = 4, .w = 4}, "none"},
  };
  for (const ReasonCase& c : cases) {
    const auto reason =
        WhyInvalid(*FindVtaWorkload(c.workload), VtaSpec(), c.tiling);
    EXPECT_EQ(reason ? VtaInvalidName(*reason) : "none", c.reason);
  }
}

// Counted by a program of its own.
TEST(ValidityTest, ValidPointsOfEachSpace) {
  const std::map<int, int64_t> expected = {
      {3, 21},    {5, 40},    {8, 761},   {17, 651},  {42, 456},
      {48, 448},  {53, 391},  {59, 176},  {76, 1760}, {78, 1762},
      {92, 2118}, {106, 622}, {107, 923},
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
