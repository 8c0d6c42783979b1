// Parameters of the plugin, as Halide hands them on: autoscheduler.NAME=VALUE.
#ifndef HALIDE_EXT_PLUGIN_PLUGIN_PARAMS_H_
#define HALIDE_EXT_PLUGIN_PLUGIN_PARAMS_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/statusor.h"

namespace pruner {

struct PluginParams {
  int parallelism = 0;  // threads that the pipeline may use; 0: all cores
  uint64_t seed = 1;
  bool strict = false;   // what breaks is an error, not a warning
  bool verbose = false;  // says what it does, on stderr
};

// Error: a parameter that there is not, with those that there are; a value out
// of range, with the range.
absl::StatusOr<PluginParams> ParsePluginParams(
    const std::map<std::string, std::string>& params);

}  // namespace pruner

#endif  // HALIDE_EXT_PLUGIN_PLUGIN_PARAMS_H_
