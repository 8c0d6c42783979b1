// Workload to and from its Protocol Buffers form, which record logs hold.
#ifndef PRUNER_WORKLOAD_WORKLOAD_PROTO_H_
#define PRUNER_WORKLOAD_WORKLOAD_PROTO_H_

#include "absl/status/statusor.h"
#include "pruner/workload/workload.h"
#include "pruner/workload/workload.pb.h"

namespace pruner {

proto::Workload ToProto(const Workload& workload);
// FailedPrecondition if the key is not that of the DAG: another version of this
// program, to which the keys mean something else, has made it. Else the errors
// of FromProto of a ComputeDag.
absl::StatusOr<Workload> FromProto(const proto::Workload& message);

}  // namespace pruner

#endif  // PRUNER_WORKLOAD_WORKLOAD_PROTO_H_
