#include "tools/common/log_path.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "pruner/base/os/files.h"

namespace pruner {

std::string RecordLogPath(const std::string& path) {
  const bool is_folder = ListDirectory(path).ok();
  return is_folder ? absl::StrCat(path, "/records.log") : path;
}

}  // namespace pruner
