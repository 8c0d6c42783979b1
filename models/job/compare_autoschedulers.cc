#include "models/job/compare_autoschedulers.h"

#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "pruner/base/text/units.h"
#include "pruner/measure/measure_result.h"

namespace pruner {

void CompareAutoschedulers(const TuneOptions& options,
                           const TuneCallbacks& callbacks,
                           const Workload& workload, MeasurePolicy policy,
                           WorkerMeasurer& measurer, proto::TaskSummary& task) {
  constexpr absl::Duration kTimeout = absl::Seconds(120);
  for (const std::string& name : options.compare) {
    if (callbacks.interrupted()) return;
    std::string registered = name;
    registered[0] = absl::ascii_toupper(registered[0]);
    const MeasureResult result = measurer.MeasureAutoscheduler(
        workload, policy, registered, PluginPath(options, name), kTimeout,
        callbacks.interrupted);
    std::string text;
    if (result.ok()) {
      (*task.mutable_compare_ms())[name] = Cost(result) * 1e3;
      text = FormatTime(absl::Seconds(Cost(result)));
    } else {
      text = absl::StrCat(FailureKindName(result.failure->kind), ": ",
                          result.failure->message);
      (*task.mutable_compare_failures())[name] = text;
    }
    callbacks.say(absl::StrCat(name, " on ", task.name(), ": ", text));
  }
}

}  // namespace pruner
