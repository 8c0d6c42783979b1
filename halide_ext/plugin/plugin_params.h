// Parameters of the plugin, as Halide hands them on: autoscheduler.NAME=VALUE.
#ifndef HALIDE_EXT_PLUGIN_PLUGIN_PARAMS_H_
#define HALIDE_EXT_PLUGIN_PLUGIN_PARAMS_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace pruner {

struct PluginParams {
  int parallelism = 0;  // threads that the pipeline may use; 0: all cores
  uint64_t seed = 1;
  // Candidates that are compiled and timed; 0: none, the draft model chooses.
  int64_t trials = 0;
  absl::Duration time_limit = absl::Minutes(10);  // of the search with trials
  std::string record_log = {};    // a file; empty: nothing is kept
  std::string policy = "pruner";  // pruner/search/policy_table.h
  std::string cost_model = {};    // empty: the policy's own
  std::string target_spec = {};   // a file or a name; empty: common rates
  bool passes = true;             // lowering passes of ours make kernels
  bool strict = false;            // what breaks is an error, not a warning
  bool verbose = false;           // says what it does, on stderr
};

// Error: a parameter that there is not, with those that there are; a value out
// of range, with the range.
absl::StatusOr<PluginParams> ParsePluginParams(
    const std::map<std::string, std::string>& params);

}  // namespace pruner

#endif  // HALIDE_EXT_PLUGIN_PLUGIN_PARAMS_H_
