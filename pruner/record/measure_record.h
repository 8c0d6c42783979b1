// What was measured, as it is kept: one candidate of one workload with its
// result.
#ifndef PRUNER_RECORD_MEASURE_RECORD_H_
#define PRUNER_RECORD_MEASURE_RECORD_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "pruner/measure/measure_result.h"
#include "pruner/record/record.pb.h"
#include "pruner/schedule/transform_step.h"

namespace pruner {

struct MeasureRecord {
  uint64_t workload_hash = 0;      // ComputeDag::Hash
  std::string workload_name = {};  // for messages; the hash is the key
  Schedule schedule = {};
  MeasureResult result = {};
  uint64_t seed = 0;  // of the run that measured it
  int64_t trial = 0;  // counts the log's records, over all workloads, from 0
  absl::Time time = absl::UnixEpoch();  // when it was measured, to nanoseconds

  bool operator==(const MeasureRecord&) const = default;
};

proto::MeasureRecord ToProto(const MeasureRecord& record);
// Errors: a schedule with a step, or a failure, of a kind that this version
// does not know; what FromProto of a MeasureResult refuses.
absl::StatusOr<MeasureRecord> FromProto(const proto::MeasureRecord& message);

// One line without its end, fields separated by tabs:
//   trial=7 workload=00c0ffee00c0ffee name=matmul seed=1
//   time=2024-05-01T12:00:00Z seconds=0.001,0.0012 compile_seconds=0.2
//   max_error=1e-07 schedule=compute_root stage=2; fuse stage=3 …
// A failure has failure=KIND: MESSAGE instead of the samples. Names and
// messages are C-escaped. ParseRecord(PrintRecord(r)) == r.
std::string PrintRecord(const MeasureRecord& record);
// Errors name the field.
absl::StatusOr<MeasureRecord> ParseRecord(absl::string_view line);

}  // namespace pruner

#endif  // PRUNER_RECORD_MEASURE_RECORD_H_
