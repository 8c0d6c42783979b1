// Why a point of a workload's space cannot run on the accelerator. So far the
// rules of virtual threads and of capacity.
#ifndef PRUNER_VTA_VALIDITY_H_
#define PRUNER_VTA_VALIDITY_H_

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

// What one step of the reduction over tile_ci keeps in the scratchpads, for all
// virtual threads.
struct VtaNeeds {
  int64_t input_vectors = 0;
  int64_t weight_blocks = 0;
  int64_t accumulator_vectors = 0;
};
VtaNeeds NeedsOf(const VtaWorkload& workload, const VtaTiling& tiling);

// The first rule that the tiling breaks; nothing if none is.
std::optional<VtaInvalid> WhyInvalid(const VtaWorkload& workload,
                                     const VtaSpec& spec,
                                     const VtaTiling& tiling);

}  // namespace pruner

#endif  // PRUNER_VTA_VALIDITY_H_
