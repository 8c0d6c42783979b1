// Scores that know and learn nothing: what other cost models must beat.
#ifndef PRUNER_COST_RANDOM_COST_MODEL_H_
#define PRUNER_COST_RANDOM_COST_MODEL_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/cost/cost_model.h"
#include "pruner/features/feature_rows.h"

namespace pruner {

// Uniform in [0, 1), by the seed and the program's features.
class RandomCostModel : public CostModel {
 public:
  explicit RandomCostModel(uint64_t seed) : seed_(seed) {}

  bool is_trained() const override { return false; }
  absl::StatusOr<std::vector<double>> Predict(
      const FeatureRows& programs) override;

 private:
  absl::Status Learn(const FeatureRows& programs,
                     absl::Span<const ProgramLabel> labels,
                     const IsUnwanted& is_unwanted) override;

  uint64_t seed_;
};

}  // namespace pruner

#endif  // PRUNER_COST_RANDOM_COST_MODEL_H_
