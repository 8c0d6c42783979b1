// The plugin as Halide's users have it: loaded, asked for a schedule of
// pipelines of all kinds, compiled, and run on images of several sizes.
#include <string>
#include <utility>
#include <vector>

#include "Halide.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "halide_ext/plugin/plugin_subjects.h"
#include "pruner/base/os/environment.h"

namespace pruner {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class PluginTest : public testing::TestWithParam<Kind> {
 protected:
  static void SetUpTestSuite() { LoadPlugin(); }
};

TEST_P(PluginTest, IsRightForImagesOfAnySize) {
  Subject plain = Plain(GetParam()), scheduled = GetParam().make();
  const Halide::AutoSchedulerResults results = Autoschedule(scheduled);
  EXPECT_THAT(results.schedule_source, HasSubstr("pipeline.get_func("));
  for (const auto& [width, height] : std::vector<std::pair<int, int>>{
           {kWidth, kHeight}, {1, 1}, {7, 3}, {333, 259}}) {
    SCOPED_TRACE(absl::StrCat(width, "x", height));
    EXPECT_TRUE(SameImage(ImageBy(plain, width, height),
                          ImageBy(scheduled, width, height)));
  }
}

TEST_P(PluginTest, IsRightForOtherValuesOfItsParameters) {
  Subject plain = Plain(GetParam()), scheduled = GetParam().make();
  Autoschedule(scheduled);
  plain.set_params();
  scheduled.set_params();
  EXPECT_TRUE(SameImage(ImageBy(plain, kWidth, kHeight),
                        ImageBy(scheduled, kWidth, kHeight)));
}

TEST_P(PluginTest, SchedulesAlikeForTheSameSeed) {
  Subject first = GetParam().make(), second = GetParam().make();
  const std::string source = Autoschedule(first).schedule_source;
  // But for what Halide appends to names to make them different.
  EXPECT_EQ(Autoschedule(second).schedule_source.size() / 100,
            source.size() / 100);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, PluginTest,
    testing::Values(Kind{"Blur", Blur}, Kind{"Unsharp", Unsharp},
                    Kind{"Equalize", Equalize}, Kind{"Pyramid", Pyramid},
                    Kind{"Product", Product}, Kind{"RowSums", RowSums},
                    Kind{"Switched", Switched}, Kind{"Doubles", Doubles},
                    Kind{"DoubleOutput", DoubleOutput},
                    Kind{"PartlyScheduled", PartlyScheduled}),
    [](const auto& info) { return info.param.name; });

using PluginErrorTest = PluginTest;

TEST_F(PluginErrorTest, WhatIsScheduledAlreadyIsLeftAlone) {
  Subject subject = PartlyScheduled();
  const std::string source = Autoschedule(subject).schedule_source;
  // In the version for large outputs, or in all.
  EXPECT_THAT(source,
              ContainsRegex(R"(funcs\.at\("out"\)\)[^;]*\.vectorize\()"));
  EXPECT_THAT(source, Not(HasSubstr("(funcs.at(\"pairs\"))")));
  EXPECT_THAT(source, Not(HasSubstr("(funcs.at(\"sums\"))")));
}

TEST_F(PluginErrorTest, WhereAllIsScheduledNothingIsDone) {
  Subject plain = Blur(), scheduled = Blur();
  for (size_t i = 0; i < 3; ++i) {
    Halide::Func func = scheduled.pipeline.get_func(i);
    if (func.name().rfind("in", 0) == 0) continue;
    func.compute_root().vectorize(func.args()[0], 16,
                                  Halide::TailStrategy::GuardWithIf);
  }
  const std::string source = Autoschedule(scheduled).schedule_source;
  EXPECT_THAT(source, Not(HasSubstr("funcs.at(")));
  EXPECT_TRUE(SameImage(ImageBy(plain, kWidth, kHeight),
                        ImageBy(scheduled, kWidth, kHeight)));
}

// Instead of the plugin's own.
class OtherWorker {
 public:
  explicit OtherWorker(const char* path) {
    SetEnv("PRUNER_AUTOSCHEDULER", path);
  }
  ~OtherWorker() { UnsetEnv("PRUNER_AUTOSCHEDULER"); }
};

TEST_F(PluginErrorTest, MissingEstimatesNameFuncAndDimension) {
  Subject subject = Blur();
  EXPECT_THAT(ErrorOf([&] {
                subject.pipeline.apply_autoscheduler(Halide::get_host_target(),
                                                     {"Pruner", {}});
              }),
              HasSubstr("the size of output 'out"));
}

TEST_F(PluginErrorTest, UnknownParametersAreRefusedByName) {
  Subject subject = Blur();
  EXPECT_THAT(ErrorOf([&] { Autoschedule(subject, {{"trails", "3"}}); }),
              HasSubstr("there is no autoscheduler.trails; there are "));
}

TEST_F(PluginErrorTest, WithoutItsWorkerAPipelineGetsASimpleSchedule) {
  const OtherWorker worker("/nonexistent/worker");
  Subject plain = Plain({"", Pyramid}), scheduled = Pyramid(),
          strict = Pyramid();
  Autoschedule(scheduled, {});
  EXPECT_THAT(ErrorOf([&] { Autoschedule(strict); }),
              HasSubstr("/nonexistent/worker"));
  for (const int side : {1, 50}) {
    EXPECT_TRUE(
        SameImage(ImageBy(plain, side, side), ImageBy(scheduled, side, side)));
  }
}

TEST_F(PluginErrorTest, AWorkerThatCrashesCostsAWarning) {
  const OtherWorker worker("/bin/false");
  for (const Kind& kind :
       {Kind{"Equalize", Equalize}, Kind{"DoubleOutput", DoubleOutput}}) {
    SCOPED_TRACE(kind.name);
    Subject plain = Plain(kind), scheduled = kind.make();
    Autoschedule(scheduled, {});
    EXPECT_TRUE(SameImage(ImageBy(plain, kWidth, kHeight),
                          ImageBy(scheduled, kWidth, kHeight)));
  }
}

}  // namespace
}  // namespace pruner
