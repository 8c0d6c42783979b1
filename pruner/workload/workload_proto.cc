#include "pruner/workload/workload_proto.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "pruner/base/status_macros.h"
#include "pruner/base/text/utf8.h"
#include "pruner/dag/dag_proto.h"

namespace pruner {

proto::Workload ToProto(const Workload& workload) {
  proto::Workload message;
  message.set_key(workload.key.value);
  message.set_name(workload.name);
  message.set_pipeline(workload.pipeline);
  *message.mutable_dag() = ToProto(workload.dag);
  message.mutable_notes()->Assign(workload.notes.begin(), workload.notes.end());
  message.mutable_constants()->Assign(workload.constants.begin(),
                                      workload.constants.end());
  return message;
}

absl::StatusOr<Workload> FromProto(const proto::Workload& message) {
  ASSIGN_OR_RETURN(ComputeDag dag, FromProto(message.dag()));
  Workload workload(message.name(), message.pipeline(), std::move(dag),
                    {message.notes().begin(), message.notes().end()});
  workload.constants.assign(message.constants().begin(),
                            message.constants().end());
  const WorkloadKey stored = {message.key()};
  if (workload.key == stored) return workload;
  return absl::FailedPreconditionError(absl::StrCat(
      "workload '", OneLine(workload.name), "' does not match its key ",
      ToString(stored),
      ": it is damaged, or was made by another version of this program"));
}

}  // namespace pruner
