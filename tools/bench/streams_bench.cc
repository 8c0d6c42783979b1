// What streaming weights ahead gives: convolutions whose weights come from
// memory, searched with streams and without, in one process.
//   bazel run -c opt //tools/bench:streams -- --trials=200
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/log/check.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/build/kernel_threads.h"
#include "halide_ext/runner/rotating_tensors.h"
#include "models/graph/graph_builder.h"
#include "models/ops/formulation.h"
#include "models/partition/partition.h"
#include "models/runtime/aligned_floats.h"
#include "pruner/base/rng.h"
#include "pruner/program/resolve.h"
#include "pruner/search/policy_table.h"
#include "pruner/target/load_target_spec.h"

ABSL_FLAG(int, trials, 200, "schedules to time, of each search");
ABSL_FLAG(int, seed, 1, "seed");
ABSL_FLAG(int, rounds, 200, "runs of the best schedules, in turns");
ABSL_FLAG(std::string, only, "", "which convolution; empty: all");
ABSL_FLAG(bool, print, false, "print the best schedules' programs");

namespace pruner {
namespace {

struct Shape {
  int64_t size, kernel, in, out;
  std::string ToString() const {
    return absl::StrCat(kernel, "x", kernel, " ", in, " to ", out, " at ", size,
                        "x", size);
  }
};
constexpr Shape kShapes[] = {
    {7, 1, 512, 2048}, {7, 1, 2048, 512}, {7, 3, 512, 512}, {14, 1, 256, 1024}};

Subgraph Convolution(const Shape& shape) {
  GraphBuilder b("bench");
  const TensorId x = b.Input("x", {1, shape.size, shape.size, shape.in});
  const TensorId weights =
      b.Constant("weights", {shape.kernel, shape.kernel, shape.in, shape.out},
                 {RandomValues{}});
  const int64_t before = shape.kernel / 2;
  b.Output(b.Conv2d("conv", x, weights,
                    {.stride = {1, 1},
                     .padding = {before, before, before, before},
                     .dilation = {1, 1}}));
  const absl::StatusOr<OperatorGraph> graph = std::move(b).Build();
  CHECK_OK(graph.status());
  return PartitionGraph(*graph)->subgraphs[0].subgraph;
}

double Median(std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

class Bench {
 public:
  Bench(const Formulation& formulation, const TargetSpec& target)
      : target_(target),
        workload_(*MakeWorkload("bench", formulation.op.pipeline)),
        pipeline_(*WorkloadPipeline::Load(workload_.pipeline)) {
    std::vector<bool> is_constant;
    for (const KernelArgument& argument : pipeline_.arguments()) {
      memory_.emplace_back(static_cast<size_t>(argument.NumElements()));
      std::fill(memory_.back().span().begin(), memory_.back().span().end(),
                0.5F);
      is_constant.push_back(absl::StrContains(argument.name, "weights"));
      if (is_constant.back()) weights_ = {argument.name};
    }
    CHECK_EQ(weights_.size(), 1U);
    for (size_t i = 0; i < memory_.size(); ++i)
      tensors_.emplace_back(pipeline_.arguments()[i], memory_[i].data());
    for (KernelTensor& tensor : tensors_) pointers_.push_back(&tensor);
    const auto rotate = [&](int64_t bytes) {
      absl::StatusOr<RotatingTensors> rotating = RotatingTensors::Create(
          pipeline_.arguments(), pointers_, is_constant, bytes);
      CHECK_OK(rotating.status());
      return *std::move(rotating);
    };
    cold_ = rotate(2 * target.llc.size_bytes);
  }

  struct Found {
    Schedule schedule;
    double seconds = 1e9;
  };

  // What the default policy finds in so many trials.
  Found Search(bool has_streams, bool is_cold, int trials, Rng& rng) {
    SketchContext context = {.dag = workload_.dag, .target = target_};
    if (has_streams) context.cold_inputs = weights_;
    const std::unique_ptr<SearchPolicy> policy =
        *(*FindPolicy(kDefaultPolicy))->make({.context = context});
    Found best;
    for (int trial = 0; trial < trials;) {
      const std::vector<Proposal> proposals = *policy->Propose(10, rng);
      if (proposals.empty()) break;
      for (const Proposal& proposal : proposals) {
        ++trial;
        const absl::StatusOr<Kernel> kernel =
            pipeline_.Compile(proposal.schedule, target_);
        CHECK_OK(kernel.status());
        MeasureResult result;
        for (int i = 0; i < 9; ++i) {
          const double seconds = Time(*kernel, is_cold);
          if (i > 0) result.seconds.push_back(seconds);
          if (i > 0 && seconds > 3 * best.seconds) break;
        }
        policy->Observe(proposal, result);
        if (Cost(result) < best.seconds)
          best = {.schedule = proposal.schedule, .seconds = Cost(result)};
      }
    }
    return best;
  }

  double Time(const Kernel& kernel, bool is_cold) {
    const absl::StatusOr<double> seconds =
        kernel.Time(is_cold ? cold_.Next() : first_, 1);
    CHECK_OK(seconds.status());
    return *seconds;
  }

  // Medians of runs in turns: of each kernel cold, then warm.
  std::vector<double> Race(absl::Span<const Found* const> found, int rounds) {
    std::vector<Kernel> kernels;
    for (const Found* f : found)
      kernels.push_back(*pipeline_.Compile(f->schedule, target_));
    std::vector<std::vector<double>> seconds(2 * kernels.size());
    for (int round = 0; round < rounds; ++round) {
      for (size_t k = 0; k < kernels.size(); ++k) {
        for (int i = 0; i < 3; ++i) {
          const double time = Time(kernels[k], /*is_cold=*/true);
          if (i > 0) seconds[2 * k].push_back(time);
        }
        for (int i = 0; i < 5; ++i) {
          const double time = Time(kernels[k], /*is_cold=*/false);
          if (i > 2) seconds[2 * k + 1].push_back(time);
        }
      }
    }
    std::vector<double> medians;
    for (const std::vector<double>& s : seconds) medians.push_back(Median(s));
    return medians;
  }

  void Run(const Shape& shape) {
    const int trials = absl::GetFlag(FLAGS_trials);
    const absl::Span<KernelTensor* const> first = cold_.Next();
    first_.assign(first.begin(), first.end());
    Rng rng(absl::GetFlag(FLAGS_seed));
    const Found with = Search(true, true, trials, rng);
    const Found without = Search(false, true, trials, rng);
    const Found warm = Search(false, false, trials, rng);
    const std::vector<double> ms = Race({&with, &without, &warm},
                                        absl::GetFlag(FLAGS_rounds));
    std::printf(
        "%-28s with streams cold %.1f warm %.1f; without cold %.1f warm %.1f; "
        "found warm: cold %.1f warm %.1f us; gap closed %.0f %%\n",
        shape.ToString().c_str(), ms[0] * 1e6, ms[1] * 1e6, ms[2] * 1e6,
        ms[3] * 1e6, ms[4] * 1e6, ms[5] * 1e6,
        100 * (ms[2] - ms[0]) / (ms[2] - std::min(ms[3], ms[5])));
    std::fflush(stdout);
    if (!absl::GetFlag(FLAGS_print)) return;
    for (const Found* f : {&with, &without, &warm}) {
      std::printf("%s\n",
                  Resolve(workload_.dag, f->schedule, target_)->ToString().c_str());
    }
    Variants(with);
    Variants(without);
    Variants(warm);
  }

  // The same with other streams.
  void Variants(const Found& found) {
    std::vector<Found> variants(4, found);
    std::vector<const Found*> pointers;
    for (int ahead = 0; ahead < 4; ++ahead) {
      Schedule& schedule = variants[ahead].schedule;
      std::erase_if(schedule.steps, [](const TransformStep& step) {
        return std::holds_alternative<StreamStep>(step);
      });
      const int source = SourceOf();
      schedule.steps.push_back(
          StreamStep{.stage = StageReading(source), .source = source, .ahead = ahead});
      pointers.push_back(&variants[ahead]);
      const Program program = *Resolve(workload_.dag, schedule, target_);
      if (!program.streams.empty()) {
        const std::string text = program.ToString();
        const size_t at = text.find("stream");
        std::printf("%s\n", text.substr(at, text.find('\n', at) - at).c_str());
      }
    }
    const std::vector<double> ms = Race(pointers, absl::GetFlag(FLAGS_rounds));
    for (int ahead = 0; ahead < 4; ++ahead)
      std::printf("ahead %d: cold %.1f warm %.1f us\n", ahead, ms[2 * ahead] * 1e6,
                  ms[2 * ahead + 1] * 1e6);
  }
  int SourceOf() const {
    for (int i = 0; i < workload_.dag.size(); ++i)
      if (workload_.dag.stage(i).name == weights_[0]) return i;
    return -1;
  }
  int StageReading(int source) const { return workload_.dag.consumers(source)[0]; }

 private:
  const TargetSpec& target_;
  const Workload workload_;
  const WorkloadPipeline pipeline_;
  std::vector<std::string> weights_;
  std::vector<AlignedFloats> memory_;
  std::vector<KernelTensor> tensors_;
  std::vector<KernelTensor*> pointers_;
  RotatingTensors cold_;
  std::vector<KernelTensor*> first_;
};

int Main() {
  const TargetSpec target = *LoadTargetSpec("host");
  SetKernelThreads(static_cast<int>(target.units.cores));
  const FormulationOptions options = {.names = {"direct"}};
  for (const Shape& shape : kShapes) {
    if (!absl::StrContains(shape.ToString(), absl::GetFlag(FLAGS_only))) continue;
    const std::vector<Formulation> formulations =
        *Formulations(Convolution(shape), target, options);
    Bench(formulations[0], target).Run(shape);
  }
  return 0;
}

}  // namespace
}  // namespace pruner

int main(int argc, char** argv) {
  absl::ParseCommandLine(argc, argv);
  return pruner::Main();
}
