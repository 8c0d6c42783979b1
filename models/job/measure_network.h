// A tuned network put to the test: is it right, and how fast is it?
#ifndef MODELS_JOB_MEASURE_NETWORK_H_
#define MODELS_JOB_MEASURE_NETWORK_H_

#include <cstdint>

#include "absl/status/status.h"
#include "models/job/network_job.h"
#include "models/job/network_outcome.h"
#include "models/job/summary.pb.h"
#include "models/job/tune_options.h"

namespace pruner {

// Compiles the tuned network, compares its output with the interpreter's in
// double precision, and adds that to the summary. Internal, with the summary
// filled, if the output is wrong.
absl::Status CheckNetwork(const NetworkJob& job, const NetworkOutcome& outcome,
                          uint64_t seed, const TuneCallbacks& callbacks,
                          proto::Summary& summary);

// The same, and times the network and the untuned one.
absl::Status MeasureNetworks(const NetworkJob& job,
                             const NetworkOutcome& outcome, uint64_t seed,
                             const TuneCallbacks& callbacks,
                             proto::Summary& summary);

}  // namespace pruner

#endif  // MODELS_JOB_MEASURE_NETWORK_H_
