#include "tools/common/plugin_directory.h"

#include <algorithm>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "pruner/base/os/files.h"
#include "tools/cpp/runfiles/runfiles.h"

namespace pruner {
namespace {

bool HasPlugins(const std::string& directory) {
  const auto names = ListDirectory(directory);
  return names.ok() &&
         std::any_of(names->begin(), names->end(), [](const std::string& name) {
           return absl::StartsWith(name, "libautoschedule_");
         });
}

}  // namespace

std::string PluginDirectory(const std::string& program,
                            const std::string& argv0) {
  // Without a program this must not become a folder where the user happens to
  // be.
  std::string installed;
  if (!program.empty()) {
    installed = absl::StrCat(DirectoryOf(DirectoryOf(program)), "/lib");
    if (HasPlugins(installed)) return installed;
  }
  using bazel::tools::cpp::runfiles::Runfiles;
  std::string error;
  const std::unique_ptr<Runfiles> runfiles(Runfiles::Create(argv0, &error));
  if (runfiles == nullptr) return installed;
  return runfiles->Rlocation("halide/halide/lib64");
}

}  // namespace pruner
