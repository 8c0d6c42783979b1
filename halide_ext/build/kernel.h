// From a workload and a schedule to code that runs in this process. Halide is
// asked to compile; what it throws comes back as a status.
#ifndef HALIDE_EXT_BUILD_KERNEL_H_
#define HALIDE_EXT_BUILD_KERNEL_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "Halide.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "halide_ext/analyze/analyze.h"
#include "halide_ext/build/compiled_kernel.h"
#include "halide_ext/build/kernel_argument.h"
#include "halide_ext/build/kernel_number.h"
#include "halide_ext/build/stored_pipeline.pb.h"
#include "halide_ext/lower/directive.h"
#include "halide_ext/lower/lower.h"
#include "halide_ext/passes/kernel_shape.h"
#include "halide_ext/passes/promotion_report.h"
#include "pruner/base/row_layout.h"
#include "pruner/measure/measurer.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// A pipeline compiled to Halide's intermediate form, with the code of a device
// in it, and what became of that.
struct CompiledModule {
  Halide::Module module;
  PromotionReport promotions;
  std::vector<KernelShape> shapes;
};

// Schedules a pipeline, whose Funcs it finds by name (FuncsOf).
using ScheduleFunction = std::function<absl::Status(Halide::Pipeline&)>;

// A workload's pipeline, ready to be compiled under one schedule after the
// other.
class WorkloadPipeline {
 public:
  // `serialized` is Workload::pipeline of a workload that MakeWorkload made.
  // Error: it is damaged or something else.
  static absl::StatusOr<WorkloadPipeline> Load(absl::string_view serialized);

  const AnalyzedPipeline& analyzed() const { return *analyzed_; }
  // The DAG's inputs in order, but for images that are part of the pipeline;
  // then its outputs in order.
  const std::vector<KernelArgument>& arguments() const { return arguments_; }
  int num_inputs() const { return num_inputs_; }

  // The same computation, its output (it has one) a part of a larger tensor:
  // schedules are the same, kernels write their rows where they belong. Error:
  // no loops over a row, for they are over more.
  absl::StatusOr<WorkloadPipeline> WithOutputRows(const RowLayout& rows) const;

  // Error: a parameter that is a number has no typical value, so that kernels
  // cannot be compiled.
  absl::Status CheckNumbers() const;

  // Compiles for the target, just in time. Where sizes are estimates it is what
  // others compile ahead of time, and runs on the threads and in the memory of
  // Halide's run time, as it will there. Neither the target's device nor its
  // driver need be there. Errors: a schedule that does not fit; what Halide
  // refuses; a kernel larger than the target's limits.
  absl::StatusOr<Kernel> Compile(const Schedule& schedule,
                                 const TargetSpec& target) const;

  // The same, scheduled in Halide's own words.
  absl::StatusOr<Kernel> Compile(const ScheduleFunction& schedule,
                                 const TargetSpec& target) const;

  // The same as a module: for looking at it, and for files.
  absl::StatusOr<CompiledModule> CompileToModule(
      const Schedule& schedule, const TargetSpec& target) const;
  absl::StatusOr<CompiledModule> CompileToModule(
      const ScheduleFunction& schedule, const TargetSpec& target) const;

  // What makes of a pipeline what Compile compiles. Refers to the arguments.
  ScheduleFunction Lowered(const Schedule& schedule, const TargetSpec& target,
                           OutputSizes outputs = OutputSizes::kAny) const;

  // What Compile compiles, and for what: a fresh copy of the pipeline,
  // scheduled.
  absl::StatusOr<Halide::Pipeline> Scheduled(const Schedule& schedule,
                                             const TargetSpec& target) const;
  absl::StatusOr<Halide::Pipeline> Scheduled(
      const ScheduleFunction& schedule) const;
  Halide::Target HalideTarget(const TargetSpec& target) const;

  // Compiles as Halide does without any schedule but storage: every Func with a
  // reduction at the root, and what would be computed over and over. Slow, and
  // the reference for everything else.
  absl::StatusOr<Kernel> CompileReference() const;
  absl::StatusOr<Halide::Pipeline> ReferencePipeline() const;

  // Where sizes are exact, the same in vectors along the innermost axis of what
  // stays at the root, without checks: each element is computed as there, in a
  // tenth of the time. For what is compared with something else in the end.
  absl::StatusOr<Kernel> CompileVectorReference() const;

  // Compiles with one of Halide's own autoschedulers, "Adams2019", …; its
  // plugin must be loaded (Halide::load_plugin).
  absl::StatusOr<Kernel> CompileAutoscheduled(const std::string& autoscheduler,
                                              const TargetSpec& target) const;

  // The schedule as a C++ header; see PrintDirectives.
  absl::StatusOr<std::string> PrintCpp(const Schedule& schedule,
                                       const TargetSpec& target,
                                       const std::string& name) const;

 private:
  WorkloadPipeline() = default;

  ScheduleFunction ReferenceSchedule(bool vectors) const;
  absl::StatusOr<Kernel> CompileUnscheduled(bool vectors) const;
  std::vector<Halide::Argument> InputsOf(
      absl::Span<const Halide::Argument> inferred,
      absl::Span<const KernelNumber> numbers) const;
  // Halide may refuse the target, which is then an error like others.
  absl::StatusOr<Kernel> CompileWith(
      const std::function<Halide::Target()>& make_target,
      const TargetSpec& target, const ScheduleFunction& schedule) const;

  std::shared_ptr<const proto::StoredPipeline> stored_;
  std::shared_ptr<const AnalyzedPipeline> analyzed_;
  std::vector<KernelArgument> arguments_;
  int num_inputs_ = 0;
};

// The pipeline as a workload. Its outputs and inputs need bounds or estimates,
// which are made exact, or stay estimates: schedules are then right for any
// size, and kernels are compiled for any and run on those. Errors: what
// AnalyzePipeline refuses; a tuple as an output; a tensor with more elements
// than Halide's indices count; a parameter that is a number, if sizes are
// exact.
absl::StatusOr<Workload> MakeWorkload(const std::string& name,
                                      const Halide::Pipeline& pipeline,
                                      Sizes sizes = Sizes::kExact);

// Makes the autoschedulers of a shared library known to this process.
absl::Status LoadAutoschedulerPlugin(const std::string& path);

}  // namespace pruner

#endif  // HALIDE_EXT_BUILD_KERNEL_H_
