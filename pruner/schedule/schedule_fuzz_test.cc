// A schedule as text is refused, or means the same printed and stored; what it
// does to a DAG is refused or done.
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/log/check.h"
#include "absl/strings/string_view.h"
#include "pruner/dag/compute_dag.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/schedule/replay.h"
#include "pruner/schedule/schedule_proto.h"
#include "pruner/schedule/schedule_text.h"
#include "pruner/schedule/transform_step.h"

namespace pruner {
namespace {

void ReplayOn(const ComputeDag& dag, const Schedule& schedule) {
  if (const auto state = Replay(dag, schedule); state.ok()) state->ToString();
}

void Check(absl::string_view text) {
  const auto schedule = ParseSchedule(text);
  if (!schedule.ok()) return;
  const auto printed = ParseSchedule(PrintSchedule(*schedule));
  CHECK_OK(printed);
  CHECK(*printed == *schedule);
  const auto stored = FromProto(ToProto(*schedule));
  CHECK_OK(stored);
  CHECK(*stored == *schedule);

  // Made anew each time, for a DAG keeps what steps derive from it.
  ReplayOn(MatmulReluDag(512, 512, 512), *schedule);
  ReplayOn(ConvBiasReluDag({}), *schedule);
  ReplayOn(StencilsDag(3, 100), *schedule);
}

}  // namespace
}  // namespace pruner

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  pruner::Check({reinterpret_cast<const char*>(data), size});
  return 0;
}
