// Who judges schedules without running them: the compiler and, for CUDA, its
// assembler too.
#ifndef HALIDE_EXT_RUNNER_SCHEDULE_JUDGES_H_
#define HALIDE_EXT_RUNNER_SCHEDULE_JUDGES_H_

#include "halide_ext/runner/cuda_assessor.h"
#include "halide_ext/runner/worker_measurer.h"
#include "pruner/measure/measure_policy.h"
#include "pruner/measure/measurer.h"
#include "pruner/sample/schedule_oracle.h"
#include "pruner/workload/workload.h"

namespace pruner {

// What they refer to must outlive the judges.

// A schedule of the workload is valid if it compiles within the measurer's
// limits. Errors: WorkerMeasurer::Check's.
ScheduleJudge JudgeByCompiling(const Workload& workload, MeasurePolicy policy,
                               WorkerMeasurer& measurer,
                               Measurer::IsUnwanted is_unwanted);

// If it compiles, ptxas takes it and threads use nothing that only others know;
// one that spills registers is, too: it runs. Errors: Unavailable, the workers
// cannot go on; Cancelled by the assessor's options.
ScheduleJudge JudgeByPtxas(const Workload& workload, CudaAssessor& assessor);

}  // namespace pruner

#endif  // HALIDE_EXT_RUNNER_SCHEDULE_JUDGES_H_
