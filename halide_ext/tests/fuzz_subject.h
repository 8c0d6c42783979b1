// A random pipeline with the random schedules that fuzzing tries on it.
#ifndef HALIDE_EXT_TESTS_FUZZ_SUBJECT_H_
#define HALIDE_EXT_TESTS_FUZZ_SUBJECT_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "halide_ext/tests/random_pipeline.h"
#include "pruner/measure/measurer.h"
#include "pruner/sample/schedule_sampler.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/target/target_spec.h"

namespace pruner {

struct FuzzMode {
  Backend backend = Backend::kHost;
  bool any_size = false;  // sizes are only estimates
  bool slides = false;    // schedules in which a stage slides over a loop alone
};

// The sample of such a device, for code that runs on this machine.
TargetSpec FuzzTarget(FuzzMode mode);

class FuzzSubject {
 public:
  // The pipeline of that seed; `text` becomes its definitions and its DAG. Code
  // for any size has the limits that users' pipelines have, and more stages
  // unless `stages` says how many.
  static absl::StatusOr<FuzzSubject> Create(
      uint64_t seed, FuzzMode mode, std::string& text,
      const std::optional<StageLimits>& stages = std::nullopt);

  const Workload& workload() const { return *workload_; }

  // 0: the default schedule; then, by turns, one that the sampler draws, two of
  // random steps (on the host), and a mutation. The same for the same number.
  // None if many draws bring nothing acceptable, or nothing that the mode asks
  // for.
  absl::StatusOr<std::optional<Schedule>> Draw(int which);

 private:
  FuzzSubject(uint64_t seed, FuzzMode mode, Workload workload);

  SketchContext Context() const;
  absl::StatusOr<std::optional<Schedule>> DrawAny(int which, Rng rng);
  bool Slides(const Schedule& schedule) const;
  std::optional<Schedule> DrawSteps(Rng& rng) const;

  uint64_t seed_;
  bool slides_;
  std::unique_ptr<TargetSpec> target_;
  std::unique_ptr<const Workload> workload_;
  std::optional<ScheduleSampler> sampler_;
};

}  // namespace pruner

#endif  // HALIDE_EXT_TESTS_FUZZ_SUBJECT_H_
