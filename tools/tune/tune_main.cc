// Tunes a network; see kUsage.
#include <optional>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "halide_ext/runner/worker.h"
#include "models/job/network_checker.h"
#include "models/job/network_job.h"
#include "models/job/summary.h"
#include "models/job/tune_job.h"
#include "models/job/tune_options.h"
#include "pruner/base/os/environment.h"
#include "pruner/base/os/program_path.h"
#include "pruner/base/os/signals.h"
#include "pruner/base/os/terminal.h"
#include "pruner/base/text/find_named.h"
#include "pruner/search/initialization.h"
#include "pruner/search/policy_table.h"
#include "pruner/tune/cost_models.h"
#include "pruner/tune/objective.h"
#include "pruner/tune/policy_models.h"
#include "pruner/tune/scheduler_table.h"
#include "tools/common/companion_files.h"
#include "tools/common/tool_flags.h"
#include "tools/common/tool_output.h"

ABSL_FLAG(std::string, model, "",
          "the network: a name such as resnet50, an ONNX model (.onnx), or a "
          "graph file (.txtpb); "
          "several with commas between them are tuned together, and share what "
          "is equal");
ABSL_FLAG(std::string, pipeline, "",
          "instead of a network: a file that Halide::serialize_pipeline wrote");
ABSL_FLAG(std::string, input_sizes, "",
          "of the pipeline's inputs, where they are not known: "
          "image=640x480,kernel=3x3, innermost dimension first");
ABSL_FLAG(
    std::string, target, "host",
    "the machine to tune for: host; for a pipeline also a device, such as "
    "a100; or a target file (.txtpb)");
ABSL_FLAG(int64_t, trials, 4000,
          "candidates to measure, over all tasks, earlier runs included; 0: "
          "none, an analytic model chooses the schedules, in seconds");
ABSL_FLAG(absl::Duration, time_limit, absl::Minutes(10),
          "the search ends after so long (10m, 1h30m, inf)");
ABSL_FLAG(int, race, 5,
          "so many of each task's fastest candidates are timed again, next to "
          "each other, when the search is over, and the winner is used; 0: "
          "none, the fastest trial is");
ABSL_FLAG(std::string, output_dir, "",
          "folder of the record log, summary.json, the tuned network and the "
          "schedules; pruner_<model> if empty");
ABSL_FLAG(uint64_t, seed, 1, "of everything random");
ABSL_FLAG(int, threads, 0, "threads that kernels use; 0: all cores");
ABSL_FLAG(int, batch, 1, "inputs that the network computes at once");
ABSL_FLAG(
    std::vector<std::string>, input_shape, {},
    "shapes of inputs that an ONNX model leaves open, with commas between "
    "them: image:1x3x224x224");
ABSL_FLAG(std::string, policy, pruner::kDefaultPolicy,
          absl::StrCat("how candidates are chosen: ",
                       pruner::DescribeNamed(pruner::SearchPolicies())));
ABSL_FLAG(
    std::string, cost_model, "",
    "what learns from the timings, for policies that choose by it: gbdt, "
    "boosted trees; mlp, TenSet's network; pacm, Pruner's network; none, "
    "the analytic model alone; empty: the policy's own, which is pacm for "
    "pruner and pruner_paper, gbdt for ansor");
ABSL_FLAG(std::string, columns, pruner::kAllColumns,
          "what it reads of a program: all, the papers' columns and ours; "
          "compat, the papers' alone, as checkpoints do that Pruner's authors "
          "published");
ABSL_FLAG(std::string, training, pruner::kListTraining,
          "how networks learn: lists, from programs of a task at a time, when "
          "there are 40 % more; papers, as Pruner's authors have it, from all "
          "tasks mixed, after each round");
ABSL_FLAG(std::string, pretrained, pruner::kAutoPretrained,
          "what a network knows before: cpu, what a PaCM learned on another "
          "CPU; auto, that, with --cost_model=pacm on a CPU; none, nothing; or "
          "a file that pretrain wrote, with pacm and --columns=compat also a "
          "published one (.pth)");
ABSL_FLAG(std::string, adapt, "moa",
          "what is learned on top of it: moa, with momentum; finetune, it is "
          "trained further; none, nothing");
