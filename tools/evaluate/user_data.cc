#include "tools/evaluate/user_data.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "pruner/base/os/environment.h"
#include "pruner/base/status_macros.h"
#include "tools/common/log_path.h"
#include "tools/common/tool_output.h"
#include "tools/evaluate/data_set.h"

namespace pruner {

absl::StatusOr<DataSet> ReadUserData(absl::string_view program,
                                     const std::vector<std::string>& names) {
  std::vector<std::string> paths;
  for (const std::string& name : names)
    paths.push_back(RecordLogPath(ResolveUserPath(name)));
  if (paths.empty()) {
    return absl::InvalidArgumentError(
        "which data? Say --data=FOLDER, where collect or tune wrote to");
  }
  ASSIGN_OR_RETURN(DataSet data, ReadDataSet(paths));
  for (const std::string& note : data.notes) PrintNote(program, note);
  return data;
}

}  // namespace pruner
