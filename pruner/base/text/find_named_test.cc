#include "pruner/base/text/find_named.h"

#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

using ::absl_testing::StatusIs;

struct Entry {
  absl::string_view name;
  absl::string_view description;
};
constexpr Entry kEntries[] = {{"one", "the first"}, {"two", ""}, {"many", "x"}};

TEST(FindNamedTest, FindsAnEntryOrSaysWhichThereAre) {
  const auto entries = absl::MakeConstSpan(kEntries);
  const auto found = FindNamed(entries, "count", "two");
  ABSL_ASSERT_OK(found);
  EXPECT_EQ(*found, &kEntries[1]);
  EXPECT_THAT(FindNamed(entries, "count", "few"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "there is no count 'few'; --count is one of one, two, "
                       "many"));
}

TEST(FindNamedTest, DescribesThemForHelp) {
  EXPECT_EQ(DescribeNamed(absl::MakeConstSpan(kEntries)),
            "one, the first; two; many, x");
}

}  // namespace
}  // namespace pruner
