#include "pruner/vta/knobs.h"

#include <cstddef>
#include <cstdlib>
#include <utility>

#include "absl/log/check.h"
#include "pruner/base/factors.h"

namespace pruner {

KnobSpace::KnobSpace(std::vector<Knob> knobs) : knobs_(std::move(knobs)) {
  for (const Knob& knob : knobs_) {
    CHECK(!knob.values.empty()) << knob.name << " has no values";
    size_ *= static_cast<int64_t>(knob.values.size());
  }
}

KnobPoint KnobSpace::PointAt(int64_t index) const {
  CHECK(index >= 0 && index < size_) << index << " of " << size_;
  KnobPoint point(knobs_.size());
  for (size_t k = knobs_.size(); k-- > 0;) {
    const auto count = static_cast<int64_t>(knobs_[k].values.size());
    point[k] = static_cast<int>(index % count);
    index /= count;
  }
  return point;
}

int64_t KnobSpace::IndexOf(absl::Span<const int> point) const {
  CHECK_EQ(point.size(), knobs_.size());
  int64_t index = 0;
  for (size_t k = 0; k < knobs_.size(); ++k) {
    const auto count = static_cast<int64_t>(knobs_[k].values.size());
    CHECK(point[k] >= 0 && point[k] < count) << knobs_[k].name;
    index = index * count + point[k];
  }
  return index;
}

std::vector<KnobPoint> KnobSpace::Neighbours(
    absl::Span<const int> point) const {
  CHECK_EQ(point.size(), knobs_.size());
  std::vector<KnobPoint> neighbours;
  for (size_t k = 0; k < knobs_.size(); ++k) {
    for (const int step : {-1, 1}) {
      const int value = point[k] + step;
      if (value < 0 || value >= static_cast<int>(knobs_[k].values.size()))
        continue;
      KnobPoint& neighbour =
          neighbours.emplace_back(point.begin(), point.end());
      neighbour[k] = value;
    }
  }
  return neighbours;
}

int64_t ManhattanDistance(absl::Span<const int> a, absl::Span<const int> b) {
  CHECK_EQ(a.size(), b.size());
  int64_t distance = 0;
  for (size_t k = 0; k < a.size(); ++k) distance += std::abs(a[k] - b[k]);
  return distance;
}

KnobSpace VtaKnobs(const VtaWorkload& workload, const VtaSpec& spec) {
  CHECK_EQ(workload.in_channels % spec.block_in, 0);
  CHECK_EQ(workload.out_channels % spec.block_out, 0);
  return KnobSpace({
      {"h_threading", {1, 2}},
      {"oc_threading", {1, 2}},
      {"loop_order", {1, 2, 3, 4}},
      {"tile_b", Divisors(workload.batch)},
      {"tile_h", Divisors(workload.OutHeight())},
      {"tile_w", Divisors(workload.OutWidth())},
      {"tile_ci", Divisors(workload.in_channels / spec.block_in)},
      {"tile_co", Divisors(workload.out_channels / spec.block_out)},
  });
}

}  // namespace pruner
