// Runs a tuned network from the folder that tune wrote.
#ifndef MODELS_JOB_RUN_NETWORK_H_
#define MODELS_JOB_RUN_NETWORK_H_

#include <cstdint>
#include <functional>
#include <istream>
#include <string>

#include "absl/status/status.h"

namespace pruner {

struct RunNetworkOptions {
  std::string directory;  // that tune wrote to
  std::string model;      // which network of it; empty: the only one
  std::string weights;    // the model's file, if it is no longer where it was
  std::string target = "host";
  std::string input_file;        // raw fp32; empty: random numbers
  std::string output_file;       // raw fp32; empty: not written
  std::string export_directory;  // see ExportNetwork; empty: not written
  uint64_t seed = 1;
  double seconds = 2;
  int top = 15;
  bool verify = true;  // VerifyNetwork first; not where there are requests
  // If there are any, the network is not timed but serves them: ServeNetwork.
  std::istream* requests = nullptr;
};

// Verifies the network (Internal if it is wrong), and tells `say` the latency,
// the kernels' shares and a glimpse of the output, or the answers to requests.
// Errors name the flag or file that cannot be used.
absl::Status RunNetwork(const RunNetworkOptions& options,
                        const std::function<void(const std::string&)>& say);

}  // namespace pruner

#endif  // MODELS_JOB_RUN_NETWORK_H_
