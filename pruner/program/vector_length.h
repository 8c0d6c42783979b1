// How a vectorized loop is cut into vectors: the one formula.
#ifndef PRUNER_PROGRAM_VECTOR_LENGTH_H_
#define PRUNER_PROGRAM_VECTOR_LENGTH_H_

#include <cstdint>

#include "pruner/dag/compute_dag.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// Elements of a vector of the target that holds values of the stage; where it
// is a tuple, of the widest.
int64_t VectorLanes(const Stage& stage, const TargetSpec& target);

// The widest power of two, at most the target's lanes of floats, that divides
// the extent.
int64_t VectorWidth(int64_t extent, const TargetSpec& target);

struct VectorCut {
  int64_t length = 1;  // elements of a vector; 1: it is no vector loop
  int64_t vectors = 1;
  // The last vector is moved back until it is whole.
  bool overlaps = false;
  // The last vector is longer than what is left: a guard masks it.
  bool overruns = false;
};

// What may be done with a last vector that is not whole.
enum class LastVector : uint8_t {
  kNone,      // there is none: vectors divide the loop
  kOverlaps,  // it computes elements of the one before again
  kIsMasked,  // lanes are masked
};

// All of a loop that is no longer than a vector. Else the widest power of two
// that divides it, or, where that would be narrow and the last vector need not
// be whole, as many whole ones as cover it. Where a guard masks lanes
// (`is_masked`), an even number of lanes: Halide joins stores of neighbouring
// elements, a vector each, into a single one, cuts that into the machine's
// vectors, and cannot store the single lane that is left over of an odd number
// if it is masked.
VectorCut CutIntoVectors(int64_t extent, int64_t lanes, LastVector last,
                         bool is_masked);

// Of what a thread loads or stores: whole vectors of the widest power of two
// that divides the loop, as machines have instructions for these only.
VectorCut CutIntoThreadVectors(int64_t extent, int64_t lanes, bool is_masked);

}  // namespace pruner

#endif  // PRUNER_PROGRAM_VECTOR_LENGTH_H_
