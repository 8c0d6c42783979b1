// What a tuning run is asked for, whatever it tunes.
#ifndef MODELS_JOB_TUNE_OPTIONS_H_
#define MODELS_JOB_TUNE_OPTIONS_H_

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "models/job/network_checker.h"
#include "pruner/search/initialization.h"
#include "pruner/tune/cost_models.h"
#include "pruner/tune/objective.h"
#include "pruner/tune/scheduler_table.h"
#include "pruner/tune/task_scheduler.h"

namespace pruner {

inline constexpr char kAutoPolicy[] = "auto";

struct TuneOptions {
  // Either networks, by names of the zoo or graph files, or a file that Halide
  // serialized a pipeline to.
  std::vector<std::string> models = {};
  std::string pipeline = {};
  // Of the pipeline's inputs; see ParseInputSizes.
  std::string input_sizes = {};
  std::string target = "host";
  int64_t trials = 1000;  // over all tasks
  // Of these at most so many of each.
  int64_t task_trials = std::numeric_limits<int64_t>::max();
  int round_trials = 8;  // see TuningOptions
  absl::Duration time_limit = absl::InfiniteDuration();
  // A candidate that takes longer to compile has failed.
  absl::Duration compile_timeout = absl::Seconds(15);
  // Or longer to run: large kernels get more, see WorkerMeasurer::Options.
  absl::Duration run_timeout = absl::Seconds(10);
  std::string output_dir = {};  // made if it is not there
  // How many of each task's fastest candidates are timed again when the search
  // is over; 0: none.
  int race = 5;
  // Of how many, from the fastest to the slowest of each task, a second timing
  // is taken then.
  int second_timings = 0;
  uint64_t seed = 1;
  int threads = 0;  // 0: all cores
  int batch = 1;
  // Of inputs that ONNX models leave open: "image:1x3x224x224".
  std::vector<std::string> input_shapes = {};
  std::string policy = {};
  // The learned model of policies that have one.
  CostModelOptions cost_model = {};
  std::string scheduler = kDefaultScheduler;
  // The scheduler gives a subgraph no more trials when so many in a row brought
  // nothing, and ends the search when that is so of all; 0: it always may.
  int64_t patience = 0;
  // What the scheduler tunes several networks for; see MakeObjective. Limits
  // are latencies that are good enough, in the order of the networks.
  std::string objective = kDefaultObjective;
  std::vector<absl::Duration> latency_limits = {};
  std::string sampling = "hardware";  // see ParseSampling
  std::string init = kDefaultInit;    // see ParseInit
  // How warm constants are when candidates are timed (ParseMeasurePolicy);
  // kAutoPolicy: as the network leaves them.
  std::string measure_policy = kAutoPolicy;
  // Which ways to compute a subgraph compete; see ParseFormulations.
  std::string formulations = {};
  double max_error = 1e-3;
  bool fresh = false;  // put an earlier log aside
  // Given weights are stored in the tuned network, not looked up in the model's
  // file when it is run.
  bool embed_weights = false;
  // Halide's autoschedulers to compare with: "adams2019", …, and where their
  // plugins are: folder of libautoschedule_<name>.so.
  std::vector<std::string> compare = {};
  std::string plugin_directory = {};
  // Starts workers; see WorkerMeasurer::Options.
  std::vector<std::string> worker_command = {"/proc/self/exe"};
  // Starts what checks networks; see NetworkCheckerOptions.
  std::vector<std::string> checker_command = {"/proc/self/exe",
                                              kNetworkCheckerArgument};
  // The options that the user gave, for the log.
  std::vector<std::pair<std::string, std::string>> given = {};
  // The progress line is rewritten in place.
  bool terminal = false;
  int columns = 80;
};

// Who is told what a person should read, on stdout: lines, and meanwhile the
// progress, in lines or as text that takes the place of a terminal's last one;
// and who is asked, also by other threads, whether the search is to end early,
// but not what follows it.
struct TuneCallbacks {
  std::function<void(const std::string&)> say;
  std::function<void(absl::string_view)> show;
  std::function<bool()> interrupted;
};

// Refuses what cannot be used with an error that names the flag, before
// anything is written.
absl::Status CheckTuneOptions(const TuneOptions& options);
// The same of what all searches have, whatever is searched for.
absl::Status CheckSearchOptions(const TuneOptions& options);

// The scheduler that is asked for, where the target's peak is known. Errors:
// see CheckTuneOptions.
absl::StatusOr<std::unique_ptr<TaskScheduler>> SchedulerOf(
    const TuneOptions& options, double peak_flops_per_second);

// The shared library of one of Halide's autoschedulers.
std::string PluginPath(const TuneOptions& options,
                       const std::string& autoscheduler);

}  // namespace pruner

#endif  // MODELS_JOB_TUNE_OPTIONS_H_
