// What the plugin takes for the fastest schedule without timing anything.
#ifndef HALIDE_EXT_PLUGIN_DRAFT_SCHEDULE_H_
#define HALIDE_EXT_PLUGIN_DRAFT_SCHEDULE_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "pruner/search/search_policy.h"
#include "pruner/target/target_spec.h"
#include "pruner/tune/tuning_task.h"

namespace pruner {

// The first of the draft model's best, and of the default schedule after them,
// that passes CheckSchedule, as that has it. The same seed gives the same.
// Errors: FailedPrecondition if none passes, why the last one does not; others
// as of CheckSchedule, and bugs of rules.
absl::StatusOr<Proposal> DraftSchedule(const TuningTask& task,
                                       const TargetSpec& target, uint64_t seed);

}  // namespace pruner

#endif  // HALIDE_EXT_PLUGIN_DRAFT_SCHEDULE_H_
