// The main job: tunes a network on this machine, from its name to its measured
// latency.
#ifndef TOOLS_TUNE_TUNE_NETWORK_H_
#define TOOLS_TUNE_TUNE_NETWORK_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "tools/tune/summary.pb.h"

namespace pruner {

struct TuneNetworkOptions {
  std::string model;  // a name of the zoo or a graph file
  std::string target = "host";
  int64_t trials = 1000;
  absl::Duration time_limit = absl::InfiniteDuration();
  std::string output_dir;  // made if it is not there
  uint64_t seed = 1;
  int threads = 0;  // 0: all cores
  int batch = 1;
  std::string policy;
  // Which ways to compute a subgraph compete; see ParseFormulations.
  std::string formulations;
  double max_error = 1e-3;
  bool fresh = false;  // put an earlier log aside
  // Halide's autoschedulers to compare with: "adams2019", …, and where their
  // plugins are: folder of libautoschedule_<name>.so.
  std::vector<std::string> compare;
  std::string plugin_directory;
  // Starts workers; see WorkerMeasurer::Options.
  std::vector<std::string> worker_command = {"/proc/self/exe"};
  // The progress line is rewritten in place.
  bool terminal = false;
  int columns = 80;
};

// File names in the output folder.
inline constexpr char kRecordLogFile[] = "records.log";
inline constexpr char kSummaryFile[] = "summary.json";
inline constexpr char kSchedulesDirectory[] = "schedules";

// Refuses what cannot be used with an error that names the flag, before
// anything is written.
absl::Status CheckOptions(const TuneNetworkOptions& options);

// Tunes, then compiles the tuned network, checks it against the interpreter,
// times it beside the untuned one, and writes the output files. `say` gets what
// a person should read, on stdout; `interrupted` ends the search early but not
// what follows it.
absl::StatusOr<proto::Summary> TuneNetwork(
    const TuneNetworkOptions& options,
    const std::function<void(const std::string&)>& say,
    const std::function<bool()>& interrupted);

}  // namespace pruner

#endif  // TOOLS_TUNE_TUNE_NETWORK_H_
