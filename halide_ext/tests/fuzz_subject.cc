#include "halide_ext/tests/fuzz_subject.h"

#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "Halide.h"
#include "absl/strings/str_cat.h"
#include "halide_ext/analyze/functions_of.h"
#include "halide_ext/analyze/regions.h"
#include "halide_ext/build/code_limits.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/tests/random_steps.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"
#include "pruner/program/resolve.h"
#include "pruner/sample/limits.h"
#include "pruner/target/sample_targets.h"

namespace pruner {

namespace {

// Users' pipelines have more of them than an operator of a network.
constexpr StageLimits kStagesForAnySize = {.least = 2, .most = 10};

// Until a stage slides in one.
constexpr int kDrawsForASlide = 300;

// Until one is accepted.
constexpr int kMaxDraws = 60;

// For which LLVM now and then makes wrong vectors of code that has none, where
// elements are short (README.md).
Halide::Target WithoutAvx512(Halide::Target target) {
  using enum Halide::Target::Feature;
  for (const auto feature :
       {AVX512, AVX512_KNL, AVX512_Skylake, AVX512_Cannonlake, AVX512_Zen4,
        AVX512_Zen5, AVX512_SapphireRapids}) {
    target.set_feature(feature, false);
  }
  return target;
}

// What the author of a pipeline has scheduled, in some of them: one Func at the
// root, which the search must leave alone. Says so.
std::string ScheduleByAuthor(const Halide::Pipeline& pipeline, Rng& rng) {
  std::set<std::string> outputs;
  for (const Halide::Func& output : pipeline.outputs())
    outputs.insert(output.name());
  std::vector<Halide::Func> candidates;
  for (const auto& [name, function] : FunctionsOf(pipeline)) {
    if (!outputs.contains(name) && LoadOfInput(function) == nullptr &&
        function.has_pure_definition() && !function.args().empty())
      candidates.emplace_back(function);
  }
  if (candidates.empty() || !rng.Chance(0.3)) return "";
  Halide::Func func = rng.Pick(candidates);
  const std::vector<Halide::Var> args = func.args();
  func.compute_root();
  std::string text = absl::StrCat(func.name(), ".compute_root()");
  if (rng.Chance(0.5)) {
    // A name that vectorize() makes may be one of the pipeline's.
    const Halide::Var lanes("lanes");
    func.split(args.front(), args.front(), lanes, 4,
               Halide::TailStrategy::GuardWithIf)
        .vectorize(lanes);
    absl::StrAppend(&text, ".vectorize(", args.front().name(), ", 4)");
  }
  if (args.size() > 1 && rng.Chance(0.5)) {
    func.parallel(args.back());
    absl::StrAppend(&text, ".parallel(", args.back().name(), ")");
  }
  return absl::StrCat(text, "\n");
}

}  // namespace

TargetSpec FuzzTarget(FuzzMode mode) {
  if (mode.backend == Backend::kOpenCl) {
    TargetSpec target = SampleOpenClTarget();
    // What the driver has and Halide wants to be told.
    if (mode.any_size) absl::StrAppend(&target.halide_target, "-cl_doubles");
    return target;
  }
  if (mode.backend == Backend::kCuda) return SampleGpuTarget();
  TargetSpec target = SampleCpuTarget();
  const Halide::Target host = Halide::get_host_target();
  target.halide_target =
      (mode.any_size ? WithoutAvx512(host) : host).to_string();
  return target;
}

FuzzSubject::FuzzSubject(uint64_t seed, FuzzMode mode, Workload workload)
    : seed_(seed),
      slides_(mode.slides),
      target_(std::make_unique<TargetSpec>(FuzzTarget(mode))),
      workload_(std::make_unique<Workload>(std::move(workload))) {}

SketchContext FuzzSubject::Context() const {
  return {.dag = workload_->dag, .target = *target_, .timed = true};
}

absl::StatusOr<FuzzSubject> FuzzSubject::Create(
    uint64_t seed, FuzzMode mode, std::string& text,
    const std::optional<StageLimits>& stages) {
  const Sizes sizes = mode.any_size ? Sizes::kEstimates : Sizes::kExact;
  const StageLimits usual = mode.any_size ? kStagesForAnySize : StageLimits();
  const RandomPipeline random = MakeRandomPipeline(
      seed, {.stages = stages.value_or(usual),
             .sizes = sizes,
             .has_rare_types = mode.backend == Backend::kHost});
  text = random.text;
  if (mode.any_size) {
    Rng rng(seed);
    absl::StrAppend(&text, ScheduleByAuthor(random.pipeline, rng));
  }
  ASSIGN_OR_RETURN(Workload workload,
                   MakeWorkload("fuzz", random.pipeline, sizes));
  text = absl::StrCat(text, "\n", workload.dag.ToString());
  FuzzSubject subject(seed, mode, std::move(workload));
  if (mode.any_size) {
    ASSIGN_OR_RETURN(const WorkloadPipeline pipeline,
                     WorkloadPipeline::Load(subject.workload().pipeline));
    RETURN_IF_ERROR(LimitCode(pipeline, *subject.target_));
  }
  ASSIGN_OR_RETURN(const std::vector<Sketch> sketches,
                   GenerateSketches(subject.Context()));
  ASSIGN_OR_RETURN(ScheduleSampler sampler,
                   ScheduleSampler::Create(subject.Context(), sketches));
  subject.sampler_.emplace(std::move(sampler));
  return subject;
}

bool FuzzSubject::Slides(const Schedule& schedule) const {
  const absl::StatusOr<Program> program =
      Resolve(workload_->dag, schedule, *target_);
  return program.ok() &&
         std::any_of(program->stages.begin(), program->stages.end(),
                     [](const ProgramStage& stage) {
                       return !stage.is_absent && stage.slide_dimension >= 0;
                     });
}

absl::StatusOr<std::optional<Schedule>> FuzzSubject::Draw(int which) {
  const Rng rng = Rng(seed_).Fork(which);
  if (!slides_) return DrawAny(which, rng);
  for (int i = 0; i < kDrawsForASlide; ++i) {
    ASSIGN_OR_RETURN(std::optional<Schedule> drawn,
                     DrawAny(which, rng.Fork(i)));
    if (drawn && Slides(*drawn)) return drawn;
  }
  return std::nullopt;
}

absl::StatusOr<std::optional<Schedule>> FuzzSubject::DrawAny(int which,
                                                             Rng rng) {
  if (which == 0) return sampler_->DefaultSchedule();
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
    const absl::StatusOr<Program> program =
        Resolve(workload_->dag, schedule, *target_);
    if (program.ok() && !HasTooManyStatements(*program, target_->limits))
      return schedule;
  }
  return std::nullopt;
}

}  // namespace pruner
