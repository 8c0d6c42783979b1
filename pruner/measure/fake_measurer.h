// A measurer without a device: costs follow from the schedule alone, so that
// runs are reproducible byte by byte.
#ifndef PRUNER_MEASURE_FAKE_MEASURER_H_
#define PRUNER_MEASURE_FAKE_MEASURER_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "pruner/measure/measurer.h"

namespace pruner {

class FakeMeasurer : public Measurer {
 public:
  struct Options {
    // Share of the candidates that fail, chosen by their hash.
    double failure_rate = 0;
  };

  FakeMeasurer() = default;
  explicit FakeMeasurer(Options options) : options_(options) {}

  // The cost grows with the number of loop iterations outside the innermost
  // tile, plus a part that looks random but depends on the schedule only. Three
  // samples each.
  absl::Status Measure(const Workload& workload, MeasurePolicy policy,
                       absl::Span<const Schedule> schedules,
                       const OnResult& on_result,
                       const IsUnwanted& is_unwanted) override;

 private:
  Options options_;
};

}  // namespace pruner

#endif  // PRUNER_MEASURE_FAKE_MEASURER_H_
