#include "halide_ext/tests/sample_schedules.h"

#include <utility>
#include <variant>

#include "absl/log/check.h"
#include "absl/strings/str_cat.h"
#include "halide_ext/analyze/sample_pipelines.h"
#include "pruner/sample/schedule_sampler.h"
#include "pruner/schedule/schedule_text.h"
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

// Tiles that divide neither extent are drawn, too.
Halide::Pipeline Sum() { return SumPipeline(55, 100, 24); }

Halide::Pipeline Transforms() { return WinogradProductPipeline(3, 16, 32); }

Halide::Pipeline Norm() { return NormPipeline(3, 10, 64); }

// Schedules with the steps that insert stages, each in an order of its own.
// Stages of the matmul: A, B, product, out; of the norm: A, squares, out;
// of the sum: A, B, bias, product.
struct Written {
  Halide::Pipeline (*make)();
  const char* steps;
};
constexpr Written kWritten[] = {
    {Matmul,
     "cache_write stage=2\n"
     "compute_at stage=2 target_stage=3 target_iterator=0\n"
     "compute_at stage=3 target_stage=4 target_iterator=0\n"
     "store_in stage=2 storage=stack\n"
     "annotate stage=4 iterator=1 annotation=vectorize\n"},
    {Matmul,
     "cache_read stage=1 readers=2\n"
     "cache_read stage=0 readers=3\n"
     "split stage=4 iterator=2 lengths=8 tail=guard\n"
     "reorder stage=4 order=2,0,1,3\n"
     "compute_at stage=1 target_stage=4 target_iterator=0\n"
     "fuse stage=1 iterator=0 count=2\n"
     "split stage=1 iterator=0 lengths=2,5 tail=guard\n"
     "annotate stage=1 iterator=1 annotation=unroll\n"
     "annotate stage=3 iterator=1 annotation=vectorize\n"},
    // B packed for each row of tiles.
    {Matmul,
     "cache_read stage=1 readers=2\n"
     "storage_order stage=2 order=1,0\n"
     "split stage=3 iterator=1 lengths=16 tail=guard\n"
     "compute_at stage=2 target_stage=3 target_iterator=1\n"
     "reorder stage=2 order=1,0\n"
     "annotate stage=2 iterator=1 annotation=vectorize\n"
     "annotate stage=3 iterator=2 annotation=vectorize\n"},
    {Matmul,
     "rfactor stage=2 axis=2 factor=6 part=outer\n"
     "annotate stage=2 iterator=0 annotation=parallel\n"
     "reorder stage=2 order=0,1,3,2\n"
     "annotate stage=2 iterator=3 annotation=vectorize\n"},
    {Norm,
     "rfactor stage=1 axis=2 factor=16 part=inner\n"
     "reorder stage=1 order=0,2,3,1\n"
     "annotate stage=1 iterator=3 annotation=vectorize\n"
     "compute_at stage=1 target_stage=2 target_iterator=0\n"},
    {Sum,
     "cache_write stage=3\n"
     "split stage=4 iterator=0 lengths=6 tail=guard\n"
     "split stage=4 iterator=2 lengths=32 tail=guard\n"
     "reorder stage=4 order=0,2,1,3\n"
     "compute_at stage=3 target_stage=4 target_iterator=1\n"
     "annotate stage=4 iterator=0 annotation=parallel\n"
     "annotate stage=4 iterator=3 annotation=vectorize\n"},
    // The outer part of one axis for the cores, the inner part of the other for
    // vectors.
    {Norm,
     "rfactor stage=1 axis=1 factor=5 part=outer\n"
     "rfactor stage=1 axis=3 factor=16 part=inner\n"
     "compute_at stage=1 target_stage=2 target_iterator=1\n"
     "annotate stage=2 iterator=0 annotation=parallel\n"
     "reorder stage=1 order=0,1,3,4,2\n"
     "annotate stage=1 iterator=4 annotation=vectorize\n"
     "compute_at stage=2 target_stage=3 target_iterator=0\n"},
};

}  // namespace

std::vector<SampleSchedule> SampleSchedules() {
  const TargetSpec target = SampleCpuTarget();
  std::vector<SampleSchedule> samples;
  Rng rng(11);
  for (const auto make : {Matmul, Conv, StridedConv, Sum, Transforms}) {
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
  for (const Written& written : kWritten) {
    absl::StatusOr<AnalyzedPipeline> analyzed = AnalyzePipeline(written.make());
    CHECK_OK(analyzed.status());
    samples.push_back({.name = absl::StrCat("schedule_", samples.size()),
                       .make = written.make,
                       .analyzed = *analyzed,
                       .schedule = *ParseSchedule(written.steps)});
  }
  return samples;
}

}  // namespace pruner
