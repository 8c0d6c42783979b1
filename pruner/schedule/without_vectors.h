// A schedule with some of its stages' vectors taken back.
#ifndef PRUNER_SCHEDULE_WITHOUT_VECTORS_H_
#define PRUNER_SCHEDULE_WITHOUT_VECTORS_H_

#include <set>
#include <string>

#include "absl/status/statusor.h"
#include "pruner/dag/compute_dag.h"
#include "pruner/schedule/transform_step.h"

namespace pruner {

// The schedule with plain loops where it has vectors in stages of these names,
// those that steps insert among them. Errors: a step that does not fit.
absl::StatusOr<Schedule> WithoutVectors(const ComputeDag& dag,
                                        const Schedule& schedule,
                                        const std::set<std::string>& stages);

}  // namespace pruner

#endif  // PRUNER_SCHEDULE_WITHOUT_VECTORS_H_
