// What the plugin's worker does: a schedule for a pipeline that comes from
// somewhere else.
#ifndef HALIDE_EXT_PLUGIN_CHOOSE_SCHEDULE_H_
#define HALIDE_EXT_PLUGIN_CHOOSE_SCHEDULE_H_

#include <functional>

#include "absl/strings/string_view.h"
#include "halide_ext/plugin/plugin.pb.h"

namespace pruner {

// The fastest of the request's trials and of its log, if there are some; else,
// without timing anything, the best of what the draft model finds that is right
// for any size; else the default schedule. Without trials the same request
// gives the same reply. `say` is told how trials go.
proto::ScheduleReply ChooseSchedule(
    const proto::ScheduleRequest& request,
    const std::function<void(absl::string_view)>& say);

}  // namespace pruner

#endif  // HALIDE_EXT_PLUGIN_CHOOSE_SCHEDULE_H_
