// The space of a workload: knobs, their values, and points on the grid that
// they span (docs/algorithms.md C1).
#ifndef PRUNER_VTA_KNOBS_H_
#define PRUNER_VTA_KNOBS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "pruner/vta/vta_spec.h"
#include "pruner/vta/workloads.h"

namespace pruner {

// A choice among values, which ascend.
struct Knob {
  std::string name;
  std::vector<int64_t> values;
};

// For each knob the position of its value.
using KnobPoint = std::vector<int>;

// The Cartesian product of knobs. Values do not change once it is made.
class KnobSpace {
 public:
  // No knob may be without values (checked).
  explicit KnobSpace(std::vector<Knob> knobs);

  absl::Span<const Knob> knobs() const { return knobs_; }
  // How many points there are.
  int64_t size() const { return size_; }

  // Numbers the points from 0 to size() - 1; the last knob changes fastest.
  // Arguments outside of the space are errors of the caller (checked).
  KnobPoint PointAt(int64_t index) const;
  int64_t IndexOf(absl::Span<const int> point) const;

  // Those at a Manhattan distance of 1, knob by knob, the smaller value first.
  std::vector<KnobPoint> Neighbours(absl::Span<const int> point) const;

 private:
  std::vector<Knob> knobs_;
  int64_t size_ = 1;
};

// By how many positions two points of one space differ, over all knobs.
int64_t ManhattanDistance(absl::Span<const int> a, absl::Span<const int> b);

// h_threading and oc_threading, loop_order, tile_b, tile_h, tile_w, tile_ci and
// tile_co (Table I of the paper), in this order. A tile divides its extent, and
// all that do are values; tiles of channels count blocks of the GEMM core.
// Channels must be whole blocks (checked).
KnobSpace VtaKnobs(const VtaWorkload& workload, const VtaSpec& spec);

}  // namespace pruner

#endif  // PRUNER_VTA_KNOBS_H_
