// The interface by which candidates are timed. Implementations: FakeMeasurer,
// for tests and for studies of search policies; halide_ext/runner, which
// compiles and runs. All pass the conformance suite of measurer_conformance.h.
#ifndef PRUNER_MEASURE_MEASURER_H_
#define PRUNER_MEASURE_MEASURER_H_

#include <cstddef>
#include <functional>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "pruner/measure/measure_policy.h"
#include "pruner/measure/measure_result.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/workload/workload.h"

namespace pruner {

class Measurer {
 public:
  // Called with the index of an input and its result as soon as it is known, in
  // the order of the inputs. Returning false ends the batch: what has not been
  // reported is not measured.
  using OnResult = std::function<bool(size_t, const MeasureResult&)>;
  // Whether what is being done is wanted no more. Asked several times a second,
  // by other threads as well; empty: it always is.
  using IsUnwanted = std::function<bool()>;

  virtual ~Measurer() = default;

  // Measures every schedule on the workload. Failures of a candidate are
  // results; an error means that the measurer itself cannot go on, or, if it is
  // Cancelled, that it is not wanted to: it then waits for nobody.
  virtual absl::Status Measure(const Workload& workload, MeasurePolicy policy,
                               absl::Span<const Schedule> schedules,
                               const OnResult& on_result,
                               const IsUnwanted& is_unwanted) = 0;
};

}  // namespace pruner

#endif  // PRUNER_MEASURE_MEASURER_H_
