#include "pruner/record/measure_record.h"

#include <utility>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "pruner/base/status_macros.h"
#include "pruner/schedule/schedule_proto.h"

namespace pruner {

proto::MeasureRecord ToProto(const MeasureRecord& record) {
  proto::MeasureRecord message;
  message.set_workload_hash(record.workload_hash);
  message.set_workload_name(record.workload_name);
  *message.mutable_schedule() = ToProto(record.schedule);
  *message.mutable_result() = ToProto(record.result);
  message.set_seed(record.seed);
  message.set_trial(record.trial);
  message.set_unix_nanos(absl::ToUnixNanos(record.time));
  return message;
}

absl::StatusOr<MeasureRecord> FromProto(const proto::MeasureRecord& message) {
  MeasureRecord record;
  record.workload_hash = message.workload_hash();
  record.workload_name = message.workload_name();
  ASSIGN_OR_RETURN(record.schedule, FromProto(message.schedule()));
  ASSIGN_OR_RETURN(record.result, FromProto(message.result()));
  record.seed = message.seed();
  record.trial = message.trial();
  record.time = absl::FromUnixNanos(message.unix_nanos());
  return record;
}

}  // namespace pruner
