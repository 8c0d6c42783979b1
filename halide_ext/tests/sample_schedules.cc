#include "halide_ext/tests/sample_schedules.h"

#include <utility>
#include <variant>

#include "absl/log/check.h"
#include "absl/strings/str_cat.h"
#include "halide_ext/analyze/sample_pipelines.h"
#include "pruner/sample/schedule_sampler.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

constexpr int kPerPipeline = 6;

Halide::Pipeline Matmul() { return MatmulReluPipeline(48, 80, 24); }
Halide::Pipeline Conv() {
  return ConvBiasReluPipeline(
      {.size = 14, .in_channels = 8, .out_channels = 64});
}
Halide::Pipeline StridedConv() {
  return ConvBiasReluPipeline(
      {.size = 15, .in_channels = 3, .out_channels = 32, .stride = 2});
}

}  // namespace

std::vector<SampleSchedule> SampleSchedules() {
  const TargetSpec target = SampleCpuTarget();
  std::vector<SampleSchedule> samples;
  Rng rng(11);
  for (const auto make : {Matmul, Conv, StridedConv}) {
    absl::StatusOr<AnalyzedPipeline> analyzed = AnalyzePipeline(make());
    CHECK_OK(analyzed.status());
    const SketchContext context = {.dag = analyzed->dag, .target = target};
    ScheduleSampler sampler =
        *ScheduleSampler::Create(context, *GenerateSketches(context));
    for (int count = 0; count < kPerPipeline;) {
      const Draw draw = *sampler.Sample(rng);
      const auto* schedule = std::get_if<Schedule>(&draw);
      if (schedule == nullptr) continue;
      samples.push_back({.name = absl::StrCat("schedule_", samples.size()),
                         .make = make,
                         .analyzed = *analyzed,
                         .schedule = *schedule});
      ++count;
    }
  }
  return samples;
}

}  // namespace pruner
