// How features are scaled before a network reads them.
#ifndef PRUNER_PACM_NORMALISER_H_
#define PRUNER_PACM_NORMALISER_H_

#include <vector>

#include "absl/status/status.h"
#include "pruner/features/feature_rows.h"
#include "pruner/pacm/network_shape.h"

namespace pruner {

enum class Normalisation {
  // Each column by its largest value, or by 1 if that is not positive; the same
  // column of all blocks is one
  // (docs/algorithms.md B4).
  kLargest,
  // Each column of rows, and each of each block, to a mean of 0 and a variance
  // of 1, then cut off at 5 on either side. Of a column that does not vary
  // nothing is left, whatever it is elsewhere: nothing was learned of it.
  kStandard,
};

// A feature x becomes (x - shift) / divisor. One of each for every column.
struct ColumnScales {
  std::vector<float> shifts = {};
  std::vector<float> divisors = {};

  bool operator==(const ColumnScales&) const = default;
};

// A part of the model: weights mean nothing with other scales. Empty for what
// the network does not read.
struct Normaliser {
  ColumnScales rows = {};
  ColumnScales blocks = {};  // block by block
  // Beyond which values are cut off, on either side; 0: they are not.
  float limit = 0;

  bool operator==(const Normaliser&) const = default;
};

// Of all rows and all blocks of the programs. CheckColumns holds.
Normaliser FitNormaliser(Normalisation normalisation, const NetworkShape& shape,
                         const FeatureRows& programs);

// As `kept`, but columns of which it leaves nothing are scaled as `fitted`, of
// the same shape, scales them: what did not vary where a network learned may
// where it goes on to learn.
Normaliser ScaleIgnored(const Normaliser& kept, const Normaliser& fitted);

// Errors: not one finite shift and one positive, finite divisor for each
// column; a limit that is none.
absl::Status CheckNormaliser(const NetworkShape& shape,
                             const Normaliser& normaliser);

}  // namespace pruner

#endif  // PRUNER_PACM_NORMALISER_H_
