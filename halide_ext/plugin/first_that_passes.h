// The fastest candidate may fail a check that no trial makes; the next one need
// not.
#ifndef HALIDE_EXT_PLUGIN_FIRST_THAT_PASSES_H_
#define HALIDE_EXT_PLUGIN_FIRST_THAT_PASSES_H_

#include <functional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "pruner/schedule/transform_step.h"

namespace pruner {

// The first of the candidates, of which there is one at least, for which the
// check is OK; `say` is told of each that it is not. Errors: that of the first
// if none passes.
absl::StatusOr<Schedule> FirstThatPasses(
    absl::Span<const Schedule> candidates,
    const std::function<absl::Status(const Schedule&)>& check,
    const std::function<void(absl::string_view)>& say);

}  // namespace pruner

#endif  // HALIDE_EXT_PLUGIN_FIRST_THAT_PASSES_H_
