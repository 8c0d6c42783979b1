// Collects a data set: random programs of tasks, each timed once, and some of
// them twice, in a record log.
#ifndef MODELS_JOB_COLLECT_JOB_H_
#define MODELS_JOB_COLLECT_JOB_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "models/job/tune_options.h"
#include "pruner/target/target_spec.h"
#include "pruner/tune/tuning_task.h"

namespace pruner {

struct CollectOptions {
  // Networks, target, sampling, folder and the like. Trials, race, policy and
  // scheduler follow from what is collected.
  TuneOptions search = {};
  int64_t programs = 1200;  // distinct ones of each task
  // So many of them, from the fastest to the slowest, are timed a second time
  // in the end, as records of races.
  int again = 20;
};

struct CollectResult {
  std::string log;  // its path
  // The search was interrupted; it goes on when it is started again.
  bool interrupted = false;
  // Not empty: programs were measured and none is valid; a sentence.
  std::string nothing_valid = {};
};

// Makes tasks that are no network's.
using MakeTasks =
    std::function<absl::StatusOr<std::vector<TuningTask>>(const TargetSpec&)>;

// A log that is there is gone on with. Errors: flags that cannot be used; a log
// whose trials were chosen in another way; what RunTuneJob's are.
absl::StatusOr<CollectResult> RunCollectJob(const CollectOptions& options,
                                            const MakeTasks& more_tasks,
                                            const TuneCallbacks& callbacks);

}  // namespace pruner

#endif  // MODELS_JOB_COLLECT_JOB_H_
