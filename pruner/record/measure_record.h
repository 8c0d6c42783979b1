// What was measured, as it is kept: one candidate of one workload on one target
// with its result.
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
#include "pruner/target/target_key.h"
#include "pruner/workload/workload_key.h"

namespace pruner {

// The measuring policy "run after run": all that a candidate reads is in the
// caches where it fits there.
inline constexpr char kWarm[] = "warm";

struct MeasureRecord {
  WorkloadKey workload = {};
  TargetKey target = {};
  // How it was timed; times of different policies do not compare.
  std::string measure_policy = kWarm;
  int64_t run = 0;  // the id of a run of the same log; 0: none is known
  Schedule schedule = {};
  // What the search made the schedule of, for a search that goes on; empty
  // where it is not known, as in older logs.
  std::string genes = {};
  MeasureResult result = {};
  int64_t trial = 0;  // counts the log's records, over all workloads, from 0
  // A candidate timed again beside others when the search was over, which is no
  // trial.
  bool race = false;
  absl::Time time = absl::UnixEpoch();  // when it was measured, to nanoseconds

  bool operator==(const MeasureRecord&) const = default;
};

proto::Measurement ToProto(const MeasureRecord& record);
// Errors: a schedule with a step, or a failure, of a kind that this version
// does not know; what FromProto of a MeasureResult refuses; a negative run or
// trial, or one that no log gets to. The failure's message is made valid UTF-8.
absl::StatusOr<MeasureRecord> FromProto(const proto::Measurement& message);

// A JSON object (RecordLine of record_line.proto) in one line without its end.
// Keys are hexadecimal, times as in RFC 3339, the schedule is PrintSchedule's
// text; `name` is the workload's, for people. ParseRecord(PrintRecord(r)) == r
// where r's strings are valid UTF-8; what FromProto of a MeasureResult refuses
// is refused.
std::string PrintRecord(const MeasureRecord& record,
                        absl::string_view name = "");
absl::StatusOr<MeasureRecord> ParseRecord(absl::string_view line);

}  // namespace pruner

#endif  // PRUNER_RECORD_MEASURE_RECORD_H_
