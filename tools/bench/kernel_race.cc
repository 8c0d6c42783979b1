#include "tools/bench/kernel_race.h"

#include <algorithm>
#include <limits>

#include "absl/time/time.h"
#include "halide_ext/runner/tensor_values.h"
#include "pruner/base/clock.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

constexpr double kTolerance = 1e-4;
constexpr int kMinRuns = 10;
constexpr double kMinSeconds = 0.1;  // of all runs together

}  // namespace

absl::StatusOr<KernelRace> KernelRace::Create(const WorkloadPipeline& pipeline,
                                              uint64_t seed) {
  KernelRace race;
  Rng rng(seed);
  for (const KernelArgument& argument : pipeline.arguments()) {
    race.memory_.emplace_back(static_cast<size_t>(argument.NumElements()));
    for (float& value : race.memory_.back().span())
      value = static_cast<float>(rng.Real());
    race.tensors_.push_back(race.memory_.back().data());
  }
  ASSIGN_OR_RETURN(const Kernel reference, pipeline.CompileReference());
  RETURN_IF_ERROR(reference.Run(race.tensors_));
  const absl::Span<float> output = race.memory_.back().span();
  race.reference_.assign(output.begin(), output.end());
  return race;
}

absl::StatusOr<double> KernelRace::Run(const Kernel& kernel) {
  const absl::Duration start = RealClock().Elapsed();
  RETURN_IF_ERROR(kernel.Run(tensors_));
  return absl::ToDoubleSeconds(RealClock().Elapsed() - start);
}

absl::Status KernelRace::CheckOutput() const {
  if (RelativeError(memory_.back().span(), reference_) <= kTolerance)
    return absl::OkStatus();
  return absl::DataLossError("the output is wrong");
}

absl::StatusOr<double> KernelRace::BestTime(const Kernel& kernel) {
  ASSIGN_OR_RETURN(const std::vector<double> seconds, Time(kernel));
  return *std::min_element(seconds.begin(), seconds.end());
}

absl::StatusOr<std::vector<double>> KernelRace::Time(const Kernel& kernel,
                                                     double far_behind) {
  const absl::Span<float> output = memory_.back().span();
  std::fill(output.begin(), output.end(),
            std::numeric_limits<float>::quiet_NaN());
  std::vector<double> seconds;
  double total = 0;
  while (seconds.size() < kMinRuns || total < kMinSeconds) {
    ASSIGN_OR_RETURN(seconds.emplace_back(), Run(kernel));
    total += seconds.back();
    if (seconds.size() == 1) {
      RETURN_IF_ERROR(CheckOutput());
    }
    // What is far behind when nothing is in the caches does not catch up.
    if (seconds.size() >= kMinRuns &&
        *std::min_element(seconds.begin(), seconds.end()) > far_behind) {
      break;
    }
  }
  RETURN_IF_ERROR(CheckOutput());
  return seconds;
}

absl::StatusOr<std::vector<std::vector<double>>> KernelRace::Interleaved(
    absl::Span<const Kernel* const> kernels, int rounds) {
  std::vector<std::vector<double>> seconds(kernels.size());
  for (int round = 0; round < rounds; ++round) {
    for (size_t i = 0; i < kernels.size(); ++i) {
      // The first run finds the caches as the kernel before left them.
      RETURN_IF_ERROR(Run(*kernels[i]).status());
      ASSIGN_OR_RETURN(seconds[i].emplace_back(), Run(*kernels[i]));
    }
  }
  return seconds;
}

}  // namespace pruner
