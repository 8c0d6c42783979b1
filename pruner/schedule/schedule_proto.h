// Schedule to and from its Protocol Buffers form, which record logs and workers
// use.
#ifndef PRUNER_SCHEDULE_SCHEDULE_PROTO_H_
#define PRUNER_SCHEDULE_SCHEDULE_PROTO_H_

#include "absl/status/statusor.h"
#include "pruner/schedule/schedule.pb.h"
#include "pruner/schedule/transform_step.h"

namespace pruner {

proto::Schedule ToProto(const Schedule& schedule);
// Errors: a step of no known kind, or with a tail or an annotation that is not
// known, as a newer version may have written it.
absl::StatusOr<Schedule> FromProto(const proto::Schedule& message);

}  // namespace pruner

#endif  // PRUNER_SCHEDULE_SCHEDULE_PROTO_H_
