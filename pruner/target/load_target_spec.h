// From what a user writes after --target= to a TargetSpec.

#ifndef PRUNER_TARGET_LOAD_TARGET_SPEC_H_
#define PRUNER_TARGET_LOAD_TARGET_SPEC_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "pruner/target/host_spec.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// `name_or_path` is "host" (`host_options` are for it), the name of a packaged
// spec (pruner/target/specs, compiled into the program), or the path of a spec:
// whatever ends with
// ".txtpb" or has a "/". NOT_FOUND lists the known names.
absl::StatusOr<TargetSpec> LoadTargetSpec(
    const std::string& name_or_path, const HostSpecOptions& host_options = {});

// "host" and the packaged names in alphabetical order.
std::vector<std::string> KnownTargets();

}  // namespace pruner

#endif  // PRUNER_TARGET_LOAD_TARGET_SPEC_H_
