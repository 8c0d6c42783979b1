#include "pruner/cost/random_cost_model.h"

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/base/hash.h"
#include "pruner/base/rng.h"
#include "pruner/cost/cost_model.h"
#include "pruner/schedule/loop_state.h"

namespace pruner {

absl::StatusOr<std::vector<double>> RandomCostModel::Predict(
    absl::Span<const LoopState> states) {
  std::vector<double> scores;
  for (const LoopState& state : states) {
    scores.push_back(Rng(seed_).Fork(Fingerprint(state.ToString())).Real());
  }
  return scores;
}

absl::Status RandomCostModel::Update(
    absl::Span<const MeasuredCandidate> /*measured*/) {
  return absl::OkStatus();
}

}  // namespace pruner
