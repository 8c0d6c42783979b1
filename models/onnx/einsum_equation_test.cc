#include "models/onnx/einsum_equation.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

using ::absl_testing::IsOkAndHolds;
using ::absl_testing::StatusIs;
using ::testing::HasSubstr;

TEST(EinsumEquationTest, Explicit) {
  EXPECT_THAT(
      ParseEinsum("bij, bjk -> bik", {3, 3}),
      IsOkAndHolds(EinsumEquation{.inputs = {{'b', 'i', 'j'}, {'b', 'j', 'k'}},
                                  .output = {'b', 'i', 'k'}}));
  EXPECT_THAT(
      ParseEinsum("i,i->", {1, 1}),
      IsOkAndHolds(EinsumEquation{.inputs = {{'i'}, {'i'}}, .output = {}}));
}

TEST(EinsumEquationTest, Implied) {
  EXPECT_THAT(ParseEinsum("ba", {2}),
              IsOkAndHolds(EinsumEquation{.inputs = {{'b', 'a'}},
                                          .output = {'a', 'b'}}));
  EXPECT_THAT(
      ParseEinsum("...ii", {3}),
      IsOkAndHolds(EinsumEquation{.inputs = {{-1, 'i', 'i'}}, .output = {-1}}));
}

TEST(EinsumEquationTest, DotsStandForTheLastDimensions) {
  EXPECT_THAT(ParseEinsum("i...,...j->...ij", {3, 2}),
              IsOkAndHolds(EinsumEquation{.inputs = {{'i', -2, -1}, {-1, 'j'}},
                                          .output = {-2, -1, 'i', 'j'}}));
  EXPECT_THAT(ParseEinsum("...i->i", {1}),
              IsOkAndHolds(EinsumEquation{.inputs = {{'i'}}, .output = {'i'}}));
}

TEST(EinsumEquationTest, RefusesOthers) {
  const struct {
    std::string equation;
    std::vector<int64_t> ranks;
    std::string reason;
  } kCases[] = {
      {"ij", {2, 2}, "is no equation of 2 inputs"},
      {"ij->i->j", {2}, "is no equation of 1 inputs"},
      {"ij->k", {2}, "has 'k' of no input"},
      {"ij->ii", {2}, "has 'i' twice"},
      {"ij", {3}, "\"ij\" is said of an input of 3 dimensions"},
      {"...ij", {1}, "\"...ij\" is said of an input of 1 dimensions"},
      {"......", {1}, "has two \"...\""},
      {"i.j", {2}, "has something that is no letter"},
      {"i1", {2}, "has something that is no letter"},
  };
  for (const auto& test : kCases) {
    EXPECT_THAT(
        ParseEinsum(test.equation, test.ranks),
        StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(test.reason)))
        << test.equation;
  }
}

}  // namespace
}  // namespace pruner
