#include "tools/bench/operator_timing.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/time.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/runner/tensor_values.h"
#include "models/runtime/aligned_floats.h"
#include "pruner/base/clock.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"
#include "pruner/base/text/table.h"
#include "pruner/sample/schedule_sampler.h"
#include "pruner/schedule/replay.h"
#include "pruner/schedule/schedule_text.h"

namespace pruner {
namespace {

// What unscheduled code does within a few seconds.
constexpr double kUnscheduledFlops = 1e9;
// As everywhere: differences of this size come from the order of summation.
constexpr double kTolerance = 1e-4;
// Draws without a candidate after which a sketch is given up.
constexpr int kMaxDraws = 500;

// The kernels of one operator on the same data: -1, -0.5, 0, 0.5 and 1, so that
// sums are exact in any order. Of other numbers the unscheduled norm of a large
// matrix, one long sum, is wrong by more than the tolerance, and the schedules
// that add up several sums are right.
class OperatorRunner {
 public:
  OperatorRunner(const WorkloadPipeline& pipeline, uint64_t seed)
      : num_inputs_(pipeline.num_inputs()) {
    const Rng rng(seed);
    for (const KernelArgument& argument : pipeline.arguments()) {
      const bool is_input = static_cast<int>(memory_.size()) < num_inputs_;
      memory_.emplace_back(static_cast<size_t>(argument.NumElements()));
      tensors_.push_back(memory_.back().data());
      if (!is_input) continue;
      Rng stream = rng.Fork(memory_.size());
      for (float& value : memory_.back().span())
        value = 0.5f * static_cast<float>(stream.Uniform(-2, 2));
    }
  }

  int64_t Bytes() const {
    int64_t bytes = 0;
    for (const AlignedFloats& tensor : memory_)
      bytes += static_cast<int64_t>(tensor.size() * sizeof(float));
    return bytes;
  }

  absl::StatusOr<double> SecondsOfRun(const Kernel& kernel) {
    Clock& clock = RealClock();
    const absl::Duration start = clock.Elapsed();
    RETURN_IF_ERROR(kernel.Run(tensors_));
    return std::max(1e-9, absl::ToDoubleSeconds(clock.Elapsed() - start));
  }

  void ClearOutput() {
    const absl::Span<float> output = memory_.back().span();
    std::fill(output.begin(), output.end(),
              std::numeric_limits<float>::quiet_NaN());
  }

  absl::Status KeepReference(const Kernel& kernel) {
    RETURN_IF_ERROR(kernel.Run(tensors_));
    const absl::Span<float> output = memory_.back().span();
    reference_.assign(output.begin(), output.end());
    return absl::OkStatus();
  }

  // Of the last run; 0 without a reference.
  double Error() const {
    if (reference_.empty()) return 0;
    return RelativeError(memory_.back().span(), reference_);
  }

 private:
  int num_inputs_;
  std::vector<AlignedFloats> memory_;  // one output, the last
  std::vector<void*> tensors_;
  std::vector<float> reference_;
};

class OperatorTimer {
 public:
  OperatorTimer(const OperatorCase& c, const TargetSpec& target,
                const OperatorTimingOptions& options, const Workload& workload,
                const WorkloadPipeline& pipeline)
      : case_(c),
        target_(target),
        options_(options),
        workload_(workload),
        pipeline_(pipeline),
        runner_(pipeline, options.seed) {
    result_.set_op(c.op);
    result_.set_shape(c.shape);
    result_.set_sizes(c.sizes);
    result_.set_batch(c.batch);
    result_.set_gflop(static_cast<double>(workload.dag.Flops()) * 1e-9);
    result_.set_mbytes(static_cast<double>(runner_.Bytes()) * 1e-6);
  }

  absl::StatusOr<proto::OperatorResult> Time() {
    const SketchContext context = {.dag = workload_.dag, .target = target_};
    ASSIGN_OR_RETURN(const std::vector<Sketch> sketches,
                     GenerateSketches(context));
    result_.set_sketches(static_cast<int>(sketches.size()));
    RETURN_IF_ERROR(TimeDefault(context, sketches));
    for (size_t i = 0; i < sketches.size(); ++i) {
      ASSIGN_OR_RETURN(ScheduleSampler sampler,
                       ScheduleSampler::Create(context, {sketches[i]}));
      Rng rng = Rng(options_.seed).Fork(i);
      for (int draw = 0, samples = 0;
           draw < kMaxDraws && samples < options_.samples; ++draw) {
        ASSIGN_OR_RETURN(const Draw drawn, sampler.Sample(rng));
        const auto* schedule = std::get_if<Schedule>(&drawn);
        if (schedule == nullptr) continue;
        ++samples;
        TimeSchedule(*schedule, sketches[i].derivation);
      }
    }
    return Finished();
  }

 private:
  // Also the reference of large operators.
  absl::Status TimeDefault(const SketchContext& context,
                           const std::vector<Sketch>& sketches) {
    ASSIGN_OR_RETURN(const ScheduleSampler sampler,
                     ScheduleSampler::Create(context, sketches));
    ASSIGN_OR_RETURN(const Schedule schedule, sampler.DefaultSchedule());
    ASSIGN_OR_RETURN(const Kernel kernel, pipeline_.Compile(schedule, target_));
    const bool unscheduled = result_.gflop() * 1e9 <= kUnscheduledFlops;
    result_.set_reference(!options_.check ? "none"
                          : unscheduled   ? "unscheduled"
                                          : "default");
    if (options_.check) {
      Kernel reference = kernel;
      if (unscheduled) {
        ASSIGN_OR_RETURN(reference, pipeline_.CompileReference());
      }
      RETURN_IF_ERROR(runner_.KeepReference(reference));
    }
    TimeSchedule(schedule, "default");
    result_.set_default_ms(result_.best_ms());
    return absl::OkStatus();
  }

