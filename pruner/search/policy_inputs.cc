#include "pruner/search/policy_inputs.h"

#include <memory>

#include "absl/status/statusor.h"
#include "pruner/sample/schedule_space.h"

namespace pruner {

absl::StatusOr<std::unique_ptr<ScheduleSpace>> MakeSpace(
    const PolicyInputs& inputs) {
  return ScheduleSpace::Create(
      inputs.context, {.sampling = inputs.sampling, .rules = inputs.rules});
}

}  // namespace pruner
