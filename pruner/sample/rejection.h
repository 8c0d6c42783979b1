// Why a random draw is not a candidate. Normal, counted, never an error.
#ifndef PRUNER_SAMPLE_REJECTION_H_
#define PRUNER_SAMPLE_REJECTION_H_

#include "absl/strings/string_view.h"

namespace pruner {

enum class Rejection {
  kTileSize,        // no tile sizes fit the stage under the limits
  kRegisters,       // the innermost tile needs more registers than there are
  kUnrolled,        // too many statements after unrolling
  kNestedParallel,  // a parallel loop inside another
  kImbalance,       // the parallel loop leaves cores idle
  kUnchanged,       // a mutation that changes nothing
  kParents,         // two candidates of different sketches cannot be crossed
  kThreads,         // too many threads in a block, or less than a warp
  kVThreads,        // too many virtual threads in a thread
  kSharedMemory,    // more memory shared by a block than there is
  kRecomputation,   // a stencil or reduction is computed over and over
  kVectorLength,    // rows that are copied are not made of whole vectors
  kUnfit,           // values that do not fit each other, and are not drawn anew
};

absl::string_view RejectionName(Rejection rejection);

}  // namespace pruner

#endif  // PRUNER_SAMPLE_REJECTION_H_
