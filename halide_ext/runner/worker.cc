#include "halide_ext/runner/worker.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "halide_ext/build/device_code.h"
#include "halide_ext/build/input_check.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/build/kernel_threads.h"
#include "halide_ext/build/launch_limits.h"
#include "halide_ext/build/pipeline_file.h"
#include "halide_ext/lower/lower.h"
#include "halide_ext/runner/candidate_runner.h"
#include "halide_ext/runner/guarded_flatbuffer.h"
#include "halide_ext/runner/kernel_resources_proto.h"
#include "halide_ext/runner/tensor_values.h"
#include "halide_ext/runner/worker.pb.h"
#include "pruner/base/clock.h"
#include "pruner/base/os/huge_memory.h"
#include "pruner/base/os/message_parent.h"
#include "pruner/base/status_macros.h"
#include "pruner/schedule/schedule_proto.h"
#include "pruner/target/target_spec.h"
#include "pruner/workload/workload_key.h"

namespace pruner {
namespace {

// On one line; an error may quote a damaged name.
std::string Printable(absl::string_view text) {
  std::string printable(text);
  for (char& c : printable) {
    if (c == '\n') c = ' ';
    if (!absl::ascii_isprint(static_cast<unsigned char>(c))) c = '?';
  }
  return printable;
}

// The file's pipeline, sealed.
absl::StatusOr<std::string> LoadPipeline(
    const proto::WorkerRequest::Load& request) {
  const std::string& file = request.pipeline_file();
  RETURN_IF_ERROR(CheckPipelineFile(file, "the file"));
  std::string sealed = file;
  if (!IsSealedPipeline(file)) {
    InputSizes sizes;
    for (const auto& input : request.input_sizes())
      sizes[input.name()] = {input.extent().begin(), input.extent().end()};
    ASSIGN_OR_RETURN(const GuardedFlatbuffer guarded,
                     GuardedFlatbuffer::Copy(file));
    ASSIGN_OR_RETURN(Workload workload,
                     WorkloadFromHalide("", guarded.bytes(), sizes));
    sealed = std::move(workload.pipeline);
  }
  // What the parent will do with it had better crash here.
  RETURN_IF_ERROR(WorkloadFromSealed("", sealed).status());
  return sealed;
}

// Nothing if they are the usual ones.
std::optional<InputValues> ValuesOf(
    proto::WorkerRequest::Prepare::Inputs inputs) {
  switch (inputs) {
    case proto::WorkerRequest::Prepare::INTEGERS:
      return InputValues::kIntegers;
    case proto::WorkerRequest::Prepare::ZEROS:
      return InputValues::kZeros;
    default:
      return std::nullopt;
  }
}

class Worker {
 public:
  explicit Worker(const WorkerHooks& hooks) : hooks_(hooks) {}

  proto::WorkerReply Serve(const proto::WorkerRequest& request) {
    proto::WorkerReply reply;
    switch (request.kind_case()) {
      case proto::WorkerRequest::kPrepare:
        if (absl::Status status = Prepare(request.prepare()); !status.ok()) {
          reply.set_error(std::string(status.message()));
        }
        break;
      case proto::WorkerRequest::kCompile:
        Compile(request.compile(), reply);
        break;
      case proto::WorkerRequest::kReference:
        if (absl::Status status = ComputeReference(); !status.ok()) {
          reply.set_error(std::string(status.message()));
        }
        break;
      case proto::WorkerRequest::kRun:
        *reply.mutable_result() = ToProto(Run(request.run()));
        break;
      case proto::WorkerRequest::kAssess:
        Assess(request.assess(), reply);
        break;
      case proto::WorkerRequest::kLoad:
        if (absl::StatusOr<std::string> sealed = LoadPipeline(request.load());
            sealed.ok()) {
          reply.set_pipeline(*std::move(sealed));
        } else {
          reply.set_error(Printable(sealed.status().message()));
        }
        break;
      case proto::WorkerRequest::KIND_NOT_SET:
        reply.set_error("a request of no known kind");
        break;
    }
    return reply;
  }

 private:
  struct Compiled {
    Schedule schedule;
    Kernel kernel;
  };

