// What the plugin schedules computes what the schedules by hand compute, in all
// sizes and for other numbers.
#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tools/bench/pipelines/arguments.h"
#include "tools/bench/pipelines/registered.h"

namespace pruner {
namespace {

class PipelinesTest : public testing::TestWithParam<std::string> {
 protected:
  using Schedules = std::map<std::string, CompiledPipeline>;

  static const Schedules& All() { return RegisteredPipelines().at(GetParam()); }

  // Of images that are so large, and of parts of what they are computed from,
  // all schedules that are linked into this program.
  void Check(const Resize& size, double factor = 1) {
    const CompiledPipeline& hand = All().at("hand");
    absl::StatusOr<PipelineArguments> arguments =
        PipelineArguments::Make(hand, size, factor);
    ASSERT_TRUE(arguments.ok()) << arguments.status();
    ASSERT_EQ(arguments->Run(hand), absl::OkStatus());
    const auto expected = arguments->CopyOutputs();
    for (const int64_t part : {100, 50, 3, 0}) {
      arguments->CropOutputs(
          [&](int64_t extent) { return part * extent / 100 + (part < 100); });
      for (const auto& [name, pipeline] : All()) {
        if (name == "hand") continue;
        SCOPED_TRACE(absl::StrCat(name, " of ", arguments->Size()));
        ASSERT_EQ(arguments->Run(pipeline), absl::OkStatus());
        EXPECT_LE(DifferenceOf(arguments->CopyOutputs(), expected).largest,
                  kMaxError);
      }
    }
  }
};

int64_t SameSize(int64_t extent) { return extent; }

TEST_P(PipelinesTest, IsRightForTheEstimatedSize) { Check(SameSize); }

TEST_P(PipelinesTest, IsRightForOtherSizes) {
  Check([](int64_t extent) { return extent + extent / 7 + 3; });
}

TEST_P(PipelinesTest, IsRightForOtherNumbers) {
  const absl::StatusOr<PipelineArguments> arguments =
      PipelineArguments::Make(All().at("hand"), SameSize);
  ASSERT_TRUE(arguments.ok()) << arguments.status();
  if (!arguments->HasNumbers()) GTEST_SKIP() << "it has buffers alone";
  Check(SameSize, 0.75);
}

std::vector<std::string> Names() {
  std::vector<std::string> names;
  for (const auto& [name, schedules] : RegisteredPipelines())
    names.push_back(name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Pipelines, PipelinesTest, testing::ValuesIn(Names()),
                         [](const testing::TestParamInfo<std::string>& info) {
                           return info.param;
                         });

}  // namespace
}  // namespace pruner
