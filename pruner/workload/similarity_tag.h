// Which computations are alike.
#ifndef PRUNER_WORKLOAD_SIMILARITY_TAG_H_
#define PRUNER_WORKLOAD_SIMILARITY_TAG_H_

#include <string>

#include "pruner/dag/compute_dag.h"

namespace pruner {

// Much coarser than a key: the kinds of the stages that have work of their own,
// with their ranks, and the magnitude of the work (the logarithm to the golden
// ratio, as Ansor's, docs/algorithms.md A10). Computations of the same tag can
// be expected to reach the same share of the peak; a task scheduler may tell
// from one how far another can still get. Such as "sum4x3+max4x2:41"; empty,
// and like nothing else, where there is no reduction.
std::string SimilarityTag(const ComputeDag& dag);

}  // namespace pruner

#endif  // PRUNER_WORKLOAD_SIMILARITY_TAG_H_
