#include "halide_ext/tests/fuzz_subject.h"

#include <utility>
#include <variant>
#include <vector>

#include "Halide.h"
#include "absl/strings/str_cat.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/tests/random_steps.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"
#include "pruner/program/resolve.h"
#include "pruner/target/sample_targets.h"

namespace pruner {

namespace {

// Until one is accepted.
constexpr int kMaxDraws = 60;

}  // namespace

TargetSpec FuzzTarget(FuzzMode mode) {
  if (mode == FuzzMode::kOpenCl) return SampleOpenClTarget();
  TargetSpec target = SampleCpuTarget();
  target.halide_target = Halide::get_host_target().to_string();
  return target;
}

FuzzSubject::FuzzSubject(uint64_t seed, FuzzMode mode, Workload workload)
    : seed_(seed),
      target_(std::make_unique<TargetSpec>(FuzzTarget(mode))),
      workload_(std::make_unique<Workload>(std::move(workload))) {}

SketchContext FuzzSubject::Context() const {
  return {.dag = workload_->dag, .target = *target_};
}

absl::StatusOr<FuzzSubject> FuzzSubject::Create(uint64_t seed, FuzzMode mode,
                                                std::string& text,
                                                const StageLimits& stages) {
  const Sizes sizes =
      mode == FuzzMode::kAnySize ? Sizes::kEstimates : Sizes::kExact;
  const RandomPipeline random = MakeRandomPipeline(seed, stages, sizes);
  text = random.text;
  ASSIGN_OR_RETURN(Workload workload,
                   MakeWorkload("fuzz", random.pipeline, sizes));
  text = absl::StrCat(text, "\n", workload.dag.ToString());
  FuzzSubject subject(seed, mode, std::move(workload));
  ASSIGN_OR_RETURN(const std::vector<Sketch> sketches,
                   GenerateSketches(subject.Context()));
  ASSIGN_OR_RETURN(ScheduleSampler sampler,
                   ScheduleSampler::Create(subject.Context(), sketches));
  subject.sampler_.emplace(std::move(sampler));
  return subject;
}

absl::StatusOr<std::optional<Schedule>> FuzzSubject::Draw(int which) {
  if (which == 0) return sampler_->DefaultSchedule();
  Rng rng = Rng(seed_).Fork(which);
  // Random steps bind nothing to blocks and threads.
  if (which % 4 >= 2 && !target_->HasThreads()) return DrawSteps(rng);
  for (int i = 0; i < kMaxDraws; ++i) {
    ASSIGN_OR_RETURN(pruner::Draw draw, sampler_->Sample(rng));
    if (auto* schedule = std::get_if<Schedule>(&draw)) {
      if (which % 4 == 0) {
        ASSIGN_OR_RETURN(pruner::Draw mutated,
                         sampler_->Mutate(*schedule, rng));
        if (auto* s = std::get_if<Schedule>(&mutated)) return std::move(*s);
      }
      return std::move(*schedule);
    }
  }
  return std::nullopt;
}

std::optional<Schedule> FuzzSubject::DrawSteps(Rng& rng) const {
  for (int i = 0; i < kMaxDraws; ++i) {
    Schedule schedule = RandomSteps(workload_->dag, rng);
    if (Resolve(workload_->dag, schedule, *target_).ok()) return schedule;
  }
  return std::nullopt;
}

}  // namespace pruner
