// The interface of cost models: learned scores that rank the candidates to be
// measured (docs/algorithms.md A8, B4). All implementations pass
// cost_model_conformance.h.
#ifndef PRUNER_COST_COST_MODEL_H_
#define PRUNER_COST_COST_MODEL_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/measure/measure_result.h"
#include "pruner/schedule/loop_state.h"
#include "pruner/workload/workload_key.h"

namespace pruner {

// A candidate with its result, as a cost model learns from it.
struct MeasuredCandidate {
  WorkloadKey workload = {};  // costs compare within one
  const LoopState* state = nullptr;
  const MeasureResult* result = nullptr;
};

// A model belongs to one target. Not thread-safe.
class CostModel {
 public:
  virtual ~CostModel() = default;

  // A score per state, in order. Higher is faster; finite. Scores compare
  // candidates of one workload. They change by Update only, and do not depend
  // on the other states of the call. Requires inferred bounds.
  virtual absl::StatusOr<std::vector<double>> Predict(
      absl::Span<const LoopState> states) = 0;

  // Learns from candidates that were not part of an earlier call, failed ones
  // among them. Keeps none of the pointers.
  virtual absl::Status Update(absl::Span<const MeasuredCandidate> measured) = 0;
};

}  // namespace pruner

#endif  // PRUNER_COST_COST_MODEL_H_
