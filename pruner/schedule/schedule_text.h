// Schedule to and from text, one step a line:
//   split stage=4 iterator=2 lengths=1,7,2 tail=guard
#ifndef PRUNER_SCHEDULE_SCHEDULE_TEXT_H_
#define PRUNER_SCHEDULE_SCHEDULE_TEXT_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "pruner/schedule/transform_step.h"

namespace pruner {

std::string PrintStep(const TransformStep& step);
std::string PrintSchedule(const Schedule& schedule);

// Errors name the line and the field. Empty lines and lines from '#' on are
// skipped.
absl::StatusOr<Schedule> ParseSchedule(absl::string_view text);

}  // namespace pruner

#endif  // PRUNER_SCHEDULE_SCHEDULE_TEXT_H_
