// File: rejection.h
//
// Why a random draw is not a candidate. Normal, counted, never an error.
#ifndef PRUNER_SAMPLE_REJECTION_H_
#define PRUNER_SAMPLE_REJECTION_H_

#include "absl/strings/string_view.h"

namespace pruner {

enum class Rejection {
  kTileSize,        // no tile sizes fit the stage under the limits
  kRegisters,       // the innermost tile needs more registers than there are
  kUnrolled,        // too many statements after unrolling
  kVectorLength,    // a vectorized loop is longer than the target allows
  kNestedParallel,  // a parallel loop inside another
  kImbalance,       // the parallel loop leaves cores idle
  kLocation,        // a stage computed where its readers cannot see it
  kUnchanged,       // a mutation that changes nothing
};
inline constexpr int kNumRejections = 8;

absl::string_view RejectionName(Rejection rejection);

}  // namespace pruner

#endif  // PRUNER_SAMPLE_REJECTION_H_
