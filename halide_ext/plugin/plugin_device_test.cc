// Schedules of the plugin for devices: what it makes of pipelines of all kinds,
// run on images of several sizes where there is a device.
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "halide_ext/plugin/plugin_subjects.h"
#include "pruner/base/os/files.h"
#include "pruner/record/log_contents.h"
#include "pruner/target/device_available.h"
#include "pruner/target/required_part.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

using testing::HasSubstr;
using testing::Not;

struct Device {
  const char* name;
  TargetSpec spec;

  Halide::Target target() const { return Halide::Target(spec.halide_target); }
};

std::vector<Device> Devices() {
  return {{"opencl", SampleOpenClTarget()}, {"cuda", SampleGpuTarget()}};
}

class PluginDeviceTest
    : public testing::TestWithParam<std::tuple<Device, Kind>> {
 protected:
  static void SetUpTestSuite() { LoadPlugin(); }

  static const Device& device() { return std::get<0>(GetParam()); }
  static const Kind& kind() { return std::get<1>(GetParam()); }

  static Subject Scheduled(std::map<std::string, std::string> params,
                           std::string& source) {
    Subject subject = kind().make();
    params["strict"] = "1";
    source = Autoschedule(subject, params, device().target()).schedule_source;
    return subject;
  }

  // PoCL 3.1 has all threads of a block do what the first one alone should,
  // where barriers stand under a condition: threads that reduce together for
  // large outputs, one of them for small ones. CUDA's do not.
  static bool IsBrokenForSmallOutputs() {
    return device().spec.backend == Backend::kOpenCl &&
           std::string(kind().name) == "RowSums";
  }

  static void ExpectRight(Subject& scheduled) {
    Subject plain = Plain(kind());
    for (const auto& [width, height] : std::vector<std::pair<int, int>>{
             {kWidth, kHeight}, {1, 1}, {7, 3}, {333, 259}}) {
      if (width < kWidth && IsBrokenForSmallOutputs()) continue;
      SCOPED_TRACE(absl::StrCat(width, "x", height));
      EXPECT_TRUE(
          SameImage(ImageBy(plain, width, height),
                    ImageBy(scheduled, width, height, device().target())));
    }
  }
};

TEST_P(PluginDeviceTest, IsRightForImagesOfAnySize) {
  std::string source;
  Subject scheduled = Scheduled({}, source);
  EXPECT_THAT(source, HasSubstr(".gpu_blocks("));
  EXPECT_THAT(source, HasSubstr("autoscheduler.passes=off"));
  if (EndsWithout(device().name, DeviceAvailable(device().spec))) return;
  ExpectRight(scheduled);
}

TEST_P(PluginDeviceTest, IsRightWithoutPasses) {
  std::string source;
  Subject scheduled = Scheduled({{"passes", "off"}}, source);
  EXPECT_THAT(source, HasSubstr(".gpu_blocks("));
  EXPECT_THAT(source, Not(HasSubstr("autoscheduler.passes=off")));
  if (EndsWithout(device().name, DeviceAvailable(device().spec))) return;
  ExpectRight(scheduled);
}

class PluginDeviceTrialsTest : public testing::TestWithParam<Device> {
 protected:
  static void SetUpTestSuite() { LoadPlugin(); }
};

TEST_P(PluginDeviceTrialsTest, CandidatesAreTimedOnTheDevice) {
  const Device& device = GetParam();
  if (EndsWithout(device.name, DeviceAvailable(device.spec))) return;
  const absl::StatusOr<TempDirectory> folder = TempDirectory::Create();
  ASSERT_TRUE(folder.ok()) << folder.status();
  const std::string log = folder->File("records.log");
  Subject plain = Plain({"", Unsharp}), scheduled = Unsharp();
  Autoschedule(scheduled,
               {{"trials", "8"},
                {"policy", "ansor"},
                {"record_log", log},
                {"strict", "1"}},
               device.target());
  const absl::StatusOr<LogContents> contents = ReadRecordLog(log);
  ASSERT_TRUE(contents.ok()) << contents.status();
  int valid = 0;
  for (const MeasureRecord& record : contents->records)
    valid += record.result.ok();
  EXPECT_GT(valid, 0);
  for (const int size : {1, kWidth, 333}) {
    EXPECT_TRUE(SameImage(ImageBy(plain, size, size),
                          ImageBy(scheduled, size, size, device.target())));
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, PluginDeviceTrialsTest,
                         testing::ValuesIn(Devices()), [](const auto& info) {
                           return std::string(info.param.name);
                         });

INSTANTIATE_TEST_SUITE_P(
    Kinds, PluginDeviceTest,
    testing::Combine(
        testing::ValuesIn(Devices()),
        testing::Values(Kind{"Blur", Blur}, Kind{"Unsharp", Unsharp},
                        Kind{"Equalize", Equalize}, Kind{"Pyramid", Pyramid},
                        Kind{"Product", Product}, Kind{"RowSums", RowSums})),
    [](const auto& info) {
      return absl::StrCat(std::get<0>(info.param).name,
                          std::get<1>(info.param).name);
    });

class PluginDeviceErrorTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { LoadPlugin(); }
};

// Needs no device.
TEST_F(PluginDeviceErrorTest, KernelsForCudaAreCompiled) {
  Subject subject = Unsharp();
  const Halide::Target target("x86-64-linux-cuda-cuda_capability_70");
  Autoschedule(subject, {{"strict", "1"}}, target);
  const absl::StatusOr<TempDirectory> folder = TempDirectory::Create();
  ASSERT_TRUE(folder.ok()) << folder.status();
  const std::string file = folder->File("code.ll");
  subject.pipeline.compile_to_llvm_assembly(
      file, subject.pipeline.infer_arguments(), "unsharp", target);
  const absl::StatusOr<std::string> code = ReadFile(file);
  ASSERT_TRUE(code.ok()) << code.status();
  EXPECT_THAT(*code, HasSubstr(".target sm_70"));
  EXPECT_THAT(*code, HasSubstr(".visible .entry"));
}

TEST_F(PluginDeviceErrorTest, WhatCannotRunHereCannotBeTimed) {
  if (DeviceAvailable(SampleGpuTarget()).ok()) return;
  Subject subject = Blur();
  EXPECT_THAT(
      ErrorOf([&] {
        Autoschedule(subject, {{"trials", "8"}}, Halide::Target("host-cuda"));
      }),
      HasSubstr("autoscheduler.trials=8: this machine cannot run code for "));
}

TEST_F(PluginDeviceErrorTest, OtherDevicesAreRefused) {
  Subject subject = Blur();
  EXPECT_THAT(ErrorOf([&] {
                Autoschedule(subject, {},
                             Halide::Target("x86-64-linux-vulkan"));
              }),
              HasSubstr("schedules for CPUs, CUDA and OpenCL"));
}

}  // namespace
}  // namespace pruner
