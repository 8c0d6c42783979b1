#include "halide_ext/runner/tensor_values.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "Halide.h"
#include "gtest/gtest.h"
#include "halide_ext/build/kernel_argument.h"
#include "pruner/base/rng.h"
#include "pruner/dag/compute_dag.h"

namespace pruner {
namespace {

KernelArgument Argument(const Halide::Type& type, int64_t elements) {
  return {.name = "t", .shape = {elements}, .min = {0}, .type = type};
}

std::vector<Halide::Type> AllTypes() {
  std::vector<Halide::Type> types = {Halide::Bool(), Halide::BFloat(16)};
  for (const int bits : {8, 16, 32, 64}) {
    types.push_back(Halide::Int(bits));
    types.push_back(Halide::UInt(bits));
    if (bits > 8) types.push_back(Halide::Float(bits));
  }
  return types;
}

// The elements of a tensor that FillInput filled.
std::vector<uint8_t> Filled(const KernelArgument& argument,
                            InputValues values) {
  std::vector<uint8_t> bytes(argument.Bytes());
  Rng rng(1);
  FillInput(argument, values, rng, bytes.data());
  return bytes;
}

TEST(TensorValuesTest, EqualTensorsOfAllTypesDoNotDiffer) {
  for (const Halide::Type& type : AllTypes()) {
    SCOPED_TRACE(testing::Message() << type);
    const KernelArgument argument = Argument(type, 100);
    const auto bytes = Filled(argument, InputValues::kPositive);
    EXPECT_EQ(RelativeError(argument, bytes.data(), bytes.data(), 0), 0);
  }
}

// One element that was not written is enough, also where others are large.
TEST(TensorValuesTest, SpoiledElementsOfAllTypesDiffer) {
  for (const Halide::Type& type : AllTypes()) {
    SCOPED_TRACE(testing::Message() << type);
    const KernelArgument argument = Argument(type, 100);
    const auto expected = Filled(argument, InputValues::kPositive);
    std::vector<uint8_t> spoiled(argument.Bytes());
    Spoil(argument, expected.data(), spoiled.data());
    for (const size_t at : {0, 50, 99}) {
      std::vector<uint8_t> actual = expected;
      const size_t bytes = type.bytes();
      std::memcpy(&actual[at * bytes], &spoiled[at * bytes], bytes);
      EXPECT_GT(RelativeError(argument, actual.data(), expected.data(), 1),
                1e-3);
    }
  }
}

TEST(TensorValuesTest, WholeNumbersMayDifferByTheSlack) {
  const KernelArgument argument = Argument(Halide::UInt(8), 3);
  const std::vector<uint8_t> expected = {0, 100, 200};
  const std::vector<uint8_t> near = {1, 99, 200}, far = {0, 102, 200};
  EXPECT_EQ(RelativeError(argument, near.data(), expected.data(), 1), 0);
  EXPECT_EQ(RelativeError(argument, near.data(), expected.data(), 0), 1. / 200);
  EXPECT_EQ(RelativeError(argument, far.data(), expected.data(), 1), 2. / 200);
}

TEST(TensorValuesTest, WhatIsNoNumberInTheReferenceIsNotCompared) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> numbers = {1, 2}, none = {nan, nan};
  EXPECT_EQ(RelativeError({3, 2}, {nan, 2}), 0);
  EXPECT_TRUE(std::isinf(RelativeError({nan, 2}, numbers)));
  EXPECT_TRUE(std::isinf(RelativeError(numbers, none)));
}

TEST(TensorValuesTest, TellsWhatIsWrongWithATensor) {
  const KernelArgument argument = Argument(Halide::Float(32), 4);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> expected = {1, 2, 4, 3};
  std::vector<float> actual = {1, 2.5, 4, 3};
  const auto compare = [&] {
    return Compare(argument, actual.data(), expected.data(), 0);
  };
  EXPECT_EQ(compare().relative, 0.125);
  EXPECT_EQ(compare().element, 1);
  actual[2] = nan;
  EXPECT_TRUE(std::isinf(compare().relative));
  EXPECT_EQ(compare().element, 2);
  EXPECT_EQ(compare().not_finite, 1);
  EXPECT_EQ(compare().unwritten, 0);
  Spoil(argument, expected.data(), actual.data());
  EXPECT_EQ(compare().not_finite, 0);
  EXPECT_EQ(compare().unwritten, 4);
  EXPECT_EQ(Compare(argument, expected.data(), expected.data(), 0).element, -1);
}

TEST(TensorValuesTest, BytesTakeAllValuesAndFloatsAreAsAskedFor) {
  const auto bytes =
      Filled(Argument(Halide::UInt(8), 10000), InputValues::kCentered);
  EXPECT_EQ(std::set<uint8_t>(bytes.begin(), bytes.end()).size(), 256u);
  const KernelArgument floats = Argument(Halide::Float(32), 10000);
  for (const auto& [values, expected] :
       {std::pair{InputValues::kCentered, std::set<float>{-1, -.5, 0, .5, 1}},
        std::pair{InputValues::kPositive, std::set<float>{.25, .5, .75, 1}},
        std::pair{InputValues::kBlackAndWhite, std::set<float>{0, 1}}}) {
    const auto filled = Filled(floats, values);
    const auto* data = reinterpret_cast<const float*>(filled.data());
    EXPECT_EQ(std::set<float>(data, data + 10000), expected);
  }
}

TEST(TensorValuesTest, ThereIsSlackWhereFloatsAre) {
  Stage input;
  input.name = "in";
  input.kind = StageKind::kPlaceholder;
  input.shape = {4};
  input.types = {{TypeCode::kUInt, 8}};
  EXPECT_EQ(IntegerSlack(*ComputeDag::Create({input})), 0);
  input.types = {kFloat32};
  EXPECT_EQ(IntegerSlack(*ComputeDag::Create({input})), 1);
}

}  // namespace
}  // namespace pruner
