// Data sets as users name them.
#ifndef TOOLS_EVALUATE_USER_DATA_H_
#define TOOLS_EVALUATE_USER_DATA_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tools/evaluate/data_set.h"

namespace pruner {

// What --data names: record logs, or folders with one. Notes go to stderr, as
// of this program. Errors: nothing is named; ReadDataSet's.
absl::StatusOr<DataSet> ReadUserData(absl::string_view program,
                                     const std::vector<std::string>& names);

}  // namespace pruner

#endif  // TOOLS_EVALUATE_USER_DATA_H_
