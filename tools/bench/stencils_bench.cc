// What the search finds for image processing pipelines, beside what Halide's
// autoschedulers make of them; see kUsage.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/build/kernel_threads.h"
#include "models/job/network_job.h"
#include "pruner/base/median.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"
#include "pruner/base/text/flag_range.h"
#include "pruner/base/text/json.h"
#include "pruner/base/text/table.h"
#include "pruner/measure/measure_result.h"
#include "pruner/schedule/replay.h"
#include "pruner/search/policy_inputs.h"
#include "pruner/search/policy_table.h"
#include "pruner/tune/policy_models.h"
#include "tools/bench/kernel_race.h"
#include "tools/bench/stencil_pipelines.h"
#include "tools/bench/stencils_bench.pb.h"
#include "tools/common/tool_flags.h"
#include "tools/cpp/runfiles/runfiles.h"

ABSL_FLAG(std::string, only, "", "the pipelines whose names contain this");
ABSL_FLAG(int, width, 1536, "of the image, a multiple of 64");
ABSL_FLAG(int, height, 2560, "of the image, a multiple of 64");
ABSL_FLAG(int, samples, 200, "schedules of each pipeline to time");
ABSL_FLAG(std::string, policy, pruner::kDefaultPolicy,
          "how they are chosen: mutate or random");
ABSL_FLAG(int, rounds, 50, "of the race of the fastest with Halide's");
ABSL_FLAG(uint64_t, seed, 1, "of the schedules and the image");
ABSL_FLAG(int, threads, 0, "cores to use; 0: all");
ABSL_FLAG(bool, print, false, "print the loops of each that is the fastest");
ABSL_FLAG(bool, json, false, "end with the results as one line of JSON");

namespace pruner {
namespace {

constexpr char kUsage[] =
    "The best of some schedules that the search finds for image processing "
    "pipelines, beside Halide's autoschedulers.\n\n"
    "  stencils --only=harris --samples=200 --print";
constexpr char kSources[] = "tools/bench/stencils_bench";

constexpr const char* kAutoschedulers[] = {"Adams2019", "Li2018",
                                           "Mullapudi2016"};
// Trials in a row before the search hears of them, as when tuning.
constexpr int kRoundTrials = 8;
// So many of the fastest are timed again in turns, so often: samples that the
// machine was slow for are compared with others that it was not.
constexpr size_t kFinalists = 10;
constexpr int kFinalRounds = 40;

// The search of one pipeline, and the race of the best with the
// autoschedulers'.
class Bench {
 public:
  Bench(const StencilCase& c, const TargetSpec& target,
        const Workload& workload, const WorkloadPipeline& pipeline,
        KernelRace race)
      : target_(target),
        workload_(workload),
        pipeline_(pipeline),
        race_(std::move(race)) {
    result_.set_name(c.name);
  }

  absl::StatusOr<proto::StencilResult> Run() {
    RETURN_IF_ERROR(Search());
    RETURN_IF_ERROR(ChooseAmongFinalists());
    RETURN_IF_ERROR(RaceAutoschedulers());
    return result_;
  }

 private:
  absl::Status Search() {
    const SketchContext context = {.dag = workload_.dag, .target = target_};
    ASSIGN_OR_RETURN(const PolicyEntry* entry,
                     FindPolicy(absl::GetFlag(FLAGS_policy)));
    ASSIGN_OR_RETURN(const std::unique_ptr<PolicyModels> models,
                     PolicyModels::For(*entry, target_));
    Learner* const learner = models->learner();
    PolicyInputs inputs = {.context = context};
    models->AddTo(inputs);
    ASSIGN_OR_RETURN(const std::unique_ptr<SearchPolicy> policy,
                     entry->make(inputs));
    const Rng rng(absl::GetFlag(FLAGS_seed));
    // The default schedule is the first proposal, and no sample.
    const int trials = absl::GetFlag(FLAGS_samples) + 1;
    for (int trial = 0; trial < trials;) {
      Rng round = rng.Fork(trial);
      if (learner != nullptr) {
        RETURN_IF_ERROR(learner->CatchUp());
      }
      ASSIGN_OR_RETURN(
          const std::vector<Proposal> proposals,
          policy->Propose(std::min(kRoundTrials, trials - trial), round));
      if (proposals.empty()) break;
      for (const Proposal& proposal : proposals) {
        const MeasureResult result = Time(proposal.schedule);
        policy->Observe(proposal, result);
        if (learner != nullptr) {
          learner->Add(/*task=*/0, workload_.dag, proposal.schedule, result);
        }
        if (trial++ == 0) result_.set_default_ms(result_.best_ms());
      }
    }
    return absl::OkStatus();
  }

