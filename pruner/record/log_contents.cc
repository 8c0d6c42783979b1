#include "pruner/record/log_contents.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "pruner/base/os/record_file.h"
#include "pruner/base/status_macros.h"
#include "pruner/record/log_decoder.h"
#include "pruner/target/target_key.h"
#include "pruner/workload/workload_key.h"

namespace pruner {

std::string LogContents::NameOf(WorkloadKey key) const {
  const auto found = workloads.find(key);
  return found == workloads.end() ? ToString(key) : found->second.name;
}

std::string LogContents::NameOf(TargetKey key) const {
  const auto found = targets.find(key);
  return found == targets.end() ? ToString(key) : found->second.name;
}

absl::StatusOr<LogContents> ReadRecordLog(const std::string& path) {
  ASSIGN_OR_RETURN(const RecordFileContents file, ReadRecordFile(path));
  if (file.records.empty()) {
    return absl::FailedPreconditionError(
        absl::StrCat(path, " is empty: no tuning run has got to its records"));
  }
  ASSIGN_OR_RETURN(DecodedLog log, DecodeLog(path, file));
  return std::move(log.contents);
}

}  // namespace pruner
