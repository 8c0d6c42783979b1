#include "pruner/target/load_target_spec.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "pruner/base/os/environment.h"
#include "pruner/base/os/files.h"
#include "pruner/base/packaged_file.h"
#include "pruner/base/status_macros.h"
#include "pruner/target/host_spec.h"
#include "pruner/target/packaged_specs.h"
#include "pruner/target/target_spec.h"

namespace pruner {

absl::StatusOr<TargetSpec> LoadTargetSpec(const std::string& name_or_path,
                                          const HostSpecOptions& host_options) {
  if (name_or_path == "host") return HostTargetSpec(host_options);
  if (absl::EndsWith(name_or_path, ".txtpb") ||
      absl::StrContains(name_or_path, '/')) {
    ASSIGN_OR_RETURN(
        const std::string text,
        ReadFile(ResolveUserPath(name_or_path), kMaxTargetSpecBytes));
    return ParseTargetSpec(text, name_or_path);
  }
  for (const PackagedFile& packaged : PackagedSpecs()) {
    if (packaged.name == name_or_path) {
      return ParseTargetSpec(packaged.contents,
                             absl::StrCat(packaged.name, ".txtpb"));
    }
  }
  return absl::NotFoundError(
      absl::StrCat("unknown target \"", name_or_path,
                   "\": give the path of a .txtpb file or ", "one of ",
                   absl::StrJoin(KnownTargets(), ", ")));
}

std::vector<std::string> KnownTargets() {
  std::vector<std::string> names = {"host"};
  for (const PackagedFile& packaged : PackagedSpecs()) {
    names.emplace_back(packaged.name);
  }
  return names;
}

}  // namespace pruner
