// Columns that tell programs apart. Of the columns of pruner/features many are
// the same for all programs of a run: those of GPUs on a CPU, of buffers that
// no statement has.
#ifndef PRUNER_COST_VARYING_COLUMNS_H_
#define PRUNER_COST_VARYING_COLUMNS_H_

#include <vector>

#include "absl/types/span.h"
#include "pruner/features/feature_rows.h"

namespace pruner {

// Those in which rows differ, ascending.
std::vector<int> VaryingColumns(const FeatureRows& programs);

// The programs with these columns alone.
FeatureRows PickColumns(const FeatureRows& programs,
                        absl::Span<const int> columns);

}  // namespace pruner

#endif  // PRUNER_COST_VARYING_COLUMNS_H_