ABSL_FLAG(std::string, scheduler, pruner::kDefaultScheduler,
          absl::StrCat("which task has the next trials: ",
                       pruner::DescribeNamed(pruner::Schedulers())));
ABSL_FLAG(
    int64_t, patience, 0,
    "with --scheduler=gradient: a task has no more trials when so many in "
    "a row brought nothing, and the search ends when that is so of all; "
    "0: it always may");
ABSL_FLAG(std::string, objective, pruner::kDefaultObjective,
          "with --scheduler=gradient: what several networks are tuned for: "
          "total_time, or geometric_mean, to which a small network's tenth "
          "means as much as a large one's");
ABSL_FLAG(std::vector<std::string>, latency_limits, {},
          "with --scheduler=gradient: a network that is as fast as its limit "
          "has no more trials while another is not: 8ms,3ms, one for each "
          "network");
ABSL_FLAG(std::string, sampling, "hardware",
          "how tile sizes are drawn: hardware, with the target in mind, or "
          "ansor, uniformly");
ABSL_FLAG(std::string, init, pruner::kDefaultInit,
          absl::StrCat("where a task's search begins: ",
                       pruner::DescribeNamed(pruner::Inits())));
ABSL_FLAG(std::string, measure_policy, pruner::kAutoPolicy,
          "where candidates find a network's constants when they are timed: "
          "auto, where the network leaves them from one run to the next; warm, "
          "in the caches; llc, in the last-level cache; memory");
ABSL_FLAG(std::string, formulations, "",
          "ways to compute a kernel that compete, each with its share of the "
          "trials; the fastest is used: all, or of direct,winograd_f2,"
          "winograd_f4,im2col,nchwc; empty: those that may pay");
ABSL_FLAG(double, max_error, 1e-3,
          "formulations with a larger relative error take no part: "
          "winograd_f2 may have 2e-5, winograd_f4 2e-4");
ABSL_FLAG(absl::Duration, compile_timeout, absl::Seconds(15),
          "a candidate that computes for longer to be compiled has failed, as "
          "has one that takes 10 times as long as its task's usually do, and 1 "
          "s");
ABSL_FLAG(absl::Duration, run_timeout, absl::Seconds(10),
          "or longer to be run and timed; large kernels get more");
ABSL_FLAG(bool, fresh, false,
          "start anew: an earlier record log is put aside, not continued");
ABSL_FLAG(
    bool, embed_weights, false,
    "store a model file's weights in the tuned network; else it is looked "
    "for when the network is run");
ABSL_FLAG(
    std::string, compare, "",
    "Halide autoschedulers to measure beside: adams2019,li2018,mullapudi2016");

