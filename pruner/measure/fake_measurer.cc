#include "pruner/measure/fake_measurer.h"

#include <cmath>
#include <cstdint>
#include <string>

#include "pruner/base/hash.h"
#include "pruner/schedule/replay.h"
#include "pruner/schedule/schedule_text.h"

namespace pruner {
namespace {

constexpr double kSecondsPerIteration = 1e-9;

// Iterations of loops that are neither vectorized nor unrolled.
double Iterations(const LoopState& state) {
  double total = 0;
  for (const StageState& stage : state.stages) {
    double iterations = 1;
    for (const Iterator& iterator : stage.iterators) {
      const bool free = iterator.annotation == Annotation::kVectorize ||
                        iterator.annotation == Annotation::kUnroll;
      if (!free) iterations *= static_cast<double>(iterator.extent);
    }
    total += iterations;
  }
  return total;
}

MeasureResult MeasureOne(const Workload& workload, const Schedule& schedule,
                         double failure_rate) {
  const uint64_t hash = Fingerprint(PrintSchedule(schedule));
  const double unit = static_cast<double>(hash >> 11) * 0x1p-53;  // in [0, 1)
  const absl::StatusOr<LoopState> state = Replay(workload.dag, schedule);
  if (!state.ok()) {
    return FailedResult(FailureKind::kLowering,
                        std::string(state.status().message()));
  }
  if (unit < failure_rate)
    return FailedResult(FailureKind::kCrash, "chosen to fail");
  MeasureResult result;
  const double seconds = Iterations(*state) * kSecondsPerIteration * (1 + unit);
  for (double noise : {1.02, 1.0, 1.01})
    result.seconds.push_back(seconds * noise);
  result.compile_seconds = 0.1;
  return result;
}

}  // namespace

absl::Status FakeMeasurer::Measure(const Workload& workload,
                                   MeasurePolicy /*policy*/,
                                   absl::Span<const Schedule> schedules,
                                   const OnResult& on_result,
                                   const IsUnwanted& is_unwanted) {
  for (size_t i = 0; i < schedules.size(); ++i) {
    if (is_unwanted && is_unwanted()) return absl::CancelledError("unwanted");
    if (!on_result(i,
                   MeasureOne(workload, schedules[i], options_.failure_rate)))
      break;
  }
  return absl::OkStatus();
}

}  // namespace pruner
