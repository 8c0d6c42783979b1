#include "halide_ext/runner/candidate_runner.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "absl/log/check.h"
#include "absl/strings/str_cat.h"
#include "halide_ext/runner/earlier_kernels.h"
#include "pruner/base/os/files.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

// Differences of this size come from the order of summation; a missing or
// doubled term is far larger.
constexpr double kTolerance = 1e-4;

}  // namespace

absl::StatusOr<CandidateRunner> CandidateRunner::Create(
    const WorkloadPipeline& pipeline, uint64_t seed, std::string reference_file,
    ConstantRotation rotation, HugeMemory& copies) {
  CandidateRunner runner;
  runner.pipeline_ = &pipeline;
  runner.reference_file_ = std::move(reference_file);
  runner.rotation_ = std::move(rotation);
  runner.copies_ = &copies;
  Rng rng(seed);
  for (size_t i = 0; i < pipeline.arguments().size(); ++i) {
    const KernelArgument& argument = pipeline.arguments()[i];
    if (argument.type != Halide::Float(32)) {
      return absl::UnimplementedError(
          absl::StrCat("tensor '", argument.name, "' has elements of type ",
                       Halide::type_to_c_type(argument.type, false),
                       "; only fp32 tensors can be measured"));
    }
    ASSIGN_OR_RETURN(GuardedMemory memory,
                     GuardedMemory::Allocate(argument.Bytes()));
    auto* data = static_cast<float*>(memory.data());
    runner.memory_.push_back(std::move(memory));
    runner.hosts_.push_back(data);
    runner.tensors_.emplace_back(argument, data);
    if (static_cast<int>(i) >= pipeline.num_inputs()) continue;
    Rng stream = rng.Fork(i);
    // Halves from -1 to 1: sums of their products are exact in any order, also
    // those of a million, of which the reference would be wrong otherwise.
    for (int64_t e = 0; e < argument.NumElements(); ++e) {
      data[e] = 0.5f * static_cast<float>(stream.Uniform(-2, 2));
    }
  }
  for (KernelTensor& tensor : runner.tensors_)
    runner.tensor_pointers_.push_back(&tensor);
  return runner;
}

absl::Span<float> CandidateRunner::Output(size_t argument) const {
  return {static_cast<float*>(memory_[argument].data()),
          static_cast<size_t>(pipeline_->arguments()[argument].NumElements())};
}

void CandidateRunner::PoisonOutputs() {
  for (size_t i = pipeline_->num_inputs(); i < tensors_.size(); ++i) {
    const absl::Span<float> output = Output(i);
    std::fill(output.begin(), output.end(),
              std::numeric_limits<float>::quiet_NaN());
    tensors_[i].LoadFromHost();
  }
}

absl::Status CandidateRunner::EnsureReference() {
  if (!reference_.empty()) return absl::OkStatus();
  size_t elements = 0;
  for (size_t i = pipeline_->num_inputs(); i < tensors_.size(); ++i)
    elements += Output(i).size();
  if (absl::StatusOr<std::string> file = ReadFile(reference_file_);
      file.ok() && file->size() == elements * sizeof(float)) {
    reference_.resize(elements);
    std::memcpy(reference_.data(), file->data(), file->size());
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(const Kernel kernel, pipeline_->CompileReference());
  RETURN_IF_ERROR(kernel.Run(hosts_));
  for (size_t i = pipeline_->num_inputs(); i < tensors_.size(); ++i) {
    const absl::Span<float> output = Output(i);
    reference_.insert(reference_.end(), output.begin(), output.end());
  }
  return WriteFileAtomically(
      reference_file_,
      absl::string_view(reinterpret_cast<const char*>(reference_.data()),
                        reference_.size() * sizeof(float)));
}

double RelativeError(absl::Span<const float> actual,
                     absl::Span<const float> reference) {
  CHECK_EQ(actual.size(), reference.size());
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  double largest = -1, difference = 0;
  for (size_t i = 0; i < actual.size(); ++i) {
    if (!std::isfinite(reference[i])) continue;
    if (!std::isfinite(actual[i])) return kInfinity;
    const double r = reference[i];
    difference = std::max(difference, std::abs(actual[i] - r));
    largest = std::max(largest, std::abs(r));
  }
  if (largest < 0) return kInfinity;
  return difference == 0 ? 0 : difference / largest;
}

absl::Status CandidateRunner::RunOnce(const Kernel& kernel) {
  RETURN_IF_ERROR(kernel.Run(tensor_pointers_));
  for (size_t i = pipeline_->num_inputs(); i < tensors_.size(); ++i) {
    RETURN_IF_ERROR(tensors_[i].Wait());
    RETURN_IF_ERROR(tensors_[i].ReadToHost());
  }
  return absl::OkStatus();
}

double CandidateRunner::CompareOutputs(
    const std::function<void(absl::Span<float>)>& after_run) const {
  double error = 0;
  size_t offset = 0;
  for (size_t i = pipeline_->num_inputs(); i < tensors_.size(); ++i) {
    if (after_run) after_run(Output(i));
    const absl::Span<const float> expected(reference_.data() + offset,
                                           Output(i).size());
    error = std::max(error, RelativeError(Output(i), expected));
    offset += expected.size();
  }
  return error;
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
    const std::function<void(absl::Span<float>)>& after_run) {
  RETURN_IF_ERROR(EnsureReference());
  PoisonOutputs();
  if (absl::Status status = RunOnce(kernel); !status.ok()) {
    const std::string text = absl::AsciiStrToLower(status.message());
    const bool memory = absl::StrContains(text, "out of memory") ||
                        absl::StrContains(text, "out_of_memory");
    return FailedResult(
        memory ? FailureKind::kOutOfMemory : FailureKind::kRunError,
        std::string(status.message()));
  }
  MeasureResult result;
  result.max_error = CompareOutputs(after_run);
  if (!(result.max_error <= kTolerance)) {
    return FailedResult(
        FailureKind::kWrongResult,
        absl::StrCat("the output differs from the reference by ",
                     result.max_error, " of its largest value"));
  }
  if (absl::Status status = TakeSamples(kernel, options, result.seconds);
      !status.ok()) {
    return FailedResult(FailureKind::kRunError, std::string(status.message()));
  }
  return result;
}

}  // namespace pruner
