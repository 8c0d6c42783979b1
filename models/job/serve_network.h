// A network that is timed when somebody asks for it.
#ifndef MODELS_JOB_SERVE_NETWORK_H_
#define MODELS_JOB_SERVE_NETWORK_H_

#include <functional>
#include <istream>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "models/job/exported_network.pb.h"
#include "pruner/base/clock.h"

namespace pruner {

// Says `network`, then answers each line of `requests` until they end: whoever
// compares networks keeps one process of each and asks them in turns. Answers
// are lines of JSON, one for each request:
//
//   time SECONDS   runs the network once, then for so long, at least three
//                  times; proto::ServedTiming
//
// `run` runs it once. InvalidArgument for a line that is no request.
absl::Status ServeNetwork(const proto::ServedNetwork& network,
                          absl::FunctionRef<absl::Status()> run,
                          std::istream& requests,
                          const std::function<void(const std::string&)>& say,
                          Clock& clock = RealClock());

}  // namespace pruner

#endif  // MODELS_JOB_SERVE_NETWORK_H_
