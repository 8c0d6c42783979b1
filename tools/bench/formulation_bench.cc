// What random sampling finds for each formulation of a convolution: compiles
// and times random schedules in this process.
//   bazel run -c opt //tools/bench:formulations -- --size=56 --in=64 --out=64
#include <algorithm>
#include <cstdio>
#include <string>
#include <variant>
#include <vector>

#include "Halide.h"
#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/log/check.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/build/kernel_threads.h"
#include "models/graph/graph_builder.h"
#include "models/job/network_job.h"
#include "models/ops/formulation.h"
#include "models/partition/partition.h"
#include "pruner/base/rng.h"
#include "pruner/sample/schedule_sampler.h"
#include "pruner/schedule/replay.h"
#include "pruner/sketch/sketch_generator.h"
#include "pruner/target/load_target_spec.h"
#include "tools/bench/kernel_race.h"

ABSL_FLAG(int, size, 56, "input height and width");
ABSL_FLAG(int, in, 64, "input channels");
ABSL_FLAG(int, out, 64, "output channels");
ABSL_FLAG(int, batch, 1, "images");
ABSL_FLAG(int, kernel, 3, "kernel height and width");
ABSL_FLAG(int, stride, 1, "stride");
ABSL_FLAG(int, dilation, 1, "dilation");
ABSL_FLAG(int, samples, 60, "random schedules to time, of each formulation");
ABSL_FLAG(int, mutations, 0, "mutations of the best schedule to time then");
ABSL_FLAG(int, seed, 1, "seed");
ABSL_FLAG(int, threads, 0, "threads that kernels use; 0: all cores");
ABSL_FLAG(int, packing, 0,
          "lanes that weights are packed for; 0: those of the machine");
ABSL_FLAG(std::string, formulations, "all",
          "names, separated by commas; all; or empty: those that may pay");
ABSL_FLAG(bool, print, false, "print the best schedule's loops");

namespace pruner {
namespace {

Subgraph Convolution() {
  const int64_t kernel = absl::GetFlag(FLAGS_kernel);
  const int64_t stride = absl::GetFlag(FLAGS_stride);
  const int64_t dilation = absl::GetFlag(FLAGS_dilation);
  const int64_t before = (kernel - 1) * dilation / 2;
  const int64_t in = absl::GetFlag(FLAGS_in), out = absl::GetFlag(FLAGS_out);
  GraphBuilder b("bench");
  const TensorId x =
      b.Input("x", {absl::GetFlag(FLAGS_batch), absl::GetFlag(FLAGS_size),
                    absl::GetFlag(FLAGS_size), in});
  const TensorId weights =
      b.Constant("weights", {kernel, kernel, in, out}, {RandomValues{}});
  const TensorId conv = b.Conv2d("conv", x, weights,
                                 {.stride = {stride, stride},
                                  .padding = {before, before, before, before},
                                  .dilation = {dilation, dilation}});
  b.Output(b.Relu(
      "relu",
      b.BiasAdd("biased", conv, b.Constant("bias", {out}, {RandomValues{}}))));
  const absl::StatusOr<OperatorGraph> graph = std::move(b).Build();
  CHECK_OK(graph.status());
  return PartitionGraph(*graph)->subgraphs[0].subgraph;
}

class FormulationBench {
 public:
  FormulationBench(const Formulation& formulation, const TargetSpec& target)
      : target_(target),
        workload_(*MakeWorkload("bench", formulation.op.pipeline)),
        pipeline_(*WorkloadPipeline::Load(workload_.pipeline)),
        sampler_(
            *ScheduleSampler::Create(Context(), *GenerateSketches(Context()))),
        race_(*KernelRace::Create(pipeline_, absl::GetFlag(FLAGS_seed))) {}

  void Run() {
    Rng rng(absl::GetFlag(FLAGS_seed));
    for (int i = 0; i < absl::GetFlag(FLAGS_samples);)
      i += Try(*sampler_.Sample(rng));
    std::vector<double> sampled = seconds_;
    std::sort(sampled.begin(), sampled.end());
    for (int i = 0; i < absl::GetFlag(FLAGS_mutations);)
      i += Try(*sampler_.Mutate(best_, rng));
    std::printf(
        "sampled: best %.3f, of ten %.3f, median %.3f ms; mutated: %.3f ms; "
        "compile %.0f ms each\n",
        sampled[0] * 1e3, sampled[sampled.size() / 10] * 1e3,
        sampled[sampled.size() / 2] * 1e3, best_seconds_ * 1e3,
        compile_seconds_ / static_cast<double>(seconds_.size()) * 1e3);
    if (absl::GetFlag(FLAGS_print)) {
      std::printf("%s", Replay(workload_.dag, best_)->ToString().c_str());
    }
  }

 private:
  SketchContext Context() const {
    return {.dag = workload_.dag, .target = target_};
  }

  bool Try(const Draw& draw) {
    const auto* schedule = std::get_if<Schedule>(&draw);
    if (schedule == nullptr) return false;
    const absl::Time start = absl::Now();
    const absl::StatusOr<Kernel> kernel = pipeline_.Compile(*schedule, target_);
    compile_seconds_ += absl::ToDoubleSeconds(absl::Now() - start);
    CHECK_OK(kernel.status());
    const absl::StatusOr<double> seconds = race_.BestTime(*kernel);
    CHECK_OK(seconds.status());
    seconds_.push_back(*seconds);
    if (seconds_.back() < best_seconds_) {
      best_seconds_ = seconds_.back();
      best_ = *schedule;
    }
    return true;
  }

  const TargetSpec& target_;
  const Workload workload_;
  const WorkloadPipeline pipeline_;
  ScheduleSampler sampler_;
  KernelRace race_;
  std::vector<double> seconds_;
  double compile_seconds_ = 0;
  Schedule best_;
  double best_seconds_ = 1e9;
};

int Main() {
  TargetSpec target = *LoadTargetSpec("host");
  if (const int threads = absl::GetFlag(FLAGS_threads); threads > 0)
    target.units.cores = threads;
  SetKernelThreads(static_cast<int>(target.units.cores));
  TargetSpec packed_for = target;
  if (const int lanes = absl::GetFlag(FLAGS_packing); lanes > 0)
    packed_for.units.simd_lanes = lanes;
  const absl::StatusOr<FormulationOptions> options =
      ParseFormulations(absl::GetFlag(FLAGS_formulations), /*max_error=*/1e-3);
  CHECK_OK(options.status());
  const absl::StatusOr<std::vector<Formulation>> formulations =
      Formulations(Convolution(), packed_for, *options);
  CHECK_OK(formulations.status());
  for (const Formulation& formulation : *formulations) {
    std::printf("%s: ", formulation.name.c_str());
    std::fflush(stdout);
    FormulationBench(formulation, target).Run();
  }
  return 0;
}

}  // namespace
}  // namespace pruner

int main(int argc, char** argv) {
  absl::ParseCommandLine(argc, argv);
  return pruner::Main();
}
