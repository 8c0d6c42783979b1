// The interface by which candidates are timed. Implementations: FakeMeasurer,
// for tests and for studies of search policies; halide_ext/runner, which
// compiles and runs. All pass the conformance suite of measurer_conformance.h.
#ifndef PRUNER_MEASURE_MEASURER_H_
#define PRUNER_MEASURE_MEASURER_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "pruner/dag/compute_dag.h"
#include "pruner/measure/measure_result.h"
#include "pruner/schedule/transform_step.h"

namespace pruner {

// What is measured: a computation, as a serialized Halide pipeline with all
// sizes set, and its analysis.
struct Workload {
  std::string name;      // for messages
  std::string pipeline;  // as halide_ext/build serializes it
  ComputeDag dag;
  // For the user: a sentence about each part that is not tuned.
  std::vector<std::string> notes = {};
};

class Measurer {
 public:
  // Called with the index of an input and its result as soon as it is known, in
  // the order of the inputs. Returning false ends the batch: what has not been
  // reported is not measured.
  using OnResult = std::function<bool(size_t, const MeasureResult&)>;

  virtual ~Measurer() = default;

  // Measures every schedule on the workload. Failures of a candidate are
  // results; an error means that the measurer itself cannot go on.
  virtual absl::Status Measure(const Workload& workload,
                               absl::Span<const Schedule> schedules,
                               const OnResult& on_result) = 0;
};

}  // namespace pruner

#endif  // PRUNER_MEASURE_MEASURER_H_
