#include "pruner/pacm/state_dict_pickle.h"

#include <cstddef>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

using ::absl_testing::IsOkAndHolds;
using ::absl_testing::StatusIs;
using ::testing::HasSubstr;

std::string Text(absl::string_view text) {
  return absl::StrCat("X", std::string{static_cast<char>(text.size())},
                      std::string(3, '\0'), text);
}

std::string Number(char value) { return std::string{'K', value}; }

const std::string kBegin = "\x80\x02";
const std::string kOrderedDict = "ccollections\nOrderedDict\n)R";

// ("storage", torch.FloatStorage, "7", "cpu", 6), and a matrix of it.
std::string Matrix() {
  return absl::StrCat("ctorch._utils\n_rebuild_tensor_v2\n((", Text("storage"),
                      "ctorch\nFloatStorage\n", Text("7"), Text("cpu"),
                      Number(6), "tQ", Number(0), Number(2), Number(3), "\x86",
                      Number(3), Number(1), "\x86", "\x89", kOrderedDict, "tR");
}

const PickledTensor kMatrix = {
    .type = "FloatStorage", .storage = "7", .shape = {2, 3}, .strides = {3, 1}};

TEST(StateDictPickleTest, TensorsByName) {
  const std::string whole =
      absl::StrCat(kBegin, kOrderedDict, "q", std::string{'\0'}, "(",
                   Text("a.weight"), Matrix(), Text("b"), Matrix(), "u}",
                   Text("_metadata"), kOrderedDict, "sb.");
  EXPECT_THAT(ReadStateDictPickle(whole),
              IsOkAndHolds(std::map<std::string, PickledTensor>{
                  {"a.weight", kMatrix}, {"b", kMatrix}}));
  // Cut anywhere, it is refused, not misread.
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_THAT(ReadStateDictPickle(whole.substr(0, size)),
                StatusIs(absl::StatusCode::kInvalidArgument));
  }
}

TEST(StateDictPickleTest, WhatIsMadeOnceMayBeNamedAgain) {
  const std::string memo(1, '\0');
  EXPECT_THAT(
      ReadStateDictPickle(absl::StrCat(kBegin, "}", Text("a"), Matrix(), "q",
                                       memo, "s", Text("b"), "h", memo, "s.")),
      IsOkAndHolds(std::map<std::string, PickledTensor>{{"a", kMatrix},
                                                        {"b", kMatrix}}));
  EXPECT_THAT(ReadStateDictPickle(kBegin + "h" + memo + "."),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(StateDictPickleTest, WhatNestsWithoutEndIsRefused) {
  const std::string memo(1, '\0');
  EXPECT_THAT(ReadStateDictPickle(absl::StrCat(kBegin, "}q", memo, Text("me"),
                                               "h", memo, "s.")),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("more than tensors by name")));
  EXPECT_THAT(ReadStateDictPickle(
                  absl::StrCat(kBegin, ")", std::string(65000, '\x85'), ".")),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(StateDictPickleTest, MoreDimensionsThanTensorsHaveAreRefused) {
  std::string shape = "(";
  for (int i = 0; i < 65; ++i) absl::StrAppend(&shape, Number(1));
  const std::string matrix = absl::StrReplaceAll(
      Matrix(),
      {{absl::StrCat(Number(2), Number(3), "\x86"), absl::StrCat(shape, "t")}});
  EXPECT_THAT(
      ReadStateDictPickle(absl::StrCat(kBegin, "}", Text("a"), matrix, "s.")),
      StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(StateDictPickleTest, NothingElseIsMade) {
  EXPECT_THAT(ReadStateDictPickle(absl::StrCat(kBegin, "cos\nsystem\n",
                                               Text("reboot"), "\x85R.")),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("asks for os.system")));
  EXPECT_THAT(ReadStateDictPickle(kBegin + "}i"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("asks for operation 0x69")));
  EXPECT_THAT(
      ReadStateDictPickle(kBegin + Number(1) + "."),
      StatusIs(absl::StatusCode::kInvalidArgument, "it is no state_dict"));
  EXPECT_THAT(ReadStateDictPickle(
                  absl::StrCat(kBegin, "}", Text("epoch"), Number(1), "s.")),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("more than tensors by name")));
  EXPECT_THAT(ReadStateDictPickle(std::string(1 << 17, '(')),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace pruner