namespace {

constexpr char kUsage[] =
    "Tunes a network for this machine: searches a fast schedule for each of "
    "its kernels,\n"
    "with timings in the loop, then compiles the network, checks it and times "
    "it.\n\n"
    "  tune --model=resnet50\n"
    "  tune --model=resnet50 --trials=300 --output_dir=r50\n"
    "  tune --model=resnet50 --trials=0\n"
    "  tune --pipeline=blur.hlpipe\n\n"
    "A run that was interrupted goes on where it stopped when started again. "
    "Ctrl-C ends the\n"
    "search and prints what was found; a second one quits.\n\n"
    "Exit codes: 0 done, 1 something broke, 2 what was given cannot be used, 3 "
    "no candidate\n"
    "that was measured is valid.";

constexpr char kSources[] = "tools/tune/tune_main";

std::string DefaultOutputDirectory(const pruner::TuneOptions& options) {
  std::string folder = "pruner";
  for (const std::string& model : options.models)
    absl::StrAppend(&folder, "_", pruner::FileStem(model));
  if (!options.pipeline.empty())
    absl::StrAppend(&folder, "_", pruner::FileStem(options.pipeline));
  return folder;
}

std::string CostModelName(const std::string& policy) {
  const std::string given = absl::GetFlag(FLAGS_cost_model);
  // What is no policy is refused later.
  const auto entry = pruner::FindPolicy(policy);
  return pruner::CostModelNameFor(entry.ok() ? **entry : pruner::PolicyEntry(),
                                  given);
}

pruner::TuneOptions OptionsFromFlags(const char* argv0) {
  pruner::TuneOptions options;
  options.models =
      absl::StrSplit(absl::GetFlag(FLAGS_model), ',', absl::SkipEmpty());
  options.pipeline = absl::GetFlag(FLAGS_pipeline);
  options.input_sizes = absl::GetFlag(FLAGS_input_sizes);
  options.target = absl::GetFlag(FLAGS_target);
  options.trials = absl::GetFlag(FLAGS_trials);
  options.time_limit = absl::GetFlag(FLAGS_time_limit);
  const std::string output_dir = absl::GetFlag(FLAGS_output_dir);
  options.output_dir = pruner::ResolveUserPath(
      output_dir.empty() ? DefaultOutputDirectory(options) : output_dir);
  options.race = absl::GetFlag(FLAGS_race);
  options.seed = absl::GetFlag(FLAGS_seed);
  options.threads = absl::GetFlag(FLAGS_threads);
  options.batch = absl::GetFlag(FLAGS_batch);
  options.input_shapes = absl::GetFlag(FLAGS_input_shape);
  options.policy = absl::GetFlag(FLAGS_policy);
  options.cost_model = {
      .name = CostModelName(options.policy),
      .columns = absl::GetFlag(FLAGS_columns),
      .network_program = pruner::NetworkProgram(pruner::ProgramPath(), argv0),
      .training = absl::GetFlag(FLAGS_training),
      .pretrained = pruner::PretrainedOf(absl::GetFlag(FLAGS_pretrained)),
      .adapt = absl::GetFlag(FLAGS_adapt),
      .seed = options.seed,
  };
  options.scheduler = absl::GetFlag(FLAGS_scheduler);
  options.patience = absl::GetFlag(FLAGS_patience);
  options.objective = absl::GetFlag(FLAGS_objective);
  for (const std::string& text : absl::GetFlag(FLAGS_latency_limits)) {
    // What is no duration is as good as none, and none is refused.
    absl::Duration limit;
    if (!absl::ParseDuration(text, &limit)) limit = absl::ZeroDuration();
    options.latency_limits.push_back(limit);
  }
  options.sampling = absl::GetFlag(FLAGS_sampling);
  options.init = absl::GetFlag(FLAGS_init);
  options.measure_policy = absl::GetFlag(FLAGS_measure_policy);
  options.formulations = absl::GetFlag(FLAGS_formulations);
  options.max_error = absl::GetFlag(FLAGS_max_error);
  options.compile_timeout = absl::GetFlag(FLAGS_compile_timeout);
  options.run_timeout = absl::GetFlag(FLAGS_run_timeout);
  options.fresh = absl::GetFlag(FLAGS_fresh);
  options.embed_weights = absl::GetFlag(FLAGS_embed_weights);
  options.compare =
      absl::StrSplit(absl::GetFlag(FLAGS_compare), ',', absl::SkipEmpty());
  options.given = pruner::GivenFlags(kSources);
  options.terminal = pruner::StdoutIsTerminal();
  options.columns = pruner::TerminalColumns();
  if (!options.compare.empty()) {
    options.plugin_directory =
        pruner::PluginDirectory(pruner::ProgramPath(), argv0);
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  if (const std::optional<int> code = pruner::RunIfNetworkChecker(argc, argv))
    return *code;
  if (const std::optional<int> code = pruner::RunIfWorker()) return *code;
  if (const std::optional<int> code =
          pruner::InitTool(argc, argv, kUsage, kSources))
    return *code;
  const pruner::InterruptFlag interrupt;
  pruner::RunOutput output("tune");
  const auto result = pruner::RunTuneJob(
      OptionsFromFlags(argv[0]),
      {.say = [&](const std::string& text) { output.Say(text); },
       .show = [&](absl::string_view text) { output.Show(text); },
       .interrupted = [&] { return interrupt.raised(); }});
  if (!result.ok()) return pruner::ReportError("tune", result.status());
  absl::Status printed;
  for (const pruner::proto::Summary& summary : result->summaries) {
    printed.Update(
        pruner::Print(absl::StrCat("\n", pruner::SummaryToText(summary))));
  }
  if (!printed.ok()) return pruner::ReportError("tune", printed);
  if (result->nothing_valid.empty()) return pruner::kExitOk;
  pruner::PrintNote("tune", result->nothing_valid);
  return pruner::kExitNothingValid;
}
