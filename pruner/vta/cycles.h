// How long a point would take: a model of the accelerator's queues, and no
// measurement of it.
#ifndef PRUNER_VTA_CYCLES_H_
#define PRUNER_VTA_CYCLES_H_

#include <cstdint>

#include "absl/types/span.h"
#include "pruner/vta/validity.h"
#include "pruner/vta/vta_spec.h"
#include "pruner/vta/workloads.h"

namespace pruner {

// The work of one tile of the output, in cycles of the queue that does it.
// For each block of the reduction, tile_ci of them at a time, its inputs and
// weights are loaded, which takes the bus, and multiplied, a block of weights
// with a vector of inputs in each cycle; nothing that was loaded for one tile
// is kept for the next. Before, the tile's accumulators are cleared; after it
// the vector unit brings them into range, and they are stored.
struct VtaTileCycles {
  int64_t load = 0;     // of the whole reduction
  int64_t compute = 0;  // GEMM core and vector unit, which are one queue
  int64_t store = 0;
};
VtaTileCycles TileCyclesOf(const VtaWorkload& workload, const VtaSpec& spec,
                           const VtaTiling& tiling);

// Of the whole workload; the tiling is valid. With one context the queues wait
// for each other: a tile is loaded, computed and stored. With two virtual
// threads one of them loads and stores while the other computes, so that the
// slower of bus and core decides, but for the first and last tile.
int64_t CyclesOf(const VtaWorkload& workload, const VtaSpec& spec,
                 const VtaTiling& tiling);

// Operations per second, two for each product of the convolution.
double ThroughputOf(const VtaWorkload& workload, const VtaSpec& spec,
                    const VtaTiling& tiling);

// Runs of neighbours in a box of a dense tensor, innermost extents first.
int64_t RunsOf(absl::Span<const int64_t> box, absl::Span<const int64_t> tensor);

}  // namespace pruner

#endif  // PRUNER_VTA_CYCLES_H_
