// Halide's own schedulers beside ours.
#ifndef MODELS_JOB_COMPARE_AUTOSCHEDULERS_H_
#define MODELS_JOB_COMPARE_AUTOSCHEDULERS_H_

#include "halide_ext/runner/worker_measurer.h"
#include "models/job/summary.pb.h"
#include "models/job/tune_options.h"
#include "pruner/workload/workload.h"

namespace pruner {

// What options.compare make of the workload, each in a process with limits;
// added to the task's summary and told the user.
void CompareAutoschedulers(const TuneOptions& options,
                           const TuneCallbacks& callbacks,
                           const Workload& workload, MeasurePolicy policy,
                           WorkerMeasurer& measurer, proto::TaskSummary& task);

}  // namespace pruner

#endif  // MODELS_JOB_COMPARE_AUTOSCHEDULERS_H_
