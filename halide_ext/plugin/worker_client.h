// The plugin's side of its worker.
#ifndef HALIDE_EXT_PLUGIN_WORKER_CLIENT_H_
#define HALIDE_EXT_PLUGIN_WORKER_CLIENT_H_

#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "halide_ext/plugin/plugin.pb.h"

namespace pruner {

// The program that the plugin starts; see worker_main.cc.
inline constexpr char kWorkerName[] = "pruner_autoscheduler";

// Names the worker, for who keeps it elsewhere.
inline constexpr char kWorkerVariable[] = "PRUNER_AUTOSCHEDULER";

// Where the worker is: what the variable says; beside the plugin, a file; in
// bin/ beside its folder, as it is installed; among its runfiles. Error: it is
// in none of these, which are named.
absl::StatusOr<std::string> FindWorker(const std::string& plugin);

// Has a worker of its own answer; `say` is told what it says until then.
// Error: what became of the worker.
absl::StatusOr<proto::ScheduleReply> AskWorker(
    const std::string& worker, const proto::ScheduleRequest& request,
    absl::Duration timeout, const std::function<void(const std::string&)>& say);

}  // namespace pruner

#endif  // HALIDE_EXT_PLUGIN_WORKER_CLIENT_H_
