#include "pruner/program/vector_length.h"

#include "gtest/gtest.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

TEST(VectorLengthTest, LanesDependOnTheElementType) {
  const TargetSpec target = SampleCpuTarget();  // 16 floats
  const auto lanes = [&](std::vector<ElementType> types) {
    Stage stage;
    stage.types = std::move(types);
    return VectorLanes(stage, target);
  };
  EXPECT_EQ(lanes({kFloat32}), 16);
  EXPECT_EQ(lanes({{TypeCode::kUInt, 8}}), 64);
  EXPECT_EQ(lanes({{TypeCode::kUInt, 16}}), 32);
  EXPECT_EQ(lanes({{TypeCode::kFloat, 64}}), 8);
  EXPECT_EQ(lanes({{TypeCode::kUInt, 8}, kInt32}), 16);
}

struct Case {
  int64_t extent;
  LastVector last;
  bool is_masked;
  int64_t length, vectors;
  bool overlaps, overruns;
};

TEST(VectorLengthTest, LoopsAreCutIntoVectors) {
  constexpr LastVector kNone = LastVector::kNone;
  constexpr LastVector kOverlaps = LastVector::kOverlaps;
  constexpr LastVector kIsMasked = LastVector::kIsMasked;
  const Case kCases[] = {
      {16, kNone, false, 16, 1, false, false},
      {7, kNone, false, 7, 1, false, false},
      {7, kNone, true, 8, 1, false, true},
      {1, kNone, true, 1, 1, false, false},
      {48, kNone, false, 16, 3, false, false},
      {24, kNone, false, 8, 3, false, false},
      {17, kNone, false, 1, 17, false, false},
      {20, kNone, false, 4, 5, false, false},
      {17, kOverlaps, false, 16, 2, true, false},
      {24, kOverlaps, false, 8, 3, false, false},
      {20, kOverlaps, false, 16, 2, true, false},
      {17, kIsMasked, false, 16, 2, false, true},
      {24, kIsMasked, false, 8, 3, false, false},
      {20, kIsMasked, false, 16, 2, false, true},
      {7, kIsMasked, false, 7, 1, false, false},
  };
  for (const Case& c : kCases) {
    const VectorCut cut =
        CutIntoVectors(c.extent, /*lanes=*/16, c.last, c.is_masked);
    SCOPED_TRACE(testing::Message()
                 << c.extent << " " << static_cast<int>(c.last) << " "
                 << c.is_masked);
    EXPECT_EQ(cut.length, c.length);
    EXPECT_EQ(cut.vectors, c.vectors);
    EXPECT_EQ(cut.overlaps, c.overlaps);
    EXPECT_EQ(cut.overruns, c.overruns);
  }
}

TEST(VectorLengthTest, ThreadsHaveWholeVectors) {
  const auto length = [](int64_t extent, bool is_masked) {
    return CutIntoThreadVectors(extent, /*lanes=*/4, is_masked).length;
  };
  EXPECT_EQ(length(2, false), 2);
  EXPECT_EQ(length(3, false), 1);
  EXPECT_EQ(length(4, false), 4);
  EXPECT_EQ(length(6, false), 2);
  EXPECT_EQ(length(8, false), 4);
  EXPECT_EQ(length(4, true), 1);
  EXPECT_EQ(CutIntoThreadVectors(8, 4, false).vectors, 2);
}

TEST(VectorLengthTest, WidthsArePowersOfTwoThatDivide) {
  const TargetSpec target = SampleCpuTarget();
  EXPECT_EQ(VectorWidth(64, target), 16);
  EXPECT_EQ(VectorWidth(1000, target), 8);
  EXPECT_EQ(VectorWidth(3, target), 1);
}

}  // namespace
}  // namespace pruner
