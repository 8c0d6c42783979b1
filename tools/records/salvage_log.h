// What is left of a damaged record log, as a new one.
#ifndef TOOLS_RECORDS_SALVAGE_LOG_H_
#define TOOLS_RECORDS_SALVAGE_LOG_H_

#include <string>

#include "absl/status/statusor.h"

namespace pruner {

// Writes all entries that can be read of the file `from`, of which nothing else
// need be a record log, to the new file `to`, and returns a sentence about
// them. InvalidArgument if there is a file `to`, or nothing to be read.
absl::StatusOr<std::string> SalvageLog(const std::string& from,
                                       const std::string& to);

}  // namespace pruner

#endif  // TOOLS_RECORDS_SALVAGE_LOG_H_
