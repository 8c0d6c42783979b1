#include "tools/tune/tune_network.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/runner/worker_measurer.h"
#include "models/runtime/default_schedules.h"
#include "models/runtime/latency.h"
#include "models/runtime/network.h"
#include "models/runtime/verify.h"
#include "pruner/base/clock.h"
#include "pruner/base/os/environment.h"
#include "pruner/base/os/files.h"
#include "pruner/base/os/terminal.h"
#include "pruner/base/status_macros.h"
#include "pruner/base/text/units.h"
#include "pruner/record/record_log.h"
#include "pruner/search/policy_table.h"
#include "pruner/tune/progress_line.h"
#include "pruner/tune/tune.h"
#include "tools/common/network_job.h"
#include "tools/common/network_tensors.h"
#include "tools/common/tool_flags.h"
#include "tools/tune/summary.h"

namespace pruner {
namespace {

using Say = std::function<void(const std::string&)>;

constexpr const char* kAutoschedulers[] = {"adams2019", "li2018",
                                           "mullapudi2016"};

// A run writes a few megabytes; less than this would lose records.
constexpr int64_t kMinDiskBytes = int64_t{256} << 20;

absl::Status PrepareOutputDirectory(const std::string& directory) {
  absl::Status status = MakeDirectories(directory);
  if (status.ok()) status = CheckWritableDirectory(directory);
  if (!status.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--output_dir=", directory, ": ", status.message()));
  }
  ASSIGN_OR_RETURN(const int64_t free, FreeDiskBytes(directory));
  if (free < kMinDiskBytes) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "--output_dir=", directory, " has ", FormatBytes(free),
        " of free disk, a run needs ", FormatBytes(kMinDiskBytes)));
  }
  return absl::OkStatus();
}

// Renames an earlier log, so that --fresh loses nothing.
absl::Status PutAside(const std::string& log, const Say& say) {
  if (!FileExists(log)) return absl::OkStatus();
  int number = 1;
  while (FileExists(absl::StrCat(log, ".", number))) ++number;
  const std::string aside = absl::StrCat(log, ".", number);
  RETURN_IF_ERROR(RenameFile(log, aside));
  say(absl::StrCat("the earlier records are in ", aside));
  return absl::OkStatus();
}

// The workers' reference outputs, in the output folder: a run that is killed
// leaves them to the one that goes on, one that ends leaves nothing.
class ScratchDirectory {
 public:
  static absl::StatusOr<ScratchDirectory> Create(const std::string& output) {
    std::string path = absl::StrCat(output, "/scratch");
    RETURN_IF_ERROR(MakeDirectories(path));
    return ScratchDirectory(std::move(path));
  }
  ScratchDirectory(ScratchDirectory&& other) noexcept
      : path_(std::exchange(other.path_, "")) {}
  ScratchDirectory& operator=(ScratchDirectory&&) = delete;
  ~ScratchDirectory() {
    if (path_.empty()) return;
    const auto names = ListDirectory(path_);
    for (const std::string& name : names.value_or(std::vector<std::string>())) {
      RemoveFile(absl::StrCat(path_, "/", name)).IgnoreError();
    }
    RemoveFile(path_).IgnoreError();
  }

  const std::string& path() const { return path_; }

