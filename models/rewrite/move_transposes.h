// Layouts: transposes move towards the outputs until they cancel.
#ifndef MODELS_REWRITE_MOVE_TRANSPOSES_H_
#define MODELS_REWRITE_MOVE_TRANSPOSES_H_

#include "absl/status/statusor.h"
#include "models/graph/operator_graph.h"

namespace pruner {

// An operator that does not care in which order its dimensions are (elementwise
// ones, concatenations, pads, slices, reductions, softmaxes) and reads a
// transposed tensor reads what was transposed, and its result is transposed
// instead. Transposes behind one another become one, and none where they
// cancel; those that only move extents of 1 become reshapes, those of the last
// two dimensions of a matrix product's operands its attributes, and those of
// images of a few colours an attribute of the convolution that reads them.
// Networks whose images are {N, C, H, W} are so computed in {N, H, W, C} from
// their first convolution on.
absl::StatusOr<OperatorGraph> MoveTransposes(const OperatorGraph& graph);

}  // namespace pruner

#endif  // MODELS_REWRITE_MOVE_TRANSPOSES_H_
