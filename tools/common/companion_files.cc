#include "tools/common/companion_files.h"

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

// `installed` if there are no runfiles.
std::string RunfileOr(const std::string& argv0, const std::string& runfile,
                      const std::string& installed) {
  using bazel::tools::cpp::runfiles::Runfiles;
  std::string error;
  const std::unique_ptr<Runfiles> runfiles(Runfiles::Create(argv0, &error));
  return runfiles == nullptr ? installed : runfiles->Rlocation(runfile);
}

}  // namespace

// In both: without a program what is installed must not become a folder where
// the user happens to be.

std::string PluginDirectory(const std::string& program,
                            const std::string& argv0) {
  std::string installed;
  if (!program.empty()) {
    installed = absl::StrCat(DirectoryOf(DirectoryOf(program)), "/lib");
    if (HasPlugins(installed)) return installed;
  }
  return RunfileOr(argv0, "halide/halide/lib64", installed);
}

std::string NetworkProgram(const std::string& program,
                           const std::string& argv0) {
  std::string installed = "network_worker";
  if (!program.empty()) {
    installed = absl::StrCat(DirectoryOf(program), "/network_worker");
    if (FileExists(installed)) return installed;
  }
  return RunfileOr(argv0, "pruner/pruner/pacm/network_worker", installed);
}

}  // namespace pruner
