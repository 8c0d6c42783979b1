#include "halide_ext/runner/task_oracles.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "halide_ext/build/pipeline_bytes.h"
#include "halide_ext/build/ptxas.h"
#include "halide_ext/runner/cuda_assessor.h"
#include "halide_ext/runner/schedule_judges.h"
#include "halide_ext/runner/worker_measurer.h"
#include "pruner/base/clock.h"
#include "pruner/base/status_macros.h"
#include "pruner/measure/measure_policy.h"
#include "pruner/sample/cached_oracle.h"
#include "pruner/sample/schedule_oracle.h"
#include "pruner/sample/schedule_space.h"
#include "pruner/sample/validity_oracle.h"
#include "pruner/sketch/candidate.h"
#include "pruner/target/target_spec.h"
#include "pruner/workload/workload.h"

namespace pruner {

// Of one space, with what is kept, and the time that it takes.
class TaskOracles::Oracle : public ValidityOracle {
 public:
  Oracle(ScheduleSpace& space, ScheduleJudge judge, absl::Duration& elapsed)
      : judging_(space, std::move(judge)), elapsed_(elapsed) {}

  void Keep(OracleCache& cache, CachedOracle::KeyOf key_of) {
    cached_.emplace(judging_, cache, std::move(key_of));
  }

  absl::StatusOr<std::vector<bool>> AreValid(
      absl::Span<const Candidate> candidates) override {
    const absl::Duration start = RealClock().Elapsed();
    const absl::Cleanup count = [&] {
      elapsed_ += RealClock().Elapsed() - start;
    };
    return cached_ ? cached_->AreValid(candidates)
                   : judging_.AreValid(candidates);
  }

 private:
  ScheduleOracle judging_;
  std::optional<CachedOracle> cached_;
  absl::Duration& elapsed_;
};

absl::Status TaskOracles::Start() {
  if (!judge_.empty()) return absl::OkStatus();
  std::string judge = absl::StrCat("Halide ", kHalideVersion);
  if (measuring_.target.backend == Backend::kCuda) {
    ASSIGN_OR_RETURN(const std::string version,
                     Ptxas(options_.ptxas).Version());
    CudaAssessor::Options assessing = {.command = measuring_.command,
                                       .target = measuring_.target,
                                       .ptxas = options_.ptxas,
                                       .workers = measuring_.workers,
                                       .is_unwanted = options_.is_unwanted};
    ASSIGN_OR_RETURN(assessor_, CudaAssessor::Create(std::move(assessing)));
    absl::StrAppend(&judge, ", ", version);
  } else {
    absl::StrAppend(&judge, ", ",
                    absl::FormatDuration(measuring_.compile_timeout));
  }
  if (!options_.cache.empty()) {
    ASSIGN_OR_RETURN(cache_, OracleCache::Open(options_.cache));
  }
  judge_ = std::move(judge);
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<ValidityOracle>> TaskOracles::For(
    const Workload& workload, MeasurePolicy policy, ScheduleSpace& space) {
  RETURN_IF_ERROR(Start());
  auto oracle = std::make_unique<Oracle>(
      space,
      assessor_ != nullptr ? JudgeByPtxas(workload, *assessor_)
                           : JudgeByCompiling(workload, policy, *measurer_,
                                              options_.is_unwanted),
      elapsed_);
  if (cache_) {
    oracle->Keep(*cache_, [this, &space,
                           key = workload.key](const Candidate& candidate) {
      return JudgementKey(space, key, judge_, candidate);
    });
  }
  return oracle;
}

}  // namespace pruner