  void TimeSchedule(const Schedule& schedule, const std::string& sketch) {
    const absl::StatusOr<Kernel> kernel = pipeline_.Compile(schedule, target_);
    if (!kernel.ok()) return Failed(kernel.status(), schedule);
    runner_.ClearOutput();
    absl::StatusOr<double> seconds = runner_.SecondsOfRun(*kernel);
    if (!seconds.ok()) return Failed(seconds.status(), schedule);
    const double error = runner_.Error();
    if (!(error <= kTolerance)) {
      result_.set_wrong(result_.wrong() + 1);
      Note(absl::StrFormat("wrong by %g of the largest value", error),
           PrintSchedule(schedule));
      return;
    }
    result_.set_timed(result_.timed() + 1);
    // The fastest run of three and more, of fewer if they take long. What was
    // far behind when its data was not in the caches yet does not catch up.
    constexpr double kGiveUp = 4;
    constexpr int kMinRuns = 3;
    constexpr double kMinSeconds = 0.02, kMaxSeconds = 1;
    const bool packs = absl::StrContains(sketch, "pack");
    const double best = packs ? result_.best_ms() : result_.best_unpacked_ms();
    const double limit = kGiveUp * best * 1e-3;
    double fastest = *seconds, total = 0;
    for (int run = 0;
         (run < kMinRuns && total < kMaxSeconds) || total < kMinSeconds;
         ++run) {
      if (limit > 0 && fastest > limit) break;
      seconds = runner_.SecondsOfRun(*kernel);
      if (!seconds.ok()) return Failed(seconds.status(), schedule);
      fastest = std::min(fastest, *seconds);
      total += *seconds;
    }
    if (!packs && (best == 0 || fastest * 1e3 < best))
      result_.set_best_unpacked_ms(fastest * 1e3);
    if (result_.best_ms() > 0 && fastest * 1e3 >= result_.best_ms()) return;
    result_.set_best_ms(fastest * 1e3);
    result_.set_best_sketch(sketch);
    Note(absl::StrFormat("%.4g ms, %.1f GFLOP/s: %s", fastest * 1e3,
                         result_.gflop() / fastest, sketch),
         Replay(workload_.dag, schedule)->ToString());
  }

  void Failed(const absl::Status& status, const Schedule& schedule) {
    result_.set_failed(result_.failed() + 1);
    Note(absl::StrCat("failed: ", status.message()), PrintSchedule(schedule));
  }

  void Note(const std::string& what, const std::string& schedule) const {
    if (options_.note)
      options_.note(absl::StrCat(case_.Name(), " ", what, "\n", schedule));
  }

  proto::OperatorResult Finished() {
    const double seconds = result_.best_ms() * 1e-3;
    if (seconds > 0) {
      result_.set_gflops(result_.gflop() / seconds);
      result_.set_peak_fraction(result_.gflops() / target_.peaks.fp32_gflops);
      result_.set_dram_fraction(result_.mbytes() * 1e-3 / seconds /
                                target_.peaks.dram_gb_per_s);
    }
    return result_;
  }

  const OperatorCase& case_;
  const TargetSpec& target_;
  const OperatorTimingOptions& options_;
  const Workload& workload_;
  const WorkloadPipeline& pipeline_;
  OperatorRunner runner_;
  proto::OperatorResult result_;
};

}  // namespace

absl::StatusOr<proto::OperatorResult> TimeOperator(
    const OperatorCase& operator_case, const TargetSpec& target,
    const OperatorTimingOptions& options) {
  ASSIGN_OR_RETURN(const Workload workload,
                   MakeWorkload(operator_case.Name(), operator_case.make()));
  ASSIGN_OR_RETURN(const WorkloadPipeline pipeline,
                   WorkloadPipeline::Load(workload.pipeline));
  return OperatorTimer(operator_case, target, options, workload, pipeline)
      .Time();
}

std::string OperatorTable(const proto::OperatorResults& results) {
  using Align = Table::Align;
  Table table({{"op", Align::kLeft},
               {"shape", Align::kLeft},
               {"batch"},
               {"sketches"},
               {"GFLOP"},
               {"default ms"},
               {"best ms"},
               {"unpacked ms"},
               {"GFLOP/s"},
               {"of peak"},
               {"of DRAM"},
               {"wrong"},
               {"failed"},
               {"checked against", Align::kLeft}});
  for (const proto::OperatorResult& r : results.operators()) {
    table.AddRow({r.op(), absl::StrCat(r.shape(), ": ", r.sizes()),
                  absl::StrCat(r.batch()), absl::StrCat(r.sketches()),
                  absl::StrFormat("%.4f", r.gflop()),
                  absl::StrFormat("%.3f", r.default_ms()),
                  absl::StrFormat("%.3f", r.best_ms()),
                  absl::StrFormat("%.3f", r.best_unpacked_ms()),
                  absl::StrFormat("%.1f", r.gflops()),
                  absl::StrFormat("%.1f %%", 100 * r.peak_fraction()),
                  absl::StrFormat("%.1f %%", 100 * r.dram_fraction()),
                  absl::StrCat(r.wrong()), absl::StrCat(r.failed()),
                  r.reference()});
  }
  return absl::StrFormat(
      "%s\n%s, %.1f GFLOP/s, %.1f GB/s from DRAM; the best of %d random "
      "schedules of each sketch\n",
      table.ToString(), results.target(), results.peak_gflops(),
      results.dram_gb_per_s(), results.samples());
}

}  // namespace pruner
