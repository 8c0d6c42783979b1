// What random sampling alone finds: compiles and times random schedules of one
// operator in this process and prints the distribution of their speed.
//   bazel run -c opt //tools/bench:sample -- --op=conv --size=56 --in=64
//   --out=64
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "Halide.h"
#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/log/check.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "halide_ext/analyze/sample_pipelines.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/build/kernel_threads.h"
#include "pruner/sample/schedule_sampler.h"
#include "pruner/schedule/replay.h"
#include "pruner/schedule/schedule_text.h"
#include "pruner/target/load_target_spec.h"
#include "tools/bench/kernel_race.h"

ABSL_FLAG(std::string, op, "conv", "conv or matmul");
ABSL_FLAG(int, size, 56, "input height and width, or rows of the matrix");
ABSL_FLAG(int, in, 64, "input channels, or depth");
ABSL_FLAG(int, out, 64, "output channels, or columns");
ABSL_FLAG(int, kernel, 3, "kernel height and width");
ABSL_FLAG(int, stride, 1, "stride");
ABSL_FLAG(int, samples, 60, "random schedules to time");
ABSL_FLAG(int, seed, 1, "seed");
ABSL_FLAG(bool, print, false, "print the best schedule's loops");

namespace pruner {
namespace {

int Main() {
  const Halide::Pipeline halide =
      absl::GetFlag(FLAGS_op) == "matmul"
          ? MatmulReluPipeline(absl::GetFlag(FLAGS_size),
                               absl::GetFlag(FLAGS_out),
                               absl::GetFlag(FLAGS_in))
          : ConvBiasReluPipeline({.size = absl::GetFlag(FLAGS_size),
                                  .in_channels = absl::GetFlag(FLAGS_in),
                                  .out_channels = absl::GetFlag(FLAGS_out),
                                  .kernel = absl::GetFlag(FLAGS_kernel),
                                  .stride = absl::GetFlag(FLAGS_stride)});
  const Workload workload = *MakeWorkload("bench", halide);
  const WorkloadPipeline pipeline = *WorkloadPipeline::Load(workload.pipeline);
  const TargetSpec target = *LoadTargetSpec("host");
  const SketchContext context = {.dag = workload.dag, .target = target};
  ScheduleSampler sampler =
      *ScheduleSampler::Create(context, *GenerateSketches(context));
  SetKernelThreads(static_cast<int>(target.units.cores));
  KernelRace race = *KernelRace::Create(pipeline, absl::GetFlag(FLAGS_seed));
  const double flops = static_cast<double>(workload.dag.Flops());
  Rng rng(absl::GetFlag(FLAGS_seed));
  std::vector<double> speeds;
  double compile_seconds = 0, best = 0;
  const absl::StatusOr<double> base =
      race.BestTime(*pipeline.Compile(*sampler.DefaultSchedule(), target));
  CHECK_OK(base.status());
  std::printf("default: %.3f ms, %.1f GFLOP/s (peak %.1f)\n", *base * 1e3,
              flops / *base * 1e-9, target.peaks.fp32_gflops);
  while (static_cast<int>(speeds.size()) < absl::GetFlag(FLAGS_samples)) {
    const Draw draw = *sampler.Sample(rng);
    const auto* schedule = std::get_if<Schedule>(&draw);
    if (schedule == nullptr) continue;
    const absl::Time start = absl::Now();
    const absl::StatusOr<Kernel> kernel = pipeline.Compile(*schedule, target);
    compile_seconds += absl::ToDoubleSeconds(absl::Now() - start);
    const absl::StatusOr<double> seconds =
        kernel.ok() ? race.BestTime(*kernel) : kernel.status();
    if (!seconds.ok()) {
      std::printf("failed: %s\n%s",
                  std::string(seconds.status().message()).c_str(),
                  PrintSchedule(*schedule).c_str());
      speeds.push_back(0);
      continue;
    }
    speeds.push_back(flops / *seconds * 1e-9);
    if (speeds.back() > best) {
      best = speeds.back();
      std::printf("sample %zu: %.1f GFLOP/s\n", speeds.size(), best);
      if (absl::GetFlag(FLAGS_print)) {
        std::printf("%s", Replay(workload.dag, *schedule)->ToString().c_str());
      }
    }
  }
  std::sort(speeds.rbegin(), speeds.rend());
  std::printf(
      "best %.1f  top 10%% %.1f  median %.1f GFLOP/s; compile %.0f ms each\n",
      speeds[0], speeds[speeds.size() / 10], speeds[speeds.size() / 2],
      compile_seconds / static_cast<double>(speeds.size()) * 1e3);
  return 0;
}

}  // namespace
}  // namespace pruner

int main(int argc, char** argv) {
  absl::ParseCommandLine(argc, argv);
  return pruner::Main();
}
