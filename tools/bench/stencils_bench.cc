// Random schedules of image processing pipelines beside what Halide's
// autoschedulers make of them; see kUsage.
#include <algorithm>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/time.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/runner/candidate_runner.h"
#include "models/job/network_job.h"
#include "models/runtime/aligned_floats.h"
#include "pruner/base/clock.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"
#include "pruner/base/text/flag_range.h"
#include "pruner/base/text/table.h"
#include "pruner/sample/schedule_sampler.h"
#include "pruner/schedule/replay.h"
#include "tools/bench/json_line.h"
#include "tools/bench/stencil_pipelines.h"
#include "tools/bench/stencils_bench.pb.h"
#include "tools/common/tool_flags.h"
#include "tools/cpp/runfiles/runfiles.h"

ABSL_FLAG(std::string, only, "", "the pipelines whose names contain this");
ABSL_FLAG(int, width, 1536, "of the image, a multiple of 64");
ABSL_FLAG(int, height, 2560, "of the image, a multiple of 64");
ABSL_FLAG(int, samples, 200, "random schedules of each pipeline");
ABSL_FLAG(int, seed, 1, "of the schedules and the image");
ABSL_FLAG(int, threads, 0, "cores to use; 0: all");
ABSL_FLAG(bool, print, false, "print the loops of each that is the fastest");
ABSL_FLAG(bool, json, false, "end with the results as one line of JSON");

namespace pruner {
namespace {

constexpr char kUsage[] =
    "The best of random schedules of image processing pipelines, beside "
    "Halide's autoschedulers.\n\n"
    "  stencils --only=harris --samples=200 --print";
constexpr char kSources[] = "tools/bench/stencils_bench";

constexpr const char* kAutoschedulers[] = {"Adams2019", "Li2018",
                                           "Mullapudi2016"};
constexpr double kTolerance = 1e-4;

// The kernels of one pipeline on the same image.
class Bench {
 public:
  Bench(const StencilCase& c, const TargetSpec& target,
        const Workload& workload, const WorkloadPipeline& pipeline)
      : target_(target), workload_(workload), pipeline_(pipeline) {
    result_.set_name(c.name);
    Rng rng(absl::GetFlag(FLAGS_seed));
    for (const KernelArgument& argument : pipeline.arguments()) {
      memory_.emplace_back(static_cast<size_t>(argument.NumElements()));
      for (float& value : memory_.back().span())
        value = static_cast<float>(rng.Real());
      tensors_.push_back(memory_.back().data());
    }
  }

  absl::StatusOr<proto::StencilResult> Run() {
    ASSIGN_OR_RETURN(const Kernel reference, pipeline_.CompileReference());
    RETURN_IF_ERROR(reference.Run(tensors_));
    const absl::Span<float> output = memory_.back().span();
    reference_.assign(output.begin(), output.end());
    RETURN_IF_ERROR(RunSchedules());
    for (const char* name : kAutoschedulers) {
      absl::StatusOr<Kernel> kernel =
          pipeline_.CompileAutoscheduled(name, target_);
      absl::StatusOr<double> seconds =
          kernel.ok() ? Seconds(*kernel) : kernel.status();
      if (seconds.ok()) {
        (*result_.mutable_autoscheduler_ms())[name] = *seconds * 1e3;
      } else {
        (*result_.mutable_autoscheduler_failures())[name] =
            std::string(seconds.status().message());
      }
    }
    return result_;
  }

 private:
  absl::Status RunSchedules() {
    const SketchContext context = {.dag = workload_.dag, .target = target_};
    ASSIGN_OR_RETURN(const std::vector<Sketch> sketches,
                     GenerateSketches(context));
    ASSIGN_OR_RETURN(ScheduleSampler sampler,
                     ScheduleSampler::Create(context, sketches));
    ASSIGN_OR_RETURN(const Schedule first, sampler.DefaultSchedule());
    Time(first);
    result_.set_default_ms(result_.best_ms());
    Rng rng(absl::GetFlag(FLAGS_seed));
    const int samples = absl::GetFlag(FLAGS_samples);
    for (int i = 0, draws = 0; i < samples && draws < 50 * samples; ++draws) {
      ASSIGN_OR_RETURN(const Draw draw, sampler.Sample(rng));
      const auto* schedule = std::get_if<Schedule>(&draw);
      if (schedule == nullptr) continue;
      ++i;
      Time(*schedule);
    }
    return absl::OkStatus();
  }

  void Time(const Schedule& schedule) {
    const absl::StatusOr<Kernel> kernel = pipeline_.Compile(schedule, target_);
    const absl::StatusOr<double> seconds =
        kernel.ok() ? Seconds(*kernel) : kernel.status();
    if (!seconds.ok()) {
      const bool wrong = absl::IsDataLoss(seconds.status());
      result_.set_wrong(result_.wrong() + wrong);
      result_.set_failed(result_.failed() + !wrong);
      return;
    }
    result_.set_timed(result_.timed() + 1);
    if (result_.best_ms() != 0 && *seconds * 1e3 >= result_.best_ms()) return;
    result_.set_best_ms(*seconds * 1e3);
    if (absl::GetFlag(FLAGS_print)) {
      std::cout << absl::StreamFormat("%s: sample %d, %.3f ms\n",
                                      result_.name(), result_.timed(),
                                      result_.best_ms())
                << Replay(workload_.dag, schedule)->ToString() << "\n";
    }
  }

