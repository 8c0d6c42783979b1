#include "halide_ext/runner/candidate_runner.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "halide_ext/runner/earlier_kernels.h"
#include "halide_ext/runner/tensor_values.h"
#include "pruner/base/os/files.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

// Differences of this size come from the order of summation; a missing or
// doubled term is far larger.
constexpr double kTolerance = 1e-4;

// Of a kernel whose code reports an error.
Failure RunFailure(const absl::Status& status) {
  const std::string text = absl::AsciiStrToLower(status.message());
  const bool memory = absl::StrContains(text, "out of memory") ||
                      absl::StrContains(text, "out_of_memory");
  return {.kind = memory ? FailureKind::kOutOfMemory : FailureKind::kRunError,
          .message = std::string(status.message())};
}

Failure WrongOutput(const KernelArgument& output, const Difference& found) {
  const std::string where = absl::StrCat("the output '", output.name, "' ");
  if (found.element < 0) {
    return {.kind = FailureKind::kWrongResult,
            .message = absl::StrCat(where,
                                    "cannot be compared: the reference has no "
                                    "finite number there")};
  }
  if (found.unwritten > 0) {
    return {
        .kind = FailureKind::kWrongResult,
        .message = absl::StrCat(where, "was not written at ", found.unwritten,
                                " of its ", output.NumElements(), " elements")};
  }
  if (found.not_finite > 0) {
    return {.kind = FailureKind::kNotANumber,
            .message = absl::StrCat(where, "has ", found.not_finite,
                                    " elements that are no finite numbers, "
                                    "where the reference has some")};
  }
  return {.kind = FailureKind::kWrongResult,
          .message = absl::StrCat(
              where, "differs from the reference by ", found.relative,
              " of its largest value, most at element ", found.element)};
}

}  // namespace

absl::StatusOr<CandidateRunner> CandidateRunner::Create(
    const WorkloadPipeline& pipeline, uint64_t seed, std::string reference_file,
    ConstantRotation rotation, HugeMemory& copies,
    std::optional<InputValues> values) {
  CandidateRunner runner;
  runner.pipeline_ = &pipeline;
  runner.reference_file_ = std::move(reference_file);
  runner.rotation_ = std::move(rotation);
  runner.copies_ = &copies;
  runner.usual_inputs_ = !values;
  const bool is_of_images = pipeline.analyzed().sizes != Sizes::kExact;
  if (!values) {
    values = is_of_images ? InputValues::kPositive : InputValues::kCentered;
  } else if (values == InputValues::kIntegers && is_of_images) {
    values = InputValues::kBlackAndWhite;
  }
  Rng rng(seed);
  for (size_t i = 0; i < pipeline.arguments().size(); ++i) {
    const KernelArgument& argument = pipeline.arguments()[i];
    ASSIGN_OR_RETURN(GuardedMemory memory,
                     GuardedMemory::Allocate(argument.Bytes()));
    void* const data = memory.data();
    runner.memory_.push_back(std::move(memory));
    runner.hosts_.push_back(data);
    runner.tensors_.emplace_back(argument, data);
    if (static_cast<int>(i) >= pipeline.num_inputs()) continue;
    Rng stream = rng.Fork(i);
    FillInput(argument, *values, stream, data);
  }
  for (KernelTensor& tensor : runner.tensors_)
    runner.tensor_pointers_.push_back(&tensor);
  std::vector<GuardReport::Tensor> guarded;
  for (size_t i = 0; i < runner.memory_.size(); ++i)
    guarded.push_back({&runner.memory_[i], pipeline.arguments()[i].name});
  runner.guard_report_ = std::make_unique<GuardReport>(std::move(guarded));
  return runner;
}

absl::Span<uint8_t> CandidateRunner::Output(size_t argument) const {
  return {static_cast<uint8_t*>(memory_[argument].data()),
          static_cast<size_t>(pipeline_->arguments()[argument].Bytes())};
}

void CandidateRunner::SpoilOutputs() {
  const char* expected = reference_.data();
  for (size_t i = pipeline_->num_inputs(); i < tensors_.size(); ++i) {
    Spoil(pipeline_->arguments()[i], expected, Output(i).data());
    tensors_[i].LoadFromHost();
    expected += Output(i).size();
  }
}

absl::Status CandidateRunner::EnsureReference() {
  if (!reference_.empty()) return absl::OkStatus();
  size_t bytes = 0;
  for (size_t i = pipeline_->num_inputs(); i < tensors_.size(); ++i)
    bytes += Output(i).size();
  if (absl::StatusOr<std::string> file = ReadFile(reference_file_);
      file.ok() && file->size() == bytes) {
    reference_ = *std::move(file);
    return absl::OkStatus();
  }
  // What wins is compared with something else: a pipeline's schedule, on other
  // inputs, with the reference itself (VerifyWinner), a network's kernels with
  // what they are in double precision.
  ASSIGN_OR_RETURN(const Kernel kernel,
                   usual_inputs_ ? pipeline_->CompileVectorReference()
                                 : pipeline_->CompileReference());
  RETURN_IF_ERROR(kernel.Run(hosts_));
  for (size_t i = pipeline_->num_inputs(); i < tensors_.size(); ++i) {
    const absl::Span<uint8_t> output = Output(i);
    reference_.append(output.begin(), output.end());
  }
  return WriteFileAtomically(reference_file_, reference_);
}

absl::Status CandidateRunner::RunOnce(const Kernel& kernel) {
  return kernel.Run(tensor_pointers_, {.poison_memory = true});
}

