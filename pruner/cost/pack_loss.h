// Ansor's loss of a model that scores a program by the sum of its rows' scores
// (docs/algorithms.md A8): y * (sum - y)^2 for a program with label y.
#ifndef PRUNER_COST_PACK_LOSS_H_
#define PRUNER_COST_PACK_LOSS_H_

#include <vector>

#include "absl/types/span.h"
#include "pruner/features/feature_rows.h"

namespace pruner {

// The score of each program: the sum of its rows' scores.
std::vector<double> SumByProgram(const FeatureRows& programs,
                                 absl::Span<const float> row_scores);

// The root of the mean of (score - label)^2, each program counting the same.
double PackRmse(absl::Span<const double> scores,
                absl::Span<const float> labels);

// By row, the derivatives of half the loss by the row's score, its program's
// other rows staying as they are: (sum - y) * y and y. Rounded to multiples of
// 2^-20, so that sums of up to 2^20 of them are exact in double precision, in
// whatever order threads add them up.
struct RowDerivatives {
  std::vector<float> gradients = {};
  std::vector<float> hessians = {};
};
void PackDerivatives(const FeatureRows& programs,
                     absl::Span<const double> scores,
                     absl::Span<const float> labels, RowDerivatives& result);

}  // namespace pruner

#endif  // PRUNER_COST_PACK_LOSS_H_
