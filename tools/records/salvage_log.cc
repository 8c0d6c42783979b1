#include "tools/records/salvage_log.h"

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "pruner/base/os/files.h"
#include "pruner/base/os/record_file.h"
#include "pruner/base/status_macros.h"

namespace pruner {

absl::StatusOr<std::string> SalvageLog(const std::string& from,
                                       const std::string& to) {
  if (FileExists(to)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--salvage=", to, " is there already: give the name of a new file"));
  }
  ASSIGN_OR_RETURN(const RecordFileContents found, SalvageRecordFile(from));
  if (found.records.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("nothing in ", from, " can be read as a record log's"));
  }
  ASSIGN_OR_RETURN(RecordFileWriter::Opened opened, RecordFileWriter::Open(to));
  for (const std::string& entry : found.records)
    RETURN_IF_ERROR(opened.writer.Append(entry));
  int64_t lost = 0;
  for (const DroppedBytes& part : found.dropped) lost += part.bytes;
  return absl::StrCat("wrote ", found.records.size(), " entries of ", from,
                      " to ", to, "; ", lost, " bytes in ",
                      found.dropped.size(), " parts cannot be read");
}

}  // namespace pruner
