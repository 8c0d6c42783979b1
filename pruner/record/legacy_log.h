// Logs of format 1: of one network on one target, named in a header. They are
// read as they are; where the network is known, their records become ones of
// the present format.
#ifndef PRUNER_RECORD_LEGACY_LOG_H_
#define PRUNER_RECORD_LEGACY_LOG_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "pruner/measure/measure_result.h"
#include "pruner/record/legacy_keys.h"
#include "pruner/record/measure_record.h"
#include "pruner/record/record.pb.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/target/target_spec.h"
#include "pruner/workload/workload.h"

namespace pruner {

// What all records of such a log have in common.
struct LegacyHeader {
  std::string model = {};
  std::string target = {};  // its name
  uint64_t target_fingerprint = 0;
  int64_t batch = 1;  // of the network

  bool operator==(const LegacyHeader&) const = default;
};

struct LegacyRecord {
  uint64_t workload_hash = 0;
  std::string workload_name = {};
  Schedule schedule = {};
  MeasureResult result = {};
  uint64_t seed = 0;  // of the run that measured it
  int64_t trial = 0;
  absl::Time time = absl::UnixEpoch();

  bool operator==(const LegacyRecord&) const = default;
};

struct LegacyLog {
  std::optional<LegacyHeader> header = std::nullopt;  // none: it was damaged
  std::vector<LegacyRecord> records = {};             // as they were appended
};

LegacyHeader FromProto(const proto::LogHeader& message);
// Errors: those of FromProto of a Measurement.
absl::StatusOr<LegacyRecord> FromProto(const proto::MeasureRecord& message);

// The records under the keys of today, without a run. `workloads` are all
// formulations of the network; a record whose hash is that of none of them, or
// of two which no hash told apart then, is left out, which is said in `notes`.
// FailedPrecondition if the log is of another target.
absl::StatusOr<std::vector<MeasureRecord>> ConvertLegacy(
    const LegacyLog& log, absl::Span<const Workload> workloads,
    const TargetSpec& target, std::vector<std::string>& notes);

}  // namespace pruner

#endif  // PRUNER_RECORD_LEGACY_LOG_H_
