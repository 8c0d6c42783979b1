// The DAGs that a schedule makes of a task's by inserting stages
// (docs/algorithms.md A1). Each is made once and kept by the DAG it comes from.
#ifndef PRUNER_DAG_DERIVED_DAG_H_
#define PRUNER_DAG_DERIVED_DAG_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "pruner/dag/compute_dag.h"

namespace pruner {

// Whether WithCacheWrite can compute the stage apart from its storage.
bool CanBeCached(const Stage& stage);

// Inserts "<name>.local" at `stage`, which does what `stage` did; `stage`, now
// one behind it, copies it. An output that is a reduction is initialized and
// then adds the copy's source once, whose own initialization is the neutral
// element: its storage is not ours, and cannot be a plain copy's. Error: not a
// compute stage, opaque, or an output that is no reduction or an ordered one
// (see CanBeCached).
absl::StatusOr<const ComputeDag*> WithCacheWrite(const ComputeDag& dag,
                                                 int stage);

// Inserts "<name>.shared" behind `stage`, a copy of it that `readers` read.
// Error: no readers, or ones that do not read `stage`; an opaque input.
absl::StatusOr<const ComputeDag*> WithCacheRead(
    const ComputeDag& dag, int stage, const std::vector<int64_t>& readers);

// Which part of a split reduction axis partial results are kept for. Numbers
// are written into record logs: append, never change.
enum class RfactorPart {
  kOuter = 0,  // the outer part, as the outermost axis of the partial results
  kInner = 1,  // the inner part, as their innermost axis
};

// Inserts "<name>.rf" at `stage`: the reduction over `axis`, cut into parts of
// `factor`, but for one result in each iteration of the outer or inner loop.
// `stage`, now one behind it, reduces these. What its initialization read it
// still reads. Error: not a reduction that may be taken apart, `axis` is none
// of its reduction axes, or `factor` does not divide its extent.
absl::StatusOr<const ComputeDag*> WithRfactor(const ComputeDag& dag, int stage,
                                              int axis, int64_t factor,
                                              RfactorPart part);

}  // namespace pruner

#endif  // PRUNER_DAG_DERIVED_DAG_H_
