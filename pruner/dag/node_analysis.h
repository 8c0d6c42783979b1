// The predicates on a DAG's stages that decide which derivation rules apply
// (docs/algorithms.md A2).
#ifndef PRUNER_DAG_NODE_ANALYSIS_H_
#define PRUNER_DAG_NODE_ANALYSIS_H_

#include <optional>
#include <vector>

#include "absl/functional/function_ref.h"
#include "pruner/dag/compute_dag.h"

namespace pruner {

// The axis that `index` equals up to a constant, if there is one.
std::optional<int> ShiftedAxis(const IndexExpr& index);

// How an access' indices relate to the reader's spatial axes.
struct SimpleAccess {
  bool axis_missing = false;  // some spatial axis is in no index (a broadcast)
  bool axis_duplicated = false;  // some axis is in two indices (a diagonal)
  bool same_order = true;  // axes appear in the reader's order (no transpose)
};

// Every non-constant index is a spatial axis up to a constant; nullopt
// otherwise.
std::optional<SimpleAccess> AnalyzeSimpleAccess(const Stage& reader,
                                                const Access& access);

// Inlining it costs its readers nothing that matters: simple reads in order,
// neither selects nor expensive calls in the body, no reduction.
bool IsStrictlyInlinable(const ComputeDag& dag, int stage);

// Some stage is read at several places. A chain of such stages, each computed
// inside the next, does its work over and over.
bool ReadsNeighbours(const Stage& stage);

// The stage evaluates exp, tanh, erf or the like, and something that reduces
// reads it, itself or through stages that are inlined: to inline it there would
// evaluate them anew for every summand, which may take a thousand times as long
// as all the rest.
bool IsDearInReduction(const ComputeDag& dag, int stage,
                       absl::FunctionRef<bool(int)> is_inlined);

// Nobody reads the stage but one reduction, and that each element about once:
// to compute it there computes hardly any of it twice, whatever it reads.
bool IsReducedOnce(const ComputeDag& dag, int stage);

// Multi-level tiling pays: elements that the stage reads are used again in
// other iterations (Ansor's HasDataReuse). Not so for an epilogue, although it
// may read several parameters per channel (an unfolded batch norm has four).
bool HasDataReuse(const ComputeDag& dag, int stage);

// The results of a reduction are too few to keep `cores` cores busy, and what
// is summed up for them is more (Ansor's NeedsRfactor).
bool HasMoreReductionParallelism(const ComputeDag& dag, int stage,
                                 int64_t cores);

// Neighbouring summands lie next to each other in memory and neighbouring
// results do not come from neighbouring elements: vectors can be loaded along
// the reduction only. Ansor has no such test, which it needs less where there
// are many cores.
bool ReducesContiguousElements(const ComputeDag& dag, int stage);

// A stage without a reduction that is the fusible consumer of one with data
// reuse: it follows that one's tiles and has none of its own.
bool IsEpilogue(const ComputeDag& dag, int stage);

// Short spatial axes, none of them the innermost, along which iterations read
// the same of something, as the channels of a pixel do that share its alpha:
// where loops over them are unrolled around vectors, that is loaded, and what
// is made of it computed, once for all. Also what is read through stages that
// nobody else reads, and that may be inlined.
std::vector<int> SharingAxes(const ComputeDag& dag, int stage);

// Spatial axes longer than 1, none of them the innermost, that are not
// SharingAxes. Where loops over them, such as those over the planes of an
// image, are outside of those of tiles, what is computed for a tile, or for all
// of a plane's, takes less memory than for all planes.
std::vector<int> SeparateAxes(const ComputeDag& dag, int stage);

// The unique consumer that can be computed tile by tile together with `stage`:
// it reads it element by element (Ansor's HasFusibleConsumer).
std::optional<int> FusibleConsumer(const ComputeDag& dag, int stage);

}  // namespace pruner

#endif  // PRUNER_DAG_NODE_ANALYSIS_H_
