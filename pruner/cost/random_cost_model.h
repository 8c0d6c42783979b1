// Scores that know and learn nothing: what other cost models must beat.
#ifndef PRUNER_COST_RANDOM_COST_MODEL_H_
#define PRUNER_COST_RANDOM_COST_MODEL_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/cost/cost_model.h"
#include "pruner/schedule/loop_state.h"

namespace pruner {

// Uniform in [0, 1), by the seed and the candidate's loops.
class RandomCostModel : public CostModel {
 public:
  explicit RandomCostModel(uint64_t seed) : seed_(seed) {}

  absl::StatusOr<std::vector<double>> Predict(
      absl::Span<const LoopState> states) override;
  absl::Status Update(absl::Span<const MeasuredCandidate> measured) override;

 private:
  uint64_t seed_;
};

}  // namespace pruner

#endif  // PRUNER_COST_RANDOM_COST_MODEL_H_