  MeasureResult Time(const Schedule& schedule) {
    absl::StatusOr<Kernel> kernel = pipeline_.Compile(schedule, target_);
    const double far_behind = result_.best_ms() == 0
                                  ? std::numeric_limits<double>::infinity()
                                  : 4e-3 * result_.best_ms();
    const absl::StatusOr<std::vector<double>> seconds =
        kernel.ok() ? race_.Time(*kernel, far_behind) : kernel.status();
    result_.set_timed(result_.timed() + 1);
    if (!seconds.ok()) {
      const bool wrong = absl::IsDataLoss(seconds.status());
      result_.set_wrong(result_.wrong() + wrong);
      result_.set_failed(result_.failed() + !wrong);
      return FailedResult(
          wrong ? FailureKind::kWrongResult : FailureKind::kRunError,
          std::string(seconds.status().message()));
    }
    // The fastest, for the machine may have other things to do.
    const MeasureResult measured = {
        .seconds = {*std::min_element(seconds->begin(), seconds->end())}};
    const double ms = Cost(measured) * 1e3;
    finalists_.emplace(
        ms, Finalist{.kernel = *std::move(kernel),
                     .sample = static_cast<int>(result_.timed()) - 1});
    if (finalists_.size() > kFinalists)
      finalists_.erase(std::prev(finalists_.end()));
    if (result_.best_ms() > 0 && ms >= result_.best_ms()) return measured;
    result_.set_best_ms(ms);
    if (absl::GetFlag(FLAGS_print)) {
      std::cout << absl::StreamFormat("%s: sample %d, %.3f ms\n",
                                      result_.name(), result_.timed() - 1, ms)
                << Replay(workload_.dag, schedule)->ToString() << "\n";
    }
    return measured;
  }

  absl::Status ChooseAmongFinalists() {
    if (finalists_.empty())
      return absl::InternalError("no schedule could be timed");
    std::vector<const Kernel*> kernels;
    for (const auto& [ms, finalist] : finalists_)
      kernels.push_back(&finalist.kernel);
    ASSIGN_OR_RETURN(const std::vector<std::vector<double>> seconds,
                     race_.Interleaved(kernels, kFinalRounds));
    size_t fastest = 0;
    for (size_t i = 1; i < seconds.size(); ++i) {
      if (Median(seconds[i]) < Median(seconds[fastest])) fastest = i;
    }
    const Finalist& best =
        std::next(finalists_.begin(), static_cast<std::ptrdiff_t>(fastest))
            ->second;
    best_ = &best.kernel;
    result_.set_best_sample(best.sample);
    return absl::OkStatus();
  }

