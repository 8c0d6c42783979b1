// Why a point of a workload's space cannot run on the accelerator.
#ifndef PRUNER_VTA_VALIDITY_H_
#define PRUNER_VTA_VALIDITY_H_

#include <array>
#include <cstdint>
#include <optional>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "pruner/vta/knobs.h"
#include "pruner/vta/vta_spec.h"
#include "pruner/vta/workloads.h"

namespace pruner {

// In the order in which they are looked for.
enum class VtaInvalid {
  kBothThreaded,         // rows and channels have virtual threads
  kUndividedRows,        // the tiles of rows are not the same for each thread
  kUndividedChannels,    // nor those of output channels
  kInputCapacity,        // a tile's inputs, of all threads, exceed theirs
  kWeightCapacity,       // ... its weights
  kAccumulatorCapacity,  // ... its accumulators
  kInputTransfer,        // a tile's inputs are no transfer of two dimensions
  kOutputTransfer,       // nor are its outputs
  kAccumulatorDistance,  // an accumulator is written again too soon
};

absl::string_view VtaInvalidName(VtaInvalid reason);

// The values of a point of VtaKnobs. Tiles of channels in blocks of the GEMM
// core, the others in elements of the output.
struct VtaTiling {
  int64_t h_threads = 1;
  int64_t oc_threads = 1;
  int64_t loop_order = 1;
  int64_t b = 1;
  int64_t h = 1;
  int64_t w = 1;
  int64_t ci = 1;
  int64_t co = 1;
};
// The space must be one of VtaKnobs, and the point in it (checked).
VtaTiling VtaTilingAt(const KnobSpace& space, absl::Span<const int> point);

// A box of a dense tensor that is loaded or stored at once: extents of both,
// innermost first.
struct VtaBox {
  std::array<int64_t, 4> box;
  std::array<int64_t, 4> tensor;

  int64_t Elements() const { return box[0] * box[1] * box[2] * box[3]; }
};
// A tile's inputs for tile_ci blocks of the reduction, with the padding that
// they may have, and its outputs: columns, rows, blocks of channels, images.
VtaBox InputBoxOf(const VtaWorkload& workload, const VtaSpec& spec,
                  const VtaTiling& tiling);
VtaBox OutputBoxOf(const VtaWorkload& workload, const VtaSpec& spec,
                   const VtaTiling& tiling);

// How many dimensions a transfer of a box out of a dense tensor has, innermost
// first: a run of neighbours, and a stride for each extent that does not go on
// where the one within it ends. At least one.
int TransferDimensions(absl::Span<const int64_t> box,
                       absl::Span<const int64_t> tensor);

// In the GEMM core's loops over a tile, the steps from one write of an
// accumulator to the next; the loops' order is (outermost first, images before
// all others but in 1)
//   1: reduction, rows, columns, channels      3: rows, columns, reduction,
//   2: rows, reduction, columns, channels         channels
//                                              4: rows, columns, channels,
//                                                 reduction
// Infinite (the largest int64_t) if each is written once.
int64_t AccumulatorDistance(const VtaWorkload& workload,
                            const VtaTiling& tiling);

// What one step of the reduction over tile_ci keeps in the scratchpads, for all
// virtual threads.
struct VtaNeeds {
  int64_t input_vectors = 0;
  int64_t weight_blocks = 0;
  int64_t accumulator_vectors = 0;
};
VtaNeeds NeedsOf(const VtaWorkload& workload, const VtaSpec& spec,
                 const VtaTiling& tiling);

// The first rule that the tiling breaks; nothing if none is.
std::optional<VtaInvalid> WhyInvalid(const VtaWorkload& workload,
                                     const VtaSpec& spec,
                                     const VtaTiling& tiling);

}  // namespace pruner

#endif  // PRUNER_VTA_VALIDITY_H_
