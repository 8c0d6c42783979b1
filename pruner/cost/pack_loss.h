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

struct PackLossShape {
  // A program counts as y, its label, but not as less than this. At 0 those
  // that failed teach nothing.
  double min_weight = 0;
  // A tree moves all rows of a program at once, each as far as would do if the
  // others stayed: n rows move their sum n times as far, and beyond 2 /
  // learning rate of them it runs away. So second derivatives are multiplied by
  // n to this power. 0: Ansor's; 1: the sum moves as far as that of one row.
  double row_damping = 0;
};

// By row, the derivatives of half the loss by the row's score, its program's
// other rows staying as they are: (sum - y) * y and y, but for `shape`. Rounded
// to multiples of 2^-20, so that sums of up to 2^20 of them are exact in double
// precision, in whatever order threads add them up.
struct RowDerivatives {
  std::vector<float> gradients = {};
  std::vector<float> hessians = {};
};
void PackDerivatives(const FeatureRows& programs,
                     absl::Span<const double> scores,
                     absl::Span<const float> labels, const PackLossShape& shape,
                     RowDerivatives& result);

}  // namespace pruner

#endif  // PRUNER_COST_PACK_LOSS_H_
