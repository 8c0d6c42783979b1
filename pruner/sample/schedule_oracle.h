// An oracle of candidates of a DAG by who judges schedules: a compiler, an
// assembler.
#ifndef PRUNER_SAMPLE_SCHEDULE_ORACLE_H_
#define PRUNER_SAMPLE_SCHEDULE_ORACLE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/sample/schedule_space.h"
#include "pruner/sample/validity_oracle.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/sketch/candidate.h"
#include "pruner/workload/workload_key.h"

namespace pruner {

// Of each schedule, in order, whether it can be measured. Error: it cannot be
// told; Cancelled if nobody wants to know any more.
using ScheduleJudge = std::function<absl::StatusOr<std::vector<bool>>(
    absl::Span<const Schedule>)>;

class ScheduleOracle : public ValidityOracle {
 public:
  // The space must outlive it.
  ScheduleOracle(ScheduleSpace& space, ScheduleJudge judge)
      : space_(space), judge_(std::move(judge)) {}

  absl::StatusOr<std::vector<bool>> AreValid(
      absl::Span<const Candidate> candidates) override;

 private:
  ScheduleSpace& space_;
  const ScheduleJudge judge_;
};

// For CachedOracle: a key of the candidate's schedule for the workload on the
// space's target, and of `judge`, who it is that judges: names and versions.
absl::StatusOr<uint64_t> JudgementKey(ScheduleSpace& space,
                                      WorkloadKey workload,
                                      const std::string& judge,
                                      const Candidate& candidate);

}  // namespace pruner

#endif  // PRUNER_SAMPLE_SCHEDULE_ORACLE_H_
