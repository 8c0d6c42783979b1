// What fuzz_test runs in child processes: random pipelines under random
// schedules, compiled, run and compared with the unscheduled pipeline.
#ifndef HALIDE_EXT_TESTS_FUZZ_CASES_H_
#define HALIDE_EXT_TESTS_FUZZ_CASES_H_

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "halide_ext/tests/fuzz_crasher.pb.h"
#include "halide_ext/tests/fuzz_subject.h"

namespace pruner {

struct FuzzCase {
  uint64_t pipeline_seed = 0;
  // As FuzzSubject::Draw numbers them. -1: the analysis, before there are
  // schedules.
  int schedule = 0;
};

struct FuzzCallbacks {
  // Before each case, so that one that crashes is known.
  std::function<void(const FuzzCase&)> on_start;
  // After each whose schedule was compiled.
  std::function<void(const FuzzCase&)> on_compiled;
  // After each whose schedule was compiled, run and compared, or failed at it:
  // some have none.
  std::function<void(const FuzzCase&)> on_checked;
  // With a message that holds the pipeline and the schedule.
  std::function<void(const FuzzCase&, const std::string&)> on_failure;
};

// Runs schedules first..last of the pipeline.
void RunFuzzCases(uint64_t pipeline_seed, int first, int last, FuzzMode mode,
                  const FuzzCallbacks& callbacks);

// The case as a file for testdata/crashers.
absl::StatusOr<proto::FuzzCrasher> MakeCrasher(const FuzzCase& fuzz_case,
                                               FuzzMode mode);

// Error: it is wrong still.
absl::Status RunCrasher(const proto::FuzzCrasher& crasher);

}  // namespace pruner

#endif  // HALIDE_EXT_TESTS_FUZZ_CASES_H_
