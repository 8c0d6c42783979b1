#include "pruner/cost/random_cost_model.h"

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "pruner/base/hash.h"
#include "pruner/base/rng.h"
#include "pruner/cost/cost_model.h"
#include "pruner/features/feature_rows.h"

namespace pruner {

absl::StatusOr<std::vector<double>> RandomCostModel::Predict(
    const FeatureRows& programs) {
  std::vector<double> scores;
  for (int i = 0; i < programs.num_programs(); ++i) {
    const absl::Span<const float> rows = programs.rows(i);
    const absl::string_view bytes(reinterpret_cast<const char*>(rows.data()),
                                  rows.size() * sizeof(float));
    scores.push_back(Rng(seed_).Fork(Fingerprint(bytes)).Real());
  }
  return scores;
}

absl::Status RandomCostModel::Learn(const FeatureRows& /*programs*/,
                                    absl::Span<const ProgramLabel> /*labels*/,
                                    const IsUnwanted& /*is_unwanted*/) {
  return absl::OkStatus();
}

}  // namespace pruner