  absl::Status Prepare(const proto::WorkerRequest::Prepare& request) {
    compiled_.clear();
    runner_.reset();
    input_check_.reset();
    pipeline_.reset();
    ASSIGN_OR_RETURN(WorkloadPipeline pipeline,
                     WorkloadPipeline::Load(request.pipeline()));
    const WorkloadKey found = KeyOf(pipeline.analyzed().dag);
    if (const WorkloadKey asked = {request.workload_key()}; found != asked) {
      return absl::FailedPreconditionError(
          absl::StrCat("the worker finds the workload ", ToString(found),
                       " in the pipeline and the tuner found ", ToString(asked),
                       ": they are not of one version, or the analysis is not "
                       "reproducible"));
    }
    pipeline_ = std::make_unique<WorkloadPipeline>(std::move(pipeline));
    ASSIGN_OR_RETURN(target_,
                     ParseTargetSpec(request.target(), "the worker's target"));
    outputs_ =
        request.large_outputs_only() ? OutputSizes::kLarge : OutputSizes::kAny;
    if (request.reference_file().empty()) return absl::OkStatus();
    SetKernelThreads(request.threads());
    ASSIGN_OR_RETURN(CandidateRunner runner,
                     CandidateRunner::Create(
                         *pipeline_, request.seed(), request.reference_file(),
                         {.constants = {request.constants().begin(),
                                        request.constants().end()},
                          .bytes = request.bytes_between_uses(),
                          .claim_memory = !target_.cheap_shared_writes},
                         copies_, ValuesOf(request.inputs())));
    runner_.emplace(std::move(runner));
    return absl::OkStatus();
  }

  absl::Status ComputeReference() {
    if (!runner_) return absl::FailedPreconditionError(kNotPrepared);
    if (hooks_.before_reference) hooks_.before_reference();
    return runner_->EnsureReference();
  }

  void Compile(const proto::WorkerRequest::Compile& request,
               proto::WorkerReply& reply) {
    if (pipeline_ == nullptr) {
      *reply.mutable_result() = ToProto(NotPrepared());
      return;
    }
    // What fails here fails again when a candidate is timed, and is told then.
    if (runner_ && !request.only_check()) {
      runner_->EnsureRotation().IgnoreError();
    }
    const absl::Duration start = RealClock().Elapsed();
    // What it fails at.
    FailureKind step = FailureKind::kLowering;
    absl::StatusOr<Compiled> compiled = CompileCandidate(request, step);
    reply.set_compile_seconds(
        absl::ToDoubleSeconds(RealClock().Elapsed() - start));
    if (compiled.ok()) {
      if (!request.only_check())
        compiled_.insert_or_assign(request.id(), *std::move(compiled));
      return;
    }
    MeasureResult failed =
        FailedResult(step, std::string(compiled.status().message()));
    failed.compile_seconds = reply.compile_seconds();
    *reply.mutable_result() = ToProto(failed);
  }

  absl::StatusOr<Compiled> CompileCandidate(
      const proto::WorkerRequest::Compile& request, FailureKind& step) {
    if (request.how_case() == proto::WorkerRequest::Compile::kAutoscheduler) {
      step = FailureKind::kLoad;
      if (!plugins_.contains(request.plugin())) {
        RETURN_IF_ERROR(LoadAutoschedulerPlugin(request.plugin()));
        plugins_.insert(request.plugin());
      }
      step = FailureKind::kCompileError;
      ASSIGN_OR_RETURN(Kernel kernel, pipeline_->CompileAutoscheduled(
                                          request.autoscheduler(), target_));
      return Compiled{.schedule = {}, .kernel = std::move(kernel)};
    }
    ASSIGN_OR_RETURN(Schedule schedule, FromProto(request.schedule()));
    if (hooks_.before_compile) hooks_.before_compile();
    RETURN_IF_ERROR(CheckInputs(schedule));
    const ScheduleFunction lower =
        pipeline_->Lowered(schedule, target_, outputs_);
    const auto lower_and_tell = [&](Halide::Pipeline& pipeline) {
      absl::Status status = lower(pipeline);
      if (status.ok()) step = FailureKind::kCompileError;
      return status;
    };
    ASSIGN_OR_RETURN(Kernel kernel,
                     pipeline_->Compile(lower_and_tell, target_));
    return Compiled{.schedule = std::move(schedule),
                    .kernel = std::move(kernel)};
  }

