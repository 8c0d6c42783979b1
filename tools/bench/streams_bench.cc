// What streaming weights ahead gives: convolutions whose weights come from
// memory, searched with streams and without, in one process.
//   bazel run -c opt //tools/bench:streams -- --trials=200
#include <algorithm>
#include <array>
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
#include "pruner/base/os/huge_memory.h"
#include "pruner/base/rng.h"
#include "pruner/measure/measure_policy.h"
#include "pruner/measure/measure_result.h"
#include "pruner/program/resolve.h"
#include "pruner/search/policy_table.h"
#include "pruner/target/load_target_spec.h"
#include "tools/bench/kernel_race.h"

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

class Bench {
 public:
  Bench(const Formulation& formulation, const TargetSpec& target)
      : target_(target),
        workload_(*MakeWorkload("bench", formulation.op.pipeline)),
        pipeline_(*WorkloadPipeline::Load(workload_.pipeline)),
        right_(*KernelRace::Create(pipeline_, absl::GetFlag(FLAGS_seed))) {
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
    absl::StatusOr<RotatingTensors> rotating = RotatingTensors::Create(
        pipeline_.arguments(), pointers_, is_constant,
        BytesBetweenUses(MeasurePolicy::kMemory, target), copies_);
    CHECK_OK(rotating.status());
    cold_ = *std::move(rotating);
  }

  struct Found {
    Schedule schedule;
    double seconds = 1e9;
  };
  // So many of each search's fastest run in turns; the least of 16 short
  // samples is lucky.
  static constexpr size_t kFinalists = 5;

  // A search on its way.
  struct Search {
    std::unique_ptr<SearchPolicy> policy;
    bool is_cold = false;
    Rng rng;
    int trials = 0;
    std::vector<Found> fastest = {};  // first

    double BestSeconds() const {
      return fastest.empty() ? 1e9 : fastest[0].seconds;
    }
    void Add(Found found) {
      const auto place = std::find_if(
          fastest.begin(), fastest.end(),
          [&](const Found& f) { return found.seconds < f.seconds; });
      fastest.insert(place, std::move(found));
      if (fastest.size() > kFinalists) fastest.pop_back();
    }
  };

  Search Begin(bool has_streams, bool is_cold) const {
    SketchContext context = {.dag = workload_.dag, .target = target_};
    if (has_streams) context.cold_inputs = weights_;
    return {.policy = *(*FindPolicy("mutate"))->make({.context = context}),
            .is_cold = is_cold,
            .rng = Rng(absl::GetFlag(FLAGS_seed))};
  }

  void Advance(Search& search) {
    const std::vector<Proposal> proposals =
        *search.policy->Propose(10, search.rng);
    for (const Proposal& proposal : proposals) {
      ++search.trials;
      const absl::StatusOr<Kernel> kernel =
          pipeline_.Compile(proposal.schedule, target_);
      CHECK_OK(kernel.status());
      MeasureResult result;
      for (int i = 0; i < 16; ++i) {
        const double seconds = Time(*kernel, search.is_cold);
        if (i > 0) result.seconds.push_back(seconds);
        if (i > 0 && seconds > 2 * search.BestSeconds()) break;
      }
      search.policy->Observe(proposal, result);
      search.Add({.schedule = proposal.schedule, .seconds = Cost(result)});
    }
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
    for (const Found* f : found) {
      kernels.push_back(*pipeline_.Compile(f->schedule, target_));
      CHECK_OK(right_.Time(kernels.back()).status());
    }
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
    for (const std::vector<double>& s : seconds)
      medians.push_back(Cost({.seconds = s}));
    return medians;
  }

  // Of a race of the fastest, as they were timed in the search.
  Found WinnerOf(const Search& search) {
    std::vector<const Found*> finalists;
    for (const Found& found : search.fastest) finalists.push_back(&found);
    const std::vector<double> seconds =
        Race(finalists, absl::GetFlag(FLAGS_rounds) / 4 + 1);
    size_t winner = 0;
    const auto of = [&](size_t i) {
      return seconds[2 * i + (search.is_cold ? 0 : 1)];
    };
    for (size_t i = 1; i < finalists.size(); ++i) {
      if (of(i) < of(winner)) winner = i;
    }
    return *finalists[winner];
  }

  void Run(const Shape& shape) {
    const absl::Span<KernelTensor* const> first = cold_.Next();
    first_.assign(first.begin(), first.end());
    // In turns: what else the machine does meanwhile happens to all of them.
    std::array<Search, 3> searches = {
        Begin(/*has_streams=*/true, /*is_cold=*/true),
        Begin(/*has_streams=*/false, /*is_cold=*/true),
        Begin(/*has_streams=*/false, /*is_cold=*/false)};
    while (searches[0].trials < absl::GetFlag(FLAGS_trials)) {
      for (Search& search : searches) Advance(search);
    }
    const Found with = WinnerOf(searches[0]);
    const Found without = WinnerOf(searches[1]);
    const Found warm = WinnerOf(searches[2]);
    const std::vector<double> ms =
        Race({&with, &without, &warm}, absl::GetFlag(FLAGS_rounds));
    std::printf("| %s | %.0f, %.0f | %.0f, %.0f | %.0f, %.0f | %.0f %% |\n",
                shape.ToString().c_str(), ms[0] * 1e6, ms[1] * 1e6, ms[2] * 1e6,
                ms[3] * 1e6, ms[4] * 1e6, ms[5] * 1e6,
                100 * (ms[2] - ms[0]) / (ms[2] - std::min(ms[3], ms[5])));
    std::fflush(stdout);
    if (!absl::GetFlag(FLAGS_print)) return;
    for (const Found* f : {&with, &without, &warm}) {
      std::printf(
          "%s\n",
          Resolve(workload_.dag, f->schedule, target_)->ToString().c_str());
    }
  }

 private:
  const TargetSpec& target_;
  const Workload workload_;
  const WorkloadPipeline pipeline_;
  KernelRace right_;  // tells whether kernels are
  std::vector<std::string> weights_;
  std::vector<AlignedFloats> memory_;
  std::vector<KernelTensor> tensors_;
  std::vector<KernelTensor*> pointers_;
  HugeMemory copies_;
  RotatingTensors cold_;
  std::vector<KernelTensor*> first_;
};

int Main() {
  const TargetSpec target = *LoadTargetSpec("host");
  SetKernelThreads(static_cast<int>(target.units.cores));
  const FormulationOptions options = {.names = {"direct"}};
  std::printf(
      "us cold, warm, of the best schedule that is found\n"
      "| convolution | cold, with streams | cold, without | warm | of the gap "
      "|\n"
      "|---|---|---|---|---|\n");
  for (const Shape& shape : kShapes) {
    if (!absl::StrContains(shape.ToString(), absl::GetFlag(FLAGS_only)))
      continue;
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
