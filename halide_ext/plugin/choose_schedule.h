// What the plugin's worker does: a schedule for a pipeline that comes from
// somewhere else.
#ifndef HALIDE_EXT_PLUGIN_CHOOSE_SCHEDULE_H_
#define HALIDE_EXT_PLUGIN_CHOOSE_SCHEDULE_H_

#include "halide_ext/plugin/plugin.pb.h"

namespace pruner {

// Without timing anything: the best of what the draft model finds that is right
// for any size, else the default schedule. The same request gives the same
// reply.
proto::ScheduleReply ChooseSchedule(const proto::ScheduleRequest& request);

}  // namespace pruner

#endif  // HALIDE_EXT_PLUGIN_CHOOSE_SCHEDULE_H_
