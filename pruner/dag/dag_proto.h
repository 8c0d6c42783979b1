// ComputeDag to and from its Protocol Buffers form, and so to and from text.
#ifndef PRUNER_DAG_DAG_PROTO_H_
#define PRUNER_DAG_DAG_PROTO_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "pruner/dag/compute_dag.h"
#include "pruner/dag/dag.pb.h"

namespace pruner {

proto::ComputeDag ToProto(const ComputeDag& dag);
// Errors: what ComputeDag::Create refuses.
absl::StatusOr<ComputeDag> FromProto(const proto::ComputeDag& message);

std::string PrintDag(const ComputeDag& dag);
absl::StatusOr<ComputeDag> ParseDag(absl::string_view text);

}  // namespace pruner

#endif  // PRUNER_DAG_DAG_PROTO_H_