  // Code for any size must not ask for more than there will be.
  absl::Status CheckInputs(const Schedule& schedule) {
    if (pipeline_->analyzed().sizes == Sizes::kExact) return absl::OkStatus();
    if (!input_check_) {
      ASSIGN_OR_RETURN(input_check_, InputCheck::Create(*pipeline_));
    }
    return input_check_->Check(schedule, target_);
  }

  void Assess(const proto::WorkerRequest::Assess& request,
              proto::WorkerReply& reply) {
    if (pipeline_ == nullptr) {
      *reply.mutable_result() = ToProto(NotPrepared());
      return;
    }
    const absl::Duration start = RealClock().Elapsed();
    const absl::StatusOr<std::vector<KernelResources>> kernels =
        AssessCandidate(request);
    reply.set_compile_seconds(
        absl::ToDoubleSeconds(RealClock().Elapsed() - start));
    if (!kernels.ok()) {
      *reply.mutable_result() =
          ToProto(FailedResult(absl::IsFailedPrecondition(kernels.status())
                                   ? FailureKind::kWrongResult
                                   : FailureKind::kCompileError,
                               std::string(kernels.status().message())));
      return;
    }
    for (const KernelResources& kernel : *kernels)
      *reply.add_kernels() = ToProto(kernel);
  }

  absl::StatusOr<std::vector<KernelResources>> AssessCandidate(
      const proto::WorkerRequest::Assess& request) {
    ASSIGN_OR_RETURN(const Schedule schedule, FromProto(request.schedule()));
    if (hooks_.before_assessment) hooks_.before_assessment(schedule);
    ASSIGN_OR_RETURN(const DeviceCode code,
                     CompileDeviceCode(*pipeline_, schedule, target_));
    RETURN_IF_ERROR(CheckPrivateRegisters(code.promotions));
    return AssessCuda(code, target_, Ptxas(request.ptxas()));
  }

  MeasureResult Run(const proto::WorkerRequest::Run& request) {
    const auto found = compiled_.find(request.id());
    if (!runner_ || found == compiled_.end()) return NotPrepared();
    const Compiled candidate = std::move(found->second);
    compiled_.erase(found);
    if (hooks_.before_run) hooks_.before_run(candidate.schedule);
    const TimingOptions options = {.min_samples = request.min_samples(),
                                   .max_samples = request.max_samples(),
                                   .min_seconds = request.min_seconds(),
                                   .max_seconds = request.max_seconds(),
                                   .give_up_seconds = request.give_up_seconds(),
                                   .sample_seconds = request.sample_seconds()};
    absl::StatusOr<MeasureResult> result = runner_->Measure(
        candidate.kernel, options, [&](absl::Span<uint8_t> output) {
          if (hooks_.after_run) hooks_.after_run(candidate.schedule, output);
        });
    if (!result.ok()) {
      return FailedResult(
          FailureKind::kRunError,
          absl::StrCat("no reference output: ", result.status().message()));
    }
    if (!result->ok() && result->failure->kind == FailureKind::kRunError &&
        target_.backend != Backend::kHost)
      result->failure->kind = FailureKind::kDevice;
    return *std::move(result);
  }

  static constexpr char kNotPrepared[] =
      "the worker was not prepared for this request";
  static MeasureResult NotPrepared() {
    return FailedResult(FailureKind::kProtocol, kNotPrepared);
  }

  const WorkerHooks& hooks_;
  std::unique_ptr<WorkloadPipeline> pipeline_;
  std::optional<InputCheck> input_check_;  // of pipeline_, once it was needed
  TargetSpec target_;
  OutputSizes outputs_ = OutputSizes::kAny;
  HugeMemory copies_;
  std::optional<CandidateRunner> runner_;
  std::map<int64_t, Compiled> compiled_;
  std::set<std::string> plugins_;
};

}  // namespace

std::optional<int> RunIfWorker(const WorkerHooks& hooks) {
  absl::StatusOr<MessageParent> parent = MessageParent::FromEnvironment();
  if (!parent.ok()) return std::nullopt;
  Worker worker(hooks);
  for (;;) {
    const absl::StatusOr<std::string> message = parent->Receive();
    if (!message.ok()) return 0;
    proto::WorkerRequest request;
    if (!request.ParseFromString(*message)) return 1;
    if (!parent->Send(worker.Serve(request).SerializeAsString()).ok()) return 0;
  }
}

}  // namespace pruner