  absl::Status RaceAutoschedulers() {
    std::vector<std::pair<std::string, Kernel>> others;
    for (const char* name : kAutoschedulers) {
      absl::StatusOr<Kernel> kernel =
          pipeline_.CompileAutoscheduled(name, target_);
      absl::Status status = kernel.status();
      if (status.ok()) status = race_.Time(*kernel, result_.best_ms()).status();
      if (status.ok()) {
        others.emplace_back(name, *std::move(kernel));
      } else {
        (*result_.mutable_autoscheduler_failures())[name] =
            std::string(status.message());
      }
    }
    std::vector<const Kernel*> kernels = {best_};
    for (const auto& [name, kernel] : others) kernels.push_back(&kernel);
    ASSIGN_OR_RETURN(const std::vector<std::vector<double>> seconds,
                     race_.Interleaved(kernels, absl::GetFlag(FLAGS_rounds)));
    *result_.mutable_ours() = Summary(seconds[0]);
    for (size_t i = 0; i < others.size(); ++i) {
      (*result_.mutable_autoschedulers())[others[i].first] =
          Summary(seconds[i + 1]);
    }
    return absl::OkStatus();
  }

  static proto::StencilTime Summary(const std::vector<double>& seconds) {
    proto::StencilTime time;
    time.set_fastest_ms(*std::min_element(seconds.begin(), seconds.end()) *
                        1e3);
    time.set_median_ms(Median(seconds) * 1e3);
    return time;
  }

  const TargetSpec& target_;
  const Workload& workload_;
  const WorkloadPipeline& pipeline_;
  KernelRace race_;
  struct Finalist {
    Kernel kernel;
    int sample = 0;
  };
  std::multimap<double, Finalist> finalists_;  // by ms, the fastest so far
  const Kernel* best_ = nullptr;               // of them
  proto::StencilResult result_;
};

std::string TableOf(const proto::StencilResults& results) {
  using Align = Table::Align;
  Table table({{"pipeline", Align::kLeft},
               {"default ms"},
               {"ours ms"},
               {"sample"},
               {"Adams2019"},
               {"Li2018"},
               {"Mullapudi2016"},
               {"wrong"},
               {"failed"}});
  for (const proto::StencilResult& r : results.pipelines()) {
    std::vector<std::string> row = {
        r.name(), absl::StrFormat("%.3f", r.default_ms()),
        absl::StrFormat("%.3f", r.ours().fastest_ms()),
        absl::StrCat(r.best_sample())};
    for (const char* name : kAutoschedulers) {
      const auto found = r.autoschedulers().find(name);
      if (found == r.autoschedulers().end()) {
        row.push_back("failed");
        continue;
      }
      const proto::StencilTime& theirs = found->second;
      row.push_back(absl::StrFormat("%.3f (%.2f, %.2f)", theirs.fastest_ms(),
                                    r.ours().fastest_ms() / theirs.fastest_ms(),
                                    r.ours().median_ms() / theirs.median_ms()));
    }
    row.push_back(absl::StrCat(r.wrong()));
    row.push_back(absl::StrCat(r.failed()));
    table.AddRow(row);
  }
  return absl::StrFormat(
      "%s\n%d x %d pixels on %s; policy %s, %d samples, seed %d. Of runs in "
      "turns the fastest; in\nbrackets ours as a multiple of theirs, of the "
      "fastest runs and of the medians\n",
      table.ToString(), results.width(), results.height(), results.target(),
      results.policy(), results.samples(), results.seed());
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
  RETURN_IF_ERROR(
      CheckFlagRange("rounds", absl::GetFlag(FLAGS_rounds), 1, 1e6));
  proto::StencilResults results;
  results.set_target(target.name);
  results.set_policy(absl::GetFlag(FLAGS_policy));
  results.set_seed(absl::GetFlag(FLAGS_seed));
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
    ASSIGN_OR_RETURN(KernelRace race,
                     KernelRace::Create(pipeline, absl::GetFlag(FLAGS_seed)));
    ASSIGN_OR_RETURN(
        *results.add_pipelines(),
        Bench(c, target, workload, pipeline, std::move(race)).Run());
    std::cerr << c.name << ": " << results.pipelines().rbegin()->best_ms()
              << " ms\n";
  }
  std::cout << TableOf(results);
  if (!absl::GetFlag(FLAGS_json)) return absl::OkStatus();
  std::cout << ToJson(results) << "\n";
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