  // The fastest of several runs; one of those far behind the best so far. Data
  // loss if the output is wrong.
  absl::StatusOr<double> Seconds(const Kernel& kernel) {
    const absl::Span<float> output = memory_.back().span();
    std::fill(output.begin(), output.end(),
              std::numeric_limits<float>::quiet_NaN());
    double fastest = std::numeric_limits<double>::infinity(), total = 0;
    constexpr int kMinRuns = 5;
    constexpr double kMinSeconds = 0.05;
    for (int run = 0; run < kMinRuns || total < kMinSeconds; ++run) {
      const absl::Duration start = RealClock().Elapsed();
      RETURN_IF_ERROR(kernel.Run(tensors_));
      const double seconds =
          absl::ToDoubleSeconds(RealClock().Elapsed() - start);
      fastest = std::min(fastest, seconds);
      total += seconds;
      if (run == 0 && !(RelativeError(output, reference_) <= kTolerance))
        return absl::DataLossError("the output is wrong");
      // What is far behind when nothing is in the caches does not catch up.
      if (result_.best_ms() > 0 && run >= kMinRuns &&
          fastest * 1e3 > 4 * result_.best_ms()) {
        break;
      }
    }
    return fastest;
  }

  const TargetSpec& target_;
  const Workload& workload_;
  const WorkloadPipeline& pipeline_;
  std::vector<AlignedFloats> memory_;  // one output, the last
  std::vector<void*> tensors_;
  std::vector<float> reference_;
  proto::StencilResult result_;
};

std::string TableOf(const proto::StencilResults& results) {
  using Align = Table::Align;
  Table table({{"pipeline", Align::kLeft},
               {"default ms"},
               {"best ms"},
               {"Adams2019"},
               {"Li2018"},
               {"Mullapudi2016"},
               {"wrong"},
               {"failed"}});
  for (const proto::StencilResult& r : results.pipelines()) {
    std::vector<std::string> row = {r.name(),
                                    absl::StrFormat("%.3f", r.default_ms()),
                                    absl::StrFormat("%.3f", r.best_ms())};
    for (const char* name : kAutoschedulers) {
      const auto found = r.autoscheduler_ms().find(name);
      row.push_back(found == r.autoscheduler_ms().end()
                        ? "failed"
                        : absl::StrFormat("%.3f (%.2fx)", found->second,
                                          found->second / r.best_ms()));
    }
    row.push_back(absl::StrCat(r.wrong()));
    row.push_back(absl::StrCat(r.failed()));
    table.AddRow(row);
  }
  return absl::StrFormat(
      "%s\n%d x %d pixels on %s; the best of %d random schedules, and how many "
      "times as long the\nautoschedulers' take\n",
      table.ToString(), results.width(), results.height(), results.target(),
      results.samples());
}

absl::Status LoadAutoschedulers(const char* argv0) {
  using bazel::tools::cpp::runfiles::Runfiles;
  std::string error;
  const std::unique_ptr<Runfiles> runfiles(Runfiles::Create(argv0, &error));
  if (runfiles == nullptr) return absl::NotFoundError(error);
  for (const char* name : {"adams2019", "li2018", "mullapudi2016"}) {
    RETURN_IF_ERROR(LoadAutoschedulerPlugin(runfiles->Rlocation(
        absl::StrCat("halide/halide/lib64/libautoschedule_", name, ".so"))));
  }
  return absl::OkStatus();
}

absl::Status Run(const char* argv0) {
  for (const char* flag : {"width", "height"}) {
    const int value = absl::GetFlag(
        flag == std::string("width") ? FLAGS_width : FLAGS_height);
    RETURN_IF_ERROR(CheckFlagRange(flag, value, 64, 16384));
    if (value % 64 != 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("--", flag, "=", value, " is not a multiple of 64"));
    }
  }
  RETURN_IF_ERROR(
      CheckFlagRange("samples", absl::GetFlag(FLAGS_samples), 0, 1e6));
  ASSIGN_OR_RETURN(const TargetSpec target,
                   LoadTarget("host", absl::GetFlag(FLAGS_threads)));
  RETURN_IF_ERROR(LoadAutoschedulers(argv0));
  SetKernelThreads(static_cast<int>(target.units.cores));
  proto::StencilResults results;
  results.set_target(target.name);
  results.set_width(absl::GetFlag(FLAGS_width));
  results.set_height(absl::GetFlag(FLAGS_height));
  results.set_samples(absl::GetFlag(FLAGS_samples));
  for (const StencilCase& c : StencilCases(results.width(), results.height())) {
    if (!absl::StrContains(c.name, absl::GetFlag(FLAGS_only))) continue;
    ASSIGN_OR_RETURN(const Workload workload, MakeWorkload(c.name, c.make()));
    for (const std::string& note : workload.notes)
      std::cout << c.name << ": " << note << "\n";
    ASSIGN_OR_RETURN(const WorkloadPipeline pipeline,
                     WorkloadPipeline::Load(workload.pipeline));
    ASSIGN_OR_RETURN(*results.add_pipelines(),
                     Bench(c, target, workload, pipeline).Run());
    std::cerr << c.name << ": " << results.pipelines().rbegin()->best_ms()
              << " ms\n";
  }
  std::cout << TableOf(results);
  if (!absl::GetFlag(FLAGS_json)) return absl::OkStatus();
  std::cout << JsonLine(results) << "\n";
  return absl::OkStatus();
}

}  // namespace
}  // namespace pruner

int main(int argc, char** argv) {
  using namespace pruner;  // NOLINT: this is the program
  const char* argv0 = argv[0];
  if (const std::optional<int> code = InitTool(argc, argv, kUsage, kSources))
    return *code;
  const absl::Status status = Run(argv0);
  return status.ok() ? kExitOk : ReportError("stencils", status);
}
