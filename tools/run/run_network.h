// Runs a tuned network from the folder that tune wrote.
#ifndef TOOLS_RUN_RUN_NETWORK_H_
#define TOOLS_RUN_RUN_NETWORK_H_

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/status.h"

namespace pruner {

struct RunNetworkOptions {
  std::string directory;    // of the record log
  std::string input_file;   // raw fp32; empty: random numbers
  std::string output_file;  // raw fp32; empty: not written
  std::string model;        // instead of the log's; empty: the log's
  // Of which records are used; see ParseFormulations.
  std::string formulations = "all";
  double max_error = 1e-3;
  uint64_t seed = 1;
  double seconds = 2;
  int top = 15;
};

// Tells `say` the latency, the kernels' shares and a glimpse of the output.
// Errors name the flag or file that cannot be used.
absl::Status RunNetwork(const RunNetworkOptions& options,
                        const std::function<void(const std::string&)>& say);

}  // namespace pruner

#endif  // TOOLS_RUN_RUN_NETWORK_H_
