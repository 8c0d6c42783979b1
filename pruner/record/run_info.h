// A run of the tuner, as logs tell it apart from others.
#ifndef PRUNER_RECORD_RUN_INFO_H_
#define PRUNER_RECORD_RUN_INFO_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "pruner/base/version.h"
#include "pruner/record/record.pb.h"
#include "pruner/target/target_key.h"

namespace pruner {

// What whoever starts a run says of it. All strings are for people: nothing in
// this program depends on them but `run`, which finds the network by options.
struct RunInfo {
  uint64_t seed = 0;
  std::string policy = {};  // of the search
  // Names and values, as the user gave them.
  std::vector<std::pair<std::string, std::string>> options = {};
  std::string program = kProgramVersion;
  std::string halide = {};  // its version
  std::string host = {};
  absl::Time time = absl::UnixEpoch();  // when it began

  bool operator==(const RunInfo&) const = default;

  // The value of an option, "" if there is none of this name.
  std::string Option(absl::string_view name) const;
};

struct LoggedRun {
  int64_t id = 0;  // counts the log's runs, from 1
  TargetKey target = {};
  RunInfo info = {};
  // The target's rates as they were measured for this run; 0: not measured. The
  // log's target has those of its first run.
  double fp32_gflops = 0;
  double dram_gb_per_s = 0;

  bool operator==(const LoggedRun&) const = default;
};

proto::Run ToProto(const LoggedRun& run);
// Error: an id that is not positive, or that no log gets to.
absl::StatusOr<LoggedRun> FromProto(const proto::Run& message);

}  // namespace pruner

#endif  // PRUNER_RECORD_RUN_INFO_H_
