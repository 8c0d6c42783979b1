#include "halide_ext/tests/fuzz_cases.h"

#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/runner/guarded_memory.h"
#include "halide_ext/tests/random_pipeline.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"
#include "pruner/schedule/replay.h"
#include "pruner/schedule/schedule_text.h"

namespace pruner {
namespace {

// Tensors of one pipeline between pages that must not be touched.
class Tensors {
 public:
  static absl::StatusOr<Tensors> Create(const WorkloadPipeline& pipeline,
                                        uint64_t seed) {
    Tensors tensors(pipeline);
    Rng rng(seed);
    for (const KernelArgument& argument : pipeline.arguments()) {
      ASSIGN_OR_RETURN(GuardedMemory memory,
                       GuardedMemory::Allocate(argument.Bytes()));
      auto* data = static_cast<float*>(memory.data());
      for (int64_t i = 0; i < argument.NumElements(); ++i) {
        data[i] = static_cast<float>(
            rng.Uniform(-kRandomInputBound, kRandomInputBound));
      }
      tensors.pointers_.push_back(data);
      tensors.memory_.push_back(std::move(memory));
    }
    return tensors;
  }

  // The outputs, one after the other.
  absl::StatusOr<std::vector<float>> Run(const Kernel& kernel) {
    const std::vector<KernelArgument>& arguments = pipeline_->arguments();
    for (size_t i = pipeline_->num_inputs(); i < arguments.size(); ++i) {
      std::fill_n(static_cast<float*>(pointers_[i]), arguments[i].NumElements(),
                  std::numeric_limits<float>::quiet_NaN());
    }
    RETURN_IF_ERROR(kernel.Run(pointers_));
    std::vector<float> result;
    for (size_t i = pipeline_->num_inputs(); i < arguments.size(); ++i) {
      const auto* data = static_cast<const float*>(pointers_[i]);
      result.insert(result.end(), data, data + arguments[i].NumElements());
    }
    return result;
  }

 private:
  explicit Tensors(const WorkloadPipeline& pipeline) : pipeline_(&pipeline) {}

  const WorkloadPipeline* pipeline_;
  std::vector<GuardedMemory> memory_;
  std::vector<void*> pointers_;
};

// A pipeline with what it computes from some tensors without a schedule.
class Reference {
 public:
  static absl::StatusOr<Reference> Create(const std::string& sealed,
                                          uint64_t seed, FuzzDevice device) {
    Reference reference(device);
    ASSIGN_OR_RETURN(WorkloadPipeline pipeline, WorkloadPipeline::Load(sealed));
    reference.pipeline_ =
        std::make_unique<WorkloadPipeline>(std::move(pipeline));
    ASSIGN_OR_RETURN(const Kernel kernel,
                     reference.pipeline_->CompileReference());
    ASSIGN_OR_RETURN(Tensors tensors,
                     Tensors::Create(*reference.pipeline_, seed));
    reference.tensors_.emplace(std::move(tensors));
    ASSIGN_OR_RETURN(reference.expected_, reference.tensors_->Run(kernel));
    return reference;
  }

  const ComputeDag& dag() const { return pipeline_->analyzed().dag; }

  // Error: the schedule does not compile, or computes something else.
  absl::Status Check(const Schedule& schedule) {
    ASSIGN_OR_RETURN(const Kernel kernel,
                     pipeline_->Compile(schedule, FuzzTarget(device_)));
    ASSIGN_OR_RETURN(const std::vector<float> actual, tensors_->Run(kernel));
    size_t wrong = 0, first = 0;
    for (size_t i = actual.size(); i-- > 0;) {
      // Not bit by bit: the maximum of 0 and -0 is either.
      if (actual[i] == expected_[i]) continue;
      ++wrong;
      first = i;
    }
    if (wrong == 0) return absl::OkStatus();
    return absl::DataLossError(absl::StrCat(
        wrong, " of ", actual.size(), " elements are wrong, the first one at ",
        first, ": ", actual[first], " instead of ", expected_[first]));
  }

 private:
  explicit Reference(FuzzDevice device) : device_(device) {}

  FuzzDevice device_;
  std::unique_ptr<const WorkloadPipeline> pipeline_;
  std::optional<Tensors> tensors_;
  std::vector<float> expected_;
};

}  // namespace

absl::StatusOr<proto::FuzzCrasher> MakeCrasher(const FuzzCase& fuzz_case,
                                               FuzzDevice device) {
  proto::FuzzCrasher crasher;
  ASSIGN_OR_RETURN(FuzzSubject subject,
                   FuzzSubject::Create(fuzz_case.pipeline_seed, device,
                                       *crasher.mutable_about()));
  ASSIGN_OR_RETURN(const std::optional<Schedule> schedule,
                   subject.Draw(fuzz_case.schedule));
  crasher.set_pipeline(subject.workload().pipeline);
  crasher.set_schedule(PrintSchedule(schedule.value_or(Schedule())));
  crasher.set_seed(fuzz_case.pipeline_seed);
  crasher.set_opencl(device == FuzzDevice::kOpenCl);
  return crasher;
}

absl::Status RunCrasher(const proto::FuzzCrasher& crasher) {
  const FuzzDevice device =
      crasher.opencl() ? FuzzDevice::kOpenCl : FuzzDevice::kHost;
  ASSIGN_OR_RETURN(
      Reference reference,
      Reference::Create(crasher.pipeline(), crasher.seed(), device));
  ASSIGN_OR_RETURN(const Schedule schedule, ParseSchedule(crasher.schedule()));
  // What replay refuses by now is as good as what is right.
  if (!Replay(reference.dag(), schedule).ok()) return absl::OkStatus();
  return reference.Check(schedule);
}

void RunFuzzCases(uint64_t pipeline_seed, int first, int last,
                  FuzzDevice device, const FuzzCallbacks& callbacks) {
  FuzzCase at = {.pipeline_seed = pipeline_seed, .schedule = -1};
  callbacks.on_start(at);
  std::string text;
  absl::StatusOr<FuzzSubject> subject =
      FuzzSubject::Create(pipeline_seed, device, text);
  absl::StatusOr<Reference> reference =
      subject.ok() ? Reference::Create(subject->workload().pipeline,
                                       pipeline_seed, device)
                   : subject.status();
  if (!reference.ok()) {
    callbacks.on_failure(
        at, absl::StrCat(reference.status().message(), "\n", text));
    return;
  }
  for (at.schedule = first; at.schedule <= last; ++at.schedule) {
    callbacks.on_start(at);
    absl::StatusOr<std::optional<Schedule>> schedule =
        subject->Draw(at.schedule);
    if (!schedule.ok()) {
      callbacks.on_failure(
          at, absl::StrCat("no schedule: ", schedule.status().message(), "\n",
                           text));
      continue;
    }
    if (!schedule->has_value()) continue;
    const absl::Status status = reference->Check(**schedule);
    if (status.ok()) continue;
    callbacks.on_failure(at, absl::StrCat(status.message(), "\n", text, "\n",
                                          PrintSchedule(**schedule)));
  }
}

}  // namespace pruner