 private:
  explicit ScratchDirectory(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

std::string PluginPath(const TuneNetworkOptions& options,
                       const std::string& autoscheduler) {
  return absl::StrCat(options.plugin_directory, "/libautoschedule_",
                      autoscheduler, ".so");
}

// "27 tasks" or "27 tasks in 43 formulations".
std::string TasksText(const NetworkJob& job) {
  std::string text = absl::StrCat(job.partition.subgraphs.size(), " tasks");
  if (job.tasks.size() != job.partition.subgraphs.size())
    absl::StrAppend(&text, " in ", job.tasks.size(), " formulations");
  return text;
}

std::vector<TuningTask> TuningTasks(const NetworkJob& job) {
  std::vector<TuningTask> tasks;
  for (const NetworkTask& task : job.tasks) {
    tasks.push_back({.workload = task.workload,
                     .weight = static_cast<double>(task.weight),
                     .slot = task.subgraph});
  }
  return tasks;
}

SchedulesByWorkload BestSchedules(const TuningOutcome& outcome,
                                  SchedulesByWorkload schedules) {
  for (const TaskOutcome& task : outcome.tasks) {
    if (task.records.best)
      schedules[task.workload_hash] = task.records.best->schedule;
  }
  return schedules;
}

// The formulations that the network uses.
std::vector<NetworkTask> Winners(const NetworkJob& job,
                                 const TuningOutcome& outcome) {
  std::map<uint64_t, double> seconds;
  for (const TaskOutcome& task : outcome.tasks) {
    if (task.records.best)
      seconds[task.workload_hash] = Cost(task.records.best->result);
  }
  return FastestTasks(job.tasks, seconds, job.target);
}

absl::Status WriteSchedules(const NetworkJob& job,
                            absl::Span<const NetworkTask> tasks,
                            const SchedulesByWorkload& schedules,
                            const std::string& directory) {
  RETURN_IF_ERROR(MakeDirectories(directory));
  for (const NetworkTask& task : tasks) {
    ASSIGN_OR_RETURN(const WorkloadPipeline pipeline,
                     WorkloadPipeline::Load(task.workload.pipeline));
    std::string name = task.workload.name;
    std::replace_if(
        name.begin(), name.end(),
        [](char c) { return !absl::ascii_isalnum(c); }, '_');
    ASSIGN_OR_RETURN(
        const std::string text,
        pipeline.PrintCpp(schedules.at(task.workload.dag.Hash()), job.target,
                          absl::StrCat("schedule_", name)));
    RETURN_IF_ERROR(
        WriteFileAtomically(absl::StrCat(directory, "/", name, ".h"), text));
  }
  return absl::OkStatus();
}

absl::StatusOr<Latency> TimeNetwork(Network& network) {
  NetworkTensors tensors(network);
  tensors.Randomize(1);
  // A network of microseconds is not run a million times.
  constexpr int kMaxSamples = 10'000;
  return MeasureLatency(
      [&] {
        return network.Run(tensors.input_pointers(), tensors.output_pointers());
      },
      {.max_samples = kMaxSamples});
}

// Runs the tuned network and the untuned one: latencies and error.
absl::Status MeasureNetworks(const NetworkJob& job,
                             absl::Span<const NetworkTask> winners,
                             const SchedulesByWorkload& tuned_schedules,
                             const SchedulesByWorkload& default_schedules,
                             uint64_t seed, const Say& say,
                             proto::Summary& summary) {
  const int threads = static_cast<int>(job.target.units.cores);
  const NetworkOptions options = {
      .threads = threads, .compile_threads = threads, .progress = {}};
  say("compiling the tuned network");
  ASSIGN_OR_RETURN(Network tuned,
                   Network::Build(job.graph, job.partition, winners,
                                  tuned_schedules, job.target, options));
  say("comparing its output with the interpreter's in double precision");
  ASSIGN_OR_RETURN(const std::vector<OutputError> errors,
                   CompareWithInterpreter(job.original, tuned, seed, threads));
  for (const OutputError& error : errors) {
    summary.set_max_abs_error(
        std::max(summary.max_abs_error(), error.max_absolute));
    summary.set_max_rel_error(
        std::max(summary.max_rel_error(), error.relative));
  }
  ASSIGN_OR_RETURN(const Latency latency, TimeNetwork(tuned));
  say("compiling the same network with default schedules, to compare");
  ASSIGN_OR_RETURN(Network baseline,
                   Network::Build(job.graph, job.partition,
                                  FastestTasks(job.tasks, {}, job.target),
                                  default_schedules, job.target, options));
  ASSIGN_OR_RETURN(const Latency baseline_latency, TimeNetwork(baseline));
  summary.set_network_latency_ms(latency.Median() * 1e3);
  summary.set_network_latency_min_ms(latency.Min() * 1e3);
  summary.set_baseline_latency_ms(baseline_latency.Median() * 1e3);
  summary.set_network_gflops(summary.network_gflop() / latency.Median());
  summary.set_network_peak_fraction(summary.network_gflops() /
                                    summary.peak_gflops());
  // Reordered sums of floats, and formulations whose own error is smaller; a
  // kernel that is wrong anywhere gives far more.
  constexpr double kTolerance = 1e-3;
  if (!(summary.max_rel_error() <= kTolerance)) {
    return absl::InternalError(
        absl::StrCat("the tuned network's output is wrong: it differs from the "
                     "interpreter's by ",
                     summary.max_rel_error(), " of its largest value"));
  }
  return absl::OkStatus();
}

// Adds what was found for one formulation to its subgraph and to the whole.
void AddFormulation(const NetworkTask& task, const TaskOutcome& result,
                    proto::Summary& summary) {
  proto::TaskSummary& out = *summary.mutable_tasks(task.subgraph);
  out.set_trials(out.trials() + static_cast<int>(result.records.trials));
  for (const auto& [kind, count] : result.records.failures) {
    const std::string name(FailureKindName(kind));
    (*out.mutable_failures())[name] += static_cast<int>(count);
    (*summary.mutable_failures())[name] += static_cast<int>(count);
  }
  if (result.default_seconds && task.formulation == kDirect)
    out.set_default_ms(*result.default_seconds * 1e3);
  if (!result.records.best) return;
  const double ms = Cost(result.records.best->result) * 1e3;
  (*out.mutable_formulation_ms())[task.formulation] = ms;
  if (task.formulation == out.formulation()) out.set_best_ms(ms);
}

void Summarize(const TuneNetworkOptions& options, const NetworkJob& job,
               absl::Span<const NetworkTask> winners,
               const TuningOutcome& outcome, proto::Summary& summary) {
  constexpr const char* kEnds[] = {"trials_done", "exhausted", "time_limit",
                                   "interrupted"};
  summary.set_model(options.model);
  summary.set_target(job.target.name);
  summary.set_batch(options.batch);
  summary.set_threads(static_cast<int>(job.target.units.cores));
  summary.set_policy(options.policy);
  summary.set_seed(static_cast<double>(options.seed));
  summary.set_peak_gflops(job.target.peaks.fp32_gflops);
  summary.set_trials(static_cast<int>(outcome.trials));
  summary.set_new_trials(static_cast<int>(outcome.new_trials));
  const double elapsed = absl::ToDoubleSeconds(outcome.elapsed);
  summary.set_elapsed_seconds(elapsed);
  summary.set_trials_per_second(
      elapsed > 0 ? static_cast<double>(outcome.new_trials) / elapsed : 0);
  summary.set_tuner_overhead(outcome.overhead);
  summary.set_ended(kEnds[static_cast<int>(outcome.end)]);
  for (const NetworkTask& task : winners) {
    proto::TaskSummary& out = *summary.add_tasks();
    out.set_name(task.workload.name);
    out.set_operators(task.summary);
    out.set_weight(task.weight);
    out.set_gflop(task.flops * 1e-9);
    out.set_formulation(task.formulation);
  }
  for (size_t i = 0; i < job.tasks.size(); ++i) {
    AddFormulation(job.tasks[i], outcome.tasks[i], summary);
  }
  double gflop = 0;
  for (proto::TaskSummary& task : *summary.mutable_tasks()) {
    gflop += task.gflop() * task.weight();
    if (task.best_ms() == 0) continue;
    task.set_gflops(task.gflop() / task.best_ms() * 1e3);
    task.set_peak_fraction(task.gflops() / summary.peak_gflops());
  }
  summary.set_network_gflop(gflop);
}

// What Halide's autoschedulers make of each task, in a process with limits.
void Compare(const TuneNetworkOptions& options, const NetworkJob& job,
             WorkerMeasurer& measurer, const Say& say,
             const std::function<bool()>& interrupted,
             proto::Summary& summary) {
  constexpr absl::Duration kTimeout = absl::Seconds(120);
  for (const NetworkTask& direct : FastestTasks(job.tasks, {}, job.target)) {
    for (const std::string& name : options.compare) {
      if (interrupted()) return;
      std::string registered = name;
      registered[0] = absl::ascii_toupper(registered[0]);
      const MeasureResult result = measurer.MeasureAutoscheduler(
          direct.workload, registered, PluginPath(options, name), kTimeout);
      proto::TaskSummary& task = *summary.mutable_tasks(direct.subgraph);
      if (result.ok()) {
        (*task.mutable_compare_ms())[name] = Cost(result) * 1e3;
      } else {
        (*task.mutable_compare_failures())[name] =
            absl::StrCat(FailureKindName(result.failure->kind), ": ",
                         result.failure->message);
      }
      say(absl::StrCat(name, " on ", task.name(), ": ",
                       result.ok() ? FormatTime(absl::Seconds(Cost(result)))
                                   : (*task.mutable_compare_failures())[name]));
    }
  }
}

}  // namespace

absl::Status CheckOptions(const TuneNetworkOptions& options) {
  RETURN_IF_ERROR(CheckFlagRange("trials", static_cast<double>(options.trials),
                                 1, 10'000'000));
  RETURN_IF_ERROR(CheckFlagRange("threads", options.threads, 0, 1024));
  RETURN_IF_ERROR(CheckFlagRange("batch", options.batch, 1, 4096));
  if (options.time_limit <= absl::ZeroDuration()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--time_limit=", absl::FormatDuration(options.time_limit),
                     " is not positive: write 10m, 90s or inf"));
  }
  if (options.output_dir.empty()) {
    return absl::InvalidArgumentError(
        "--output_dir needs the name of a folder");
  }
  RETURN_IF_ERROR(FindPolicy(options.policy).status());
  RETURN_IF_ERROR(
      ParseFormulations(options.formulations, options.max_error).status());
  for (const std::string& name : options.compare) {
    if (std::find(std::begin(kAutoschedulers), std::end(kAutoschedulers),
                  name) == std::end(kAutoschedulers)) {
      return absl::InvalidArgumentError(
          absl::StrCat("--compare=", name, " is not one of ",
                       absl::StrJoin(kAutoschedulers, ", ")));
    }
    if (!FileExists(PluginPath(options, name))) {
      return absl::FailedPreconditionError(absl::StrCat(
          "--compare=", name, ": there is no plugin ",
          PluginPath(options, name),
          "; bazel run //tools:tune -- … knows where the plugins are"));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<proto::Summary> TuneNetwork(
    const TuneNetworkOptions& options, const Say& say,
    const std::function<bool()>& interrupted) {
  RETURN_IF_ERROR(CheckOptions(options));
  ASSIGN_OR_RETURN(const TargetSpec target,
                   LoadTarget(options.target, options.threads));
  ASSIGN_OR_RETURN(const FormulationOptions formulations,
                   ParseFormulations(options.formulations, options.max_error));
  ASSIGN_OR_RETURN(
      const NetworkJob job,
      LoadNetworkJob(options.model, options.batch, target, formulations));
  RETURN_IF_ERROR(PrepareOutputDirectory(options.output_dir));
  const std::string log_path =
      absl::StrCat(options.output_dir, "/", kRecordLogFile);
  if (options.fresh) {
    RETURN_IF_ERROR(PutAside(log_path, say));
  }
  ASSIGN_OR_RETURN(
      RecordLog::Opened opened,
      RecordLog::Open(log_path,
                      MakeLogHeader(options.model, target, options.batch)));
  for (const std::string& note : opened.contents.notes) say(note);
  say(absl::StrCat(options.model, ": ", TasksText(job), " on ", target.name,
                   ", ", target.units.cores, " threads; records in ",
                   log_path));
  for (const NetworkTask& task : job.tasks) {
    for (const std::string& note : task.workload.notes)
      say(absl::StrCat("note on ", task.workload.name, ": ", note));
  }
  if (!opened.contents.records.empty()) {
    say(absl::StrCat("going on after ", opened.contents.records.size(),
                     " trials"));
  }

  ASSIGN_OR_RETURN(const ScratchDirectory scratch,
                   ScratchDirectory::Create(options.output_dir));
  const int threads = static_cast<int>(target.units.cores);
  ASSIGN_OR_RETURN(
      const std::unique_ptr<WorkerMeasurer> measurer,
      WorkerMeasurer::Create({.command = options.worker_command,
                              .target = target,
                              .workers = threads,
                              .threads = threads,
                              .seed = options.seed,
                              .scratch_directory = scratch.path()}));
  ASSIGN_OR_RETURN(const PolicyEntry* policy, FindPolicy(options.policy));
  RoundRobinScheduler scheduler;
  ProgressLine progress(
      RealClock(), {.terminal = options.terminal, .columns = options.columns},
      [&](absl::string_view text) { WriteToStdout(text); });
  const TuningTools tools = {
      .target = target,
      .measurer = *measurer,
      .scheduler = scheduler,
      .make_policy =
          [&](const SketchContext& context) { return policy->make({context}); },
      .clock = RealClock(),
      .log = &opened.log,
      .listener = &progress,
      .interrupted = interrupted};
  ASSIGN_OR_RETURN(const TuningOutcome outcome,
                   Tune(TuningTasks(job), opened.contents.records, tools,
                        {.trials = options.trials,
                         .time_limit = options.time_limit,
                         .seed = options.seed}));
  progress.Finish();

  proto::Summary summary;
  const std::vector<NetworkTask> winners = Winners(job, outcome);
  Summarize(options, job, winners, outcome, summary);
  ASSIGN_OR_RETURN(const SchedulesByWorkload defaults,
                   DefaultSchedules(job.tasks, target));
  const SchedulesByWorkload best = BestSchedules(outcome, defaults);
  RETURN_IF_ERROR(WriteSchedules(
      job, winners, best,
      absl::StrCat(options.output_dir, "/", kSchedulesDirectory)));
  if (!options.compare.empty())
    Compare(options, job, *measurer, say, interrupted, summary);
  const absl::Status measured =
      MeasureNetworks(job, winners, best, defaults, options.seed, say, summary);
  RETURN_IF_ERROR(
      WriteFileAtomically(absl::StrCat(options.output_dir, "/", kSummaryFile),
                          SummaryToJson(summary)));
  RETURN_IF_ERROR(measured);
  return summary;
}

}  // namespace pruner
