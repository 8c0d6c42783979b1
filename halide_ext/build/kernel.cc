#include "halide_ext/build/kernel.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "absl/log/check.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "halide_ext/analyze/regions.h"
#include "halide_ext/build/author_schedules.h"
#include "halide_ext/build/guarded.h"
#include "halide_ext/build/kernel_number.h"
#include "halide_ext/build/launch_limits.h"
#include "halide_ext/build/pipeline_parameters.h"
#include "halide_ext/build/stored_pipeline.h"
#include "halide_ext/passes/device_passes.h"
#include "halide_ext/passes/kernel_shape.h"
#include "halide_ext/passes/parallel_loops.h"
#include "halide_ext/passes/promotion_report.h"
#include "halide_ext/passes/stream_inputs.h"
#include "halide_ext/passes/trim_dense_loads.h"
#include "pruner/base/status_macros.h"
#include "pruner/dag/node_analysis.h"

namespace pruner {
namespace {

using Halide::Pipeline;

// Whether kernels can be started. Of sizes that only a run tells, error,
// FAILED_PRECONDITION: what a device has to be told before; what is shown for
// the estimated sizes alone.
absl::Status CheckKernels(Sizes sizes, const TargetSpec& target,
                          const PromotionReport& promotions,
                          const std::vector<KernelShape>& shapes) {
  RETURN_IF_ERROR(CheckLaunchLimits(target, shapes));
  if (sizes == Sizes::kExact) return absl::OkStatus();
  for (const KernelShape& shape : shapes) {
    if (shape.fixed_shared && shape.threads.Product() > 0) continue;
    return absl::FailedPreconditionError(
        absl::StrCat("kernel ", shape.name,
                     " takes threads or shared memory by the size of tensors"));
  }
  return CheckPrivateRegisters(promotions);
}

// In lowered code loops have the names of Funcs and definitions in theirs.
InputStream LoweredStream(const Directive& directive,
                          const std::map<std::string, Halide::Func>& funcs) {
  InputStream stream = {.input = directive.target,
                        .loops = {},
                        .runs = directive.stream.runs,
                        .step = directive.stream.step,
                        .line = directive.stream.line};
  for (const DefinitionLoop& l : directive.stream.loops) {
    stream.loops.push_back({.func = funcs.at(l.func).name(),
                            .definition = l.update + 1,
                            .name = l.loop.name,
                            .extent = l.extent});
  }
  return stream;
}

// What to leave alone: of exact sizes all is ours, and a pipeline that is
// scheduled already is refused when it is read (pipeline_file.h).
AuthorSchedules ToLeaveAlone(const Pipeline& pipeline, Sizes sizes) {
  if (sizes == Sizes::kExact) return {};
  // Of a copy, for it is of no use for scheduling then.
  return AuthorSchedulesOf(DeserializePipeline(StorePipeline(pipeline, sizes)));
}

// Vectors along the innermost axis, of each definition that has it by itself
// and is long enough for one.
void VectorizeInnermost(const Stage& stage, const Halide::Target& target,
                        Halide::Func& func) {
  if (stage.opaque || stage.shape.empty()) return;
  const int lanes = target.natural_vector_size(func.types()[0]);
  if (stage.shape.back() < lanes) return;
  const Halide::Var innermost = func.args()[0];
  // Names that Halide gives are like those that authors give: v0.
  const Halide::Var inner(innermost.name() + "__lanes");
  const auto vectorize = [&](Halide::Stage definition) {
    definition
        .split(innermost, innermost, inner, lanes,
               Halide::TailStrategy::GuardWithIf)
        .vectorize(inner);
  };
  vectorize(func);
  for (int i = 0; i < func.num_update_definitions(); ++i) {
    const auto* index = func.update_args(i)[0].as<Halide::Internal::Variable>();
    if (index != nullptr && index->name == innermost.name())
      vectorize(func.update(i));
  }
}

absl::Status CheckNoScalars(Pipeline pipeline) {
  for (const Halide::Argument& argument : pipeline.infer_arguments()) {
    if (argument.is_scalar() && argument.name != "__user_context") {
      return absl::UnimplementedError(absl::StrCat(
          "the parameter '", argument.name,
          "' is a number, and kernels take tensors only: make it an input "
          "without dimensions or a constant"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<WorkloadPipeline> WorkloadPipeline::Load(
    absl::string_view serialized) {
  return Guarded<WorkloadPipeline>([&]() -> absl::StatusOr<WorkloadPipeline> {
    WorkloadPipeline result;
    ASSIGN_OR_RETURN(proto::StoredPipeline stored, UnsealPipeline(serialized));
    const Pipeline pipeline = DeserializePipeline(stored);
    ASSIGN_OR_RETURN(AnalyzedPipeline analyzed,
                     AnalyzePipeline(pipeline, SizesOf(stored),
                                     ToLeaveAlone(pipeline, SizesOf(stored))));
    const PipelineRegions& regions = analyzed.regions;
    ASSIGN_OR_RETURN(result.arguments_, InputArguments(regions));
    result.num_inputs_ = static_cast<int>(result.arguments_.size());
    ASSIGN_OR_RETURN(std::vector<KernelArgument> outputs,
                     OutputArguments(pipeline, regions));
    for (KernelArgument& output : outputs)
      result.arguments_.push_back(std::move(output));
    result.analyzed_ =
        std::make_shared<const AnalyzedPipeline>(std::move(analyzed));
    result.stored_ =
        std::make_shared<const proto::StoredPipeline>(std::move(stored));
    return result;
  });
}

absl::StatusOr<WorkloadPipeline> WorkloadPipeline::WithOutputRows(
    const RowLayout& rows) const {
  CHECK_EQ(arguments_.size(), static_cast<size_t>(num_inputs_) + 1);
  WorkloadPipeline result = *this;
  if (rows.IsDense()) return result;
  KernelArgument& output = result.arguments_.back();
  int64_t length = 1;
  for (size_t d = output.shape.size(); d-- > 0 && length < rows.length;)
    length *= output.shape[d];
  if (length != rows.length) {
    return absl::InvalidArgumentError(absl::StrCat(
        "'", output.name, "' of shape ", absl::StrJoin(output.shape, "x"),
        " has no loops over rows of ", rows.length, " elements"));
  }
  output.rows = rows;
  return result;
}

absl::StatusOr<Pipeline> WorkloadPipeline::Scheduled(
    const ScheduleFunction& schedule) const {
  Pipeline pipeline = MakePipeline(*stored_, arguments_);
  RETURN_IF_ERROR(schedule(pipeline));
  return pipeline;
}

// Sizes are constants, and no schedule reads or writes out of bounds (tails are
// rounded up only where they are whole); checks would take a third of the
// compile time. The worker's tensors lie between pages that must not be
// touched. What an extern stage asks for when it runs is checked. With a device
// the host's part is small, and without its checks it would go on after the
// driver refused something.
Halide::Target WorkloadPipeline::HalideTarget(const TargetSpec& target) const {
  const Halide::Target halide_target =
      Halide::Target(target.halide_target)
          .with_feature(Halide::Target::NoBoundsQuery);
  return target.backend == Backend::kHost && analyzed_->SizesAreKnown()
             ? halide_target.with_feature(Halide::Target::NoAsserts)
             : halide_target;
}

absl::StatusOr<Pipeline> WorkloadPipeline::Scheduled(
    const Schedule& schedule, const TargetSpec& target) const {
  return Guarded<Pipeline>(
      [&] { return Scheduled(Lowered(schedule, target)); });
}

absl::Status WorkloadPipeline::CheckNumbers() const {
  Pipeline pipeline = MakePipeline(*stored_, arguments_);
  return KernelNumbers(pipeline.infer_arguments(), *stored_).status();
}

std::vector<Halide::Argument> WorkloadPipeline::InputsOf(
    absl::Span<const Halide::Argument> inferred,
    absl::Span<const KernelNumber> numbers) const {
  std::map<std::string, Halide::Argument> by_name;
  for (const Halide::Argument& argument : inferred)
    by_name.emplace(argument.name, argument);
  std::vector<Halide::Argument> inputs;
  for (int i = 0; i < num_inputs_; ++i)
    inputs.push_back(by_name.at(arguments_[i].name));
  for (const KernelNumber& number : numbers) inputs.push_back(number.argument);
  return inputs;
}

absl::StatusOr<Kernel> WorkloadPipeline::CompileWith(
    const std::function<Halide::Target()>& make_target,
    const TargetSpec& target, const ScheduleFunction& schedule) const {
  return Guarded<Kernel>([&]() -> absl::StatusOr<Kernel> {
    const Halide::Target halide_target = make_target();
    ASSIGN_OR_RETURN(Pipeline pipeline, Scheduled(schedule));
    const std::vector<Halide::Argument> inferred = pipeline.infer_arguments();
    ASSIGN_OR_RETURN(std::vector<KernelNumber> numbers,
                     KernelNumbers(inferred, *stored_));
    Kernel::Parts parts = {.callable = {},
                           .arguments = arguments_,
                           .num_inputs = num_inputs_,
                           .numbers = std::move(numbers),
                           .is_for_others = analyzed_->sizes != Sizes::kExact,
                           .target = target,
                           .promotions = {},
                           .shapes = {},
                           .parallel_loops = {}};
    AddTrimDenseLoads(pipeline);
    AddFindParallelLoops(pipeline, &parts.parallel_loops);
    const bool device = halide_target.has_gpu_feature();
    if (device) {
      AddDevicePasses(pipeline, halide_target, &parts.promotions);
      AddKernelShapes(pipeline, &parts.shapes);
    }
    parts.callable = pipeline.compile_to_callable(
        InputsOf(inferred, parts.numbers), halide_target);
    RETURN_IF_ERROR(
        CheckKernels(analyzed_->sizes, target, parts.promotions, parts.shapes));
    if (device) {
      // What a pipeline allocates between its kernels is kept for its next run;
      // drivers take as long for an allocation as small kernels run.
      Halide::Internal::JITSharedRuntime::reuse_device_allocations(true);
    }
    return Kernel(std::move(parts));
  });
}

absl::StatusOr<CompiledModule> WorkloadPipeline::CompileToModule(
    const ScheduleFunction& schedule, const TargetSpec& target) const {
  return Guarded<CompiledModule>([&]() -> absl::StatusOr<CompiledModule> {
    ASSIGN_OR_RETURN(Pipeline pipeline, Scheduled(schedule));
    const std::vector<Halide::Argument> inferred = pipeline.infer_arguments();
    ASSIGN_OR_RETURN(const std::vector<KernelNumber> numbers,
                     KernelNumbers(inferred, *stored_));
    const Halide::Target halide_target = HalideTarget(target);
    CompiledModule compiled = {.module = Halide::Module("", halide_target),
                               .promotions = {},
                               .shapes = {}};
    AddTrimDenseLoads(pipeline);
    if (halide_target.has_gpu_feature()) {
      AddDevicePasses(pipeline, halide_target, &compiled.promotions);
      AddKernelShapes(pipeline, &compiled.shapes);
    }
    compiled.module = pipeline.compile_to_module(InputsOf(inferred, numbers),
                                                 "kernel", halide_target);
    RETURN_IF_ERROR(CheckKernels(analyzed_->sizes, target, compiled.promotions,
                                 compiled.shapes));
    return compiled;
  });
}

absl::StatusOr<CompiledModule> WorkloadPipeline::CompileToModule(
    const Schedule& schedule, const TargetSpec& target) const {
  return CompileToModule(Lowered(schedule, target), target);
}

ScheduleFunction WorkloadPipeline::Lowered(const Schedule& schedule,
                                           const TargetSpec& target,
                                           OutputSizes outputs) const {
  return [this, &schedule, &target,
          outputs](Pipeline& pipeline) -> absl::Status {
    ASSIGN_OR_RETURN(const std::vector<Directive> directives,
                     LowerSchedule(schedule, *analyzed_, target, outputs));
    ASSIGN_OR_RETURN(const auto funcs, ScheduledFuncs(directives, pipeline));
    for (const Directive& d : directives) {
      if (d.kind == DirectiveKind::kStream)
        AddStreamInput(LoweredStream(d, funcs), pipeline);
    }
    return absl::OkStatus();
  };
}

absl::StatusOr<Kernel> WorkloadPipeline::Compile(
    const Schedule& schedule, const TargetSpec& target) const {
  return Compile(Lowered(schedule, target), target);
}

absl::StatusOr<Kernel> WorkloadPipeline::Compile(
    const ScheduleFunction& schedule, const TargetSpec& target) const {
  return CompileWith([&] { return HalideTarget(target); }, target, schedule);
}

ScheduleFunction WorkloadPipeline::ReferenceSchedule(bool vectors) const {
  return [this, vectors](Pipeline& pipeline) {
    std::map<std::string, Halide::Func> funcs = FuncsOf(pipeline);
    const Halide::Target host = Halide::get_host_target();
    const ComputeDag& dag = analyzed_->dag;
    // Last to first, for it matters what the readers become part of.
    std::vector<bool> is_inlined(dag.size(), false);
    for (int i = dag.size() - 1; i >= 0; --i) {
      const Stage& stage = dag.stage(i);
      if (stage.kind == StageKind::kPlaceholder ||
          analyzed_->bindings[i].is_scheduled)
        continue;
      Halide::Func& func = funcs.at(analyzed_->bindings[i].func);
      is_inlined[i] =
          !stage.opaque && !stage.is_output && !func.has_update_definition() &&
          !ReadsNeighbours(stage) &&
          !IsDearInReduction(dag, i,
                             [&](int reader) { return is_inlined[reader]; });
      if (is_inlined[i]) continue;
      func.compute_root();
      if (vectors) VectorizeInnermost(stage, host, func);
    }
    return absl::OkStatus();
  };
}

absl::StatusOr<Pipeline> WorkloadPipeline::ReferencePipeline() const {
  return Guarded<Pipeline>(
      [&] { return Scheduled(ReferenceSchedule(/*vectors=*/false)); });
}

absl::StatusOr<Kernel> WorkloadPipeline::CompileReference() const {
  return CompileUnscheduled(/*vectors=*/false);
}

absl::StatusOr<Kernel> WorkloadPipeline::CompileVectorReference() const {
  return CompileUnscheduled(/*vectors=*/analyzed_->SizesAreKnown());
}

absl::StatusOr<Kernel> WorkloadPipeline::CompileUnscheduled(
    bool vectors) const {
  const auto make_target = [vectors] {
    // What schedules compute in tiles may be more than 2 GB when it is stored
    // whole.
    const Halide::Target target =
        Halide::get_host_target().with_feature(Halide::Target::LargeBuffers);
    return vectors ? target.with_feature(Halide::Target::NoBoundsQuery)
                         .with_feature(Halide::Target::NoAsserts)
                   : target;
  };
  return CompileWith(make_target, {}, ReferenceSchedule(vectors));
}

absl::StatusOr<Kernel> WorkloadPipeline::CompileAutoscheduled(
    const std::string& autoscheduler, const TargetSpec& target) const {
  const auto make_target = [&] { return Halide::Target(target.halide_target); };
  return CompileWith(make_target, target, [&](Pipeline& pipeline) {
    Halide::AutoschedulerParams params(autoscheduler);
    params.extra["parallelism"] = absl::StrCat(target.units.cores);
    // Autoschedulers plan for estimates, which are the sizes here.
    for (const Halide::Func& output : pipeline.outputs()) {
      Halide::Func func = output;
      for (const KernelArgument& argument : arguments_) {
        if (argument.name != func.name()) continue;
        for (int d = 0; d < func.dimensions(); ++d) {
          const size_t i = argument.shape.size() - 1 - d;
          func.set_estimate(func.args()[d], static_cast<int>(argument.min[i]),
                            static_cast<int>(argument.shape[i]));
        }
      }
    }
    pipeline.apply_autoscheduler(make_target(), params);
    return absl::OkStatus();
  });
}

absl::StatusOr<std::string> WorkloadPipeline::PrintCpp(
    const Schedule& schedule, const TargetSpec& target,
    const std::string& name) const {
  ASSIGN_OR_RETURN(const std::vector<Directive> directives,
                   LowerSchedule(schedule, *analyzed_, target));
  return PrintDirectives(directives, name);
}

absl::StatusOr<Workload> MakeWorkload(const std::string& name,
                                      const Pipeline& pipeline, Sizes sizes) {
  return Guarded<Workload>([&]() -> absl::StatusOr<Workload> {
    ASSIGN_OR_RETURN(
        AnalyzedPipeline analyzed,
        AnalyzePipeline(pipeline, sizes, ToLeaveAlone(pipeline, sizes)));
    const PipelineRegions& regions = analyzed.regions;
    if (sizes == Sizes::kExact) {
      RETURN_IF_ERROR(CheckNoScalars(pipeline));
    }
    RETURN_IF_ERROR(InputArguments(regions).status());
    RETURN_IF_ERROR(OutputArguments(pipeline, regions).status());
    return Workload(name, SealPipeline(pipeline, regions, sizes),
                    std::move(analyzed.dag), std::move(analyzed.notes));
  });
}

absl::Status LoadAutoschedulerPlugin(const std::string& path) {
  return Guarded<bool>([&]() -> absl::StatusOr<bool> {
           Halide::load_plugin(path);
           return true;
         })
      .status();
}

}  // namespace pruner
