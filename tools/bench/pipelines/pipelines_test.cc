// What the plugin schedules computes what the schedules by hand compute, in all
// sizes.
#include <cstdint>
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
  const CompiledPipeline& By(const char* scheduler) const {
    return RegisteredPipelines().at(GetParam()).at(scheduler);
  }

  // Of images that are so large, and of parts of what they are computed from.
  void Check(const Resize& size) {
    absl::StatusOr<PipelineArguments> arguments =
        PipelineArguments::Make(By("hand"), size);
    ASSERT_TRUE(arguments.ok()) << arguments.status();
    ASSERT_EQ(arguments->Run(By("hand")), absl::OkStatus());
    const auto expected = arguments->CopyOutputs();
    for (const int64_t part : {100, 50, 3, 0}) {
      arguments->CropOutputs(
          [&](int64_t extent) { return part * extent / 100 + (part < 100); });
      SCOPED_TRACE(arguments->Size());
      ASSERT_EQ(arguments->Run(By("pruner")), absl::OkStatus());
      EXPECT_LE(DifferenceOf(arguments->CopyOutputs(), expected).largest,
                kMaxError);
    }
  }
};

TEST_P(PipelinesTest, IsRightForTheEstimatedSize) {
  Check([](int64_t extent) { return extent; });
}

TEST_P(PipelinesTest, IsRightForOtherSizes) {
  Check([](int64_t extent) { return extent + extent / 7 + 3; });
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
