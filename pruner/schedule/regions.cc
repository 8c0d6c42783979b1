#include "pruner/schedule/regions.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "pruner/schedule/read_range.h"

namespace pruner {
namespace {

constexpr int kAllLoops = std::numeric_limits<int>::max();

// The range of one dimension that is read. Tiles begin at multiples of all
// divisors, as far as anyone can tell who does not know how tails are computed
// (LoopValues does).
class DimensionRange {
 public:
  // `begins`: as many zeros as `covered` has axes.
  void Add(const IndexExpr& index, const std::vector<int64_t>& begins,
           const std::vector<int64_t>& covered) {
    is_whole_ |= index.opaque || (first_ != nullptr && !MovesAlike(index));
    if (first_ == nullptr) first_ = &index;
    range_.Add(index, index.constant, index.constant, begins.data(),
               covered.data(), /*alignment=*/0);
  }

  int64_t Extent(int64_t dimension) const {
    return is_whole_ ? dimension : range_.Extent(dimension);
  }

 private:
  bool MovesAlike(const IndexExpr& index) const {
    return index.terms == first_->terms && index.divisor == first_->divisor &&
           index.modulus == first_->modulus;
  }

  bool is_whole_ = false;
  const IndexExpr* first_ = nullptr;
  ReadRange range_;
};

// Adds what `reader` reads of `producer` while it covers `covered`.
void AddReads(const Stage& reader, int producer,
              const std::vector<int64_t>& covered,
              std::vector<DimensionRange>& ranges) {
  const std::vector<int64_t> begins(covered.size(), 0);
  for (const Access& access : reader.reads) {
    if (access.stage != producer) continue;
    for (size_t d = 0; d < ranges.size(); ++d)
      ranges[d].Add(access.indices[d], begins, covered);
  }
}

std::vector<int64_t> ExtentsOf(const std::vector<DimensionRange>& ranges,
                               const std::vector<int64_t>& shape) {
  std::vector<int64_t> extents;
  extents.reserve(ranges.size());
  for (size_t d = 0; d < ranges.size(); ++d)
    extents.push_back(ranges[d].Extent(shape[d]));
  return extents;
}

}  // namespace

Regions::Regions(const LoopState& state)
    : state_(state),
      around_readers_(state.stages.size()),
      next_(static_cast<int>(state.stages.size())) {}

int Regions::DepthOf(int stage) const {
  int depth = 0;
  for (; stage >= 0; stage = state_.stages[stage].at_stage) ++depth;
  return depth;
}

Regions::Nest Regions::AroundBoth(Nest a, Nest b) const {
  const auto go_out = [&](Nest& nest) {
    const StageState& stage = state_.stages[nest.stage];
    nest = {.stage = stage.at_stage, .loops = stage.at_iterator + 1};
  };
  int depth_a = DepthOf(a.stage), depth_b = DepthOf(b.stage);
  for (; depth_a > depth_b; --depth_a) go_out(a);
  for (; depth_b > depth_a; --depth_b) go_out(b);
  while (a.stage != b.stage) {
    go_out(a);
    go_out(b);
  }
  return {.stage = a.stage, .loops = std::min(a.loops, b.loops)};
}

const Regions::Nest& Regions::AroundReaders(int stage) {
  while (next_ > stage) {
    Nest& nest = around_readers_[--next_];
    bool is_first = true;
    for (const int reader : state_.dag->consumers(next_)) {
      Nest around = around_readers_[reader];
      if (state_.stages[reader].location != ComputeLocation::kInlined) {
        const bool is_before_loops =
            state_.dag->stage(reader).InitializationReads(next_);
        around = {.stage = reader, .loops = is_before_loops ? 0 : kAllLoops};
      }
      nest = is_first ? around : AroundBoth(nest, around);
      is_first = false;
    }
  }
  return around_readers_[stage];
}

bool Regions::ReadersAreInside(int producer, int at, int iterator) {
  Nest nest = AroundReaders(producer);
  // A stage is computed at a later one.
  while (nest.stage >= 0 && nest.stage < at) {
    const StageState& stage = state_.stages[nest.stage];
    nest = {.stage = stage.at_stage, .loops = stage.at_iterator + 1};
  }
  return nest.stage == at && nest.loops > iterator;
}

std::vector<int> Regions::Hosts(int producer) {
  std::vector<int> hosts;
  for (int host = AroundReaders(producer).stage; host >= 0;
       host = state_.stages[host].at_stage) {
    hosts.push_back(host);
  }
  std::reverse(hosts.begin(), hosts.end());
  return hosts;
}

const std::vector<int64_t>& Regions::Required(int producer, int at,
                                              int iterator) {
  const std::tuple key(producer, at, iterator);
  const auto known = found_.find(key);
  if (known != found_.end()) return known->second;
  return found_.emplace(key, Find(producer, at, iterator)).first->second;
}

std::vector<int64_t> Regions::Find(int producer, int at, int iterator) {
  if (producer == at) return CoveredInside(at, iterator);
  const Stage& stage = state_.dag->stage(producer);
  std::vector<DimensionRange> ranges(stage.shape.size());
  for (const int reader : state_.dag->consumers(producer)) {
    AddReads(state_.dag->stage(reader), producer,
             Required(reader, at, iterator), ranges);
  }
  std::vector<int64_t> extents = ExtentsOf(ranges, stage.shape);
  for (size_t a = stage.shape.size(); a < stage.axes.size(); ++a)
    extents.push_back(stage.axes[a].extent);
  return extents;
}

std::vector<int64_t> Regions::CoveredInside(int at, int iterator) const {
  const StageState& stage = state_.stages[at];
  std::vector<int64_t> extents(stage.axis_extents.size(), 1);
  for (size_t i = iterator + 1; i < stage.iterators.size(); ++i) {
    for (const LoopPart& part : stage.iterators[i].parts)
      extents[part.axis] += (part.extent - 1) * part.stride;
  }
  for (size_t a = 0; a < extents.size(); ++a)
    extents[a] = std::min(extents[a], stage.axis_extents[a]);
  return extents;
}

std::vector<int64_t> ReadExtents(const ComputeDag& dag, int producer,
                                 int reader,
                                 const std::vector<int64_t>& covered) {
  const std::vector<int64_t>& shape = dag.stage(producer).shape;
  std::vector<DimensionRange> ranges(shape.size());
  AddReads(dag.stage(reader), producer, covered, ranges);
  return ExtentsOf(ranges, shape);
}

}  // namespace pruner