std::optional<Failure> CandidateRunner::FindDamage() {
  std::optional<Failure> failure;
  for (size_t i = 0; i < memory_.size(); ++i) {
    const std::optional<int64_t> place = memory_[i].DamagedByte();
    if (!place) continue;
    memory_[i].RestorePattern();  // The next candidate did not do it.
    failure = {
        .kind = FailureKind::kOutOfBounds,
        .message = OutOfBoundsText(pipeline_->arguments()[i].name, *place)};
  }
  return failure;
}

bool CandidateRunner::IsRight(const Difference& found) const {
  if (found.relative <= kTolerance) return true;
  if (usual_inputs_) return false;
  // Of zeros a root's reciprocal is no number, and a variance what rounding
  // left of it.
  constexpr double kNextToNothing = 1e-6;
  return found.largest < 0 ||
         (found.largest < kNextToNothing && found.absolute < kNextToNothing);
}

std::optional<Failure> CandidateRunner::Check(
    absl::Span<KernelTensor* const> tensors, const AfterRun& after_run,
    double& max_error) {
  const int slack = IntegerSlack(pipeline_->analyzed().dag);
  const char* expected = reference_.data();
  std::optional<Failure> failure;
  for (size_t i = pipeline_->num_inputs(); i < tensors.size(); ++i) {
    KernelTensor& tensor = *tensors[i];
    const KernelArgument& argument = pipeline_->arguments()[i];
    absl::Status status = tensor.Wait();
    if (status.ok()) status = tensor.ReadToHost();
    if (!status.ok()) return RunFailure(status);
    const absl::Span<uint8_t> bytes(static_cast<uint8_t*>(tensor.host()),
                                    argument.Bytes());
    if (after_run) after_run(bytes);
    const Difference found = Compare(argument, bytes.data(), expected, slack);
    max_error = std::max(max_error, found.relative);
    if (!failure && !IsRight(found)) failure = WrongOutput(argument, found);
    expected += bytes.size();
  }
  // More telling than what became of the output.
  if (std::optional<Failure> damage = FindDamage()) failure = std::move(damage);
  return failure;
}

absl::Status CandidateRunner::EnsureRotation() {
  if (rotating_) return absl::OkStatus();
  std::vector<bool> is_constant;
  for (const KernelArgument& argument : pipeline_->arguments()) {
    const auto& names = rotation_.constants;
    is_constant.push_back(
        std::find(names.begin(), names.end(), argument.name) != names.end());
  }
  ASSIGN_OR_RETURN(rotating_, RotatingTensors::Create(
                                  pipeline_->arguments(), tensor_pointers_,
                                  is_constant, rotation_.bytes, *copies_));
  if (rotation_.bytes == 0) return absl::OkStatus();
  const absl::Span<KernelTensor* const> tensors = rotating_->Next();
  for (size_t i = 0; i < tensors.size(); ++i) {
    const bool is_input = static_cast<int>(i) < pipeline_->num_inputs();
    if (!is_constant[i]) (is_input ? read_ : written_).push_back(tensors[i]);
  }
  return absl::OkStatus();
}

absl::Status CandidateRunner::TakeSamples(const Kernel& kernel,
                                          const TimingOptions& options,
                                          std::vector<double>& seconds) {
  // A clock that stands still must not make a candidate infinitely fast.
  constexpr double kShortest = 1e-9;
  // Runs that are shorter together tell too little to give up.
  constexpr double kTelling = 1e-3;
  constexpr int kMostRuns = 1 << 20;
  RETURN_IF_ERROR(EnsureRotation());
  const bool claim = rotation_.bytes > 0 && rotation_.claim_memory;
  const auto sample = [&](int runs) -> absl::Status {
    const absl::Span<KernelTensor* const> tensors = rotating_->Next();
    LeaveAsEarlierKernels(read_, written_);
    ASSIGN_OR_RETURN(const double mean,
                     kernel.Time(tensors, runs, {.claim_memory = claim}));
    seconds.push_back(std::max(kShortest, mean));
    return absl::OkStatus();
  };
  int runs = 1;
  RETURN_IF_ERROR(sample(runs));
  while (seconds[0] * runs < options.sample_seconds && runs < kMostRuns) {
    if (seconds[0] > options.give_up_seconds && seconds[0] * runs >= kTelling)
      return absl::OkStatus();
    const double wanted = std::ceil(1.05 * options.sample_seconds / seconds[0]);
    runs = static_cast<int>(std::min({wanted, 100.0 * runs, 1.0 * kMostRuns}));
    seconds.clear();
    RETURN_IF_ERROR(sample(runs));
  }
  while (WantsSample(seconds, runs, options)) RETURN_IF_ERROR(sample(runs));
  return absl::OkStatus();
}

absl::StatusOr<MeasureResult> CandidateRunner::Measure(
    const Kernel& kernel, const TimingOptions& options,
    const AfterRun& after_run) {
  RETURN_IF_ERROR(EnsureReference());
  SpoilOutputs();
  MeasureResult result;
  if (absl::Status status = RunOnce(kernel); !status.ok()) {
    result.failure = RunFailure(status);
  } else {
    result.failure = Check(tensor_pointers_, after_run, result.max_error);
  }
  if (!result.failure) {
    if (absl::Status status = TakeSamples(kernel, options, result.seconds);
        !status.ok()) {
      result.failure = RunFailure(status);
    } else if (std::optional<Failure> failure =
                   Check(rotating_->first(), after_run, result.max_error)) {
      failure->message = absl::StrCat(
          "in the last timed run, unlike the first: ", failure->message);
      result.failure = std::move(failure);
    }
  }
  if (result.failure)
    return FailedResult(result.failure->kind, result.failure->message);
  return result;
}

}  // namespace pruner
