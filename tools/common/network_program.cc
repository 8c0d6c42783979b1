#include "tools/common/network_program.h"

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "pruner/base/os/files.h"
#include "tools/cpp/runfiles/runfiles.h"

namespace pruner {
namespace {

constexpr char kName[] = "network_worker";

}  // namespace

std::string NetworkProgram(const std::string& program,
                           const std::string& argv0) {
  // Without a program this must not become a folder where the user happens to
  // be.
  std::string installed = kName;
  if (!program.empty()) {
    installed = absl::StrCat(DirectoryOf(program), "/", kName);
    if (FileExists(installed)) return installed;
  }
  using bazel::tools::cpp::runfiles::Runfiles;
  std::string error;
  const std::unique_ptr<Runfiles> runfiles(Runfiles::Create(argv0, &error));
  if (runfiles == nullptr) return installed;
  return runfiles->Rlocation(absl::StrCat("pruner/pruner/pacm/", kName));
}

}  // namespace pruner
