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

// All of a loop that is no longer than a vector. Else the widest power of two
// that divides it, or, where computing an element twice is allowed
// (`may_overlap`) and that would be narrow, whole vectors of which the last
// overlaps another. Where a guard masks lanes (`is_masked`), an even number of
// lanes: Halide joins stores of neighbouring elements, a vector each, into a
// single one, cuts that into the machine's vectors, and cannot store the single
// lane that is left over of an odd number if it is masked.
VectorCut CutIntoVectors(int64_t extent, int64_t lanes, bool may_overlap,
                         bool is_masked);

// Of what a thread loads or stores: whole vectors of the widest power of two
// that divides the loop, as machines have instructions for these only.
VectorCut CutIntoThreadVectors(int64_t extent, int64_t lanes, bool is_masked);

}  // namespace pruner

#endif  // PRUNER_PROGRAM_VECTOR_LENGTH_H_
