#include "halide_ext/runner/candidate_runner.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "absl/log/check.h"
#include "absl/strings/str_cat.h"
#include "pruner/base/clock.h"
#include "pruner/base/files.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

// Differences of this size come from the order of summation; a missing or
// doubled term is far larger.
constexpr double kTolerance = 1e-4;

}  // namespace

absl::StatusOr<CandidateRunner> CandidateRunner::Create(
    const WorkloadPipeline& pipeline, uint64_t seed,
    std::string reference_file) {
  CandidateRunner runner;
  runner.pipeline_ = &pipeline;
  runner.reference_file_ = std::move(reference_file);
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
    runner.tensors_.push_back(data);
    if (static_cast<int>(i) >= pipeline.num_inputs()) continue;
    Rng stream = rng.Fork(i);
    for (int64_t e = 0; e < argument.NumElements(); ++e) {
      data[e] = static_cast<float>(2 * stream.Real() - 1);
    }
  }
  return runner;
}

absl::Span<float> CandidateRunner::Output(size_t argument) const {
  return {static_cast<float*>(memory_[argument].data()),
          static_cast<size_t>(pipeline_->arguments()[argument].NumElements())};
}

void CandidateRunner::PoisonOutputs() const {
  for (size_t i = pipeline_->num_inputs(); i < tensors_.size(); ++i) {
    const absl::Span<float> output = Output(i);
    std::fill(output.begin(), output.end(),
              std::numeric_limits<float>::quiet_NaN());
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
  RETURN_IF_ERROR(kernel.Run(tensors_));
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

absl::StatusOr<MeasureResult> CandidateRunner::Measure(
    const Kernel& kernel, const TimingOptions& options,
    const std::function<void(absl::Span<float>)>& after_run) {
  RETURN_IF_ERROR(EnsureReference());
  PoisonOutputs();
  if (absl::Status status = kernel.Run(tensors_); !status.ok()) {
    const bool memory = absl::StrContains(
        absl::AsciiStrToLower(status.message()), "out of memory");
    return FailedResult(
        memory ? FailureKind::kOutOfMemory : FailureKind::kRunError,
        std::string(status.message()));
  }
  MeasureResult result;
  size_t offset = 0;
  for (size_t i = pipeline_->num_inputs(); i < tensors_.size(); ++i) {
    if (after_run) after_run(Output(i));
    const absl::Span<const float> expected(reference_.data() + offset,
                                           Output(i).size());
    result.max_error =
        std::max(result.max_error, RelativeError(Output(i), expected));
    offset += expected.size();
  }
  if (!(result.max_error <= kTolerance)) {
    return FailedResult(
        FailureKind::kWrongResult,
        absl::StrCat("the output differs from the reference by ",
                     result.max_error, " of its largest value"));
  }
  Clock& clock = RealClock();
  double total = 0;
  while (static_cast<int>(result.seconds.size()) < options.max_samples) {
    const absl::Duration start = clock.Elapsed();
    if (absl::Status status = kernel.Run(tensors_); !status.ok()) {
      return FailedResult(FailureKind::kRunError,
                          std::string(status.message()));
    }
    // A clock that stands still must not make a candidate infinitely fast.
    const double seconds =
        std::max(1e-9, absl::ToDoubleSeconds(clock.Elapsed() - start));
    result.seconds.push_back(seconds);
    total += seconds;
    if (seconds > options.give_up_seconds) break;
    const int samples = static_cast<int>(result.seconds.size());
    if (samples >= options.min_samples && total >= options.min_seconds) break;
  }
  return result;
}

}  // namespace pruner
