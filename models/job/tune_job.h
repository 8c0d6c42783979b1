// The main job: tunes networks, or a pipeline, on this machine, from their
// names to what runs.
#ifndef MODELS_JOB_TUNE_JOB_H_
#define MODELS_JOB_TUNE_JOB_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "models/job/summary.pb.h"
#include "models/job/tune_options.h"

namespace pruner {

// The folder of what a run writes, but for the record log (open_log.h):
//   summary.json        of the run's network or pipeline; of several networks
//                       one each (summary.h)
//   NAME.tuned          the tuned network (tuned_network.h)
//   schedules/NAME/     the schedules as C++ headers
inline constexpr char kSchedulesFolder[] = "schedules";

struct TuneResult {
  std::vector<proto::Summary> summaries = {};  // of each network, or the
                                               // pipeline
  // Not empty: candidates were measured and none is valid, so that nothing but
  // the summaries was written; a sentence with the first failures.
  std::string nothing_valid = {};
};

// Tunes, then compiles each tuned network, checks it against the interpreter,
// times it beside the untuned one, and writes the output files.
absl::StatusOr<TuneResult> RunTuneJob(const TuneOptions& options,
                                      const TuneCallbacks& callbacks);

}  // namespace pruner

#endif  // MODELS_JOB_TUNE_JOB_H_
