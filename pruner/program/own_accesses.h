// What a stage that is computed as written stores and reads of itself.
#ifndef PRUNER_PROGRAM_OWN_ACCESSES_H_
#define PRUNER_PROGRAM_OWN_ACCESSES_H_

#include <cstdint>
#include <vector>

#include "pruner/dag/body.h"
#include "pruner/dag/compute_dag.h"

namespace pruner {

// Of an element per iteration, by an index for each dimension of the stage.
// Axes behind the spatial ones are those of the definition's reduction.
struct OwnAccess {
  std::vector<IndexExpr> indices = {};
  int64_t count = 1;  // such reads, whose indices move alike

  bool operator==(const OwnAccess&) const = default;
};

struct OwnAccesses {
  OwnAccess written;
  std::vector<OwnAccess> read;  // but for the element that is written
};

// How the indices move: what is added to them is left out, and so are indices
// that depend in other ways on axes than by sums; such a dimension has no
// terms. Those that depend on data are opaque.
OwnAccesses OwnAccessesOf(const Definition& definition, int spatial_rank);

}  // namespace pruner

#endif  // PRUNER_PROGRAM_OWN_ACCESSES_H_
