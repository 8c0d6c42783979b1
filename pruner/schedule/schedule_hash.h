// A hash of what a schedule does, without printing it.
#ifndef PRUNER_SCHEDULE_SCHEDULE_HASH_H_
#define PRUNER_SCHEDULE_SCHEDULE_HASH_H_

#include <cstdint>

#include "pruner/schedule/transform_step.h"

namespace pruner {

// Of the kinds of the steps and all of their fields. The same on every machine,
// but not in every version: for tables in memory.
uint64_t ScheduleHash(const Schedule& schedule);

}  // namespace pruner

#endif  // PRUNER_SCHEDULE_SCHEDULE_HASH_H_
