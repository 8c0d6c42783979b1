// Going on with a log of format 1.
#ifndef PRUNER_RECORD_CONVERT_LOG_H_
#define PRUNER_RECORD_CONVERT_LOG_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/target/target_spec.h"
#include "pruner/workload/workload.h"

namespace pruner {

// Makes of a log of format 1 one of the present format, in its place; the old
// one is kept as PATH.format1. Its records become those of one run; see
// ConvertLegacy for which are taken over. Returns sentences for the user. Does
// nothing, and says nothing, where there is no such log: that is left to
// RecordLog::Open. FailedPrecondition, and nothing is touched: the log is of
// another target, it has records but none of these workloads, somebody else is
// writing it, or `path` is a symbolic link.
absl::StatusOr<std::vector<std::string>> ConvertLogFile(
    const std::string& path, absl::Span<const Workload> workloads,
    const TargetSpec& target);

// OK if ConvertLogFile and then RecordLog::Open would go on with the log, or
// there is none. Touches nothing.
absl::Status CheckRecordLog(const std::string& path,
                            absl::Span<const Workload> workloads,
                            const TargetSpec& target);

}  // namespace pruner

#endif  // PRUNER_RECORD_CONVERT_LOG_H_
