#include "pruner/schedule/regions.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "pruner/schedule/read_range.h"

namespace pruner {
namespace {

constexpr int kAllLoops = std::numeric_limits<int>::max();

// Of which the sum of the index's terms is a multiple where the axes begin at
// multiples of `aligned`.
int64_t AlignmentOf(const IndexExpr& index,
                    const std::vector<int64_t>& aligned) {
  int64_t alignment = 0;
  for (const IndexTerm& term : index.terms)
    alignment = std::gcd(alignment, term.coefficient * aligned[term.axis]);
  return alignment;
}

// The range of one dimension that is read.
class DimensionRange {
 public:
  void Add(const IndexExpr& index, const Region& reader) {
    LinearForm form;
    for (const IndexTerm& term : index.terms)
      form.Add(reader.forms[term.axis], term.coefficient);
    form.Divide(index.divisor);
    if (first_ == nullptr) {
      first_ = &index;
      form_ = std::move(form);
    } else {
      is_apart_ |= index.modulus != first_->modulus || form != form_;
      divides_alike_ &= index.divisor == first_->divisor;
    }
    is_apart_ |= index.opaque;
    range_.Add(index, index.constant, index.constant, reader.begins.data(),
               reader.extents.data(), AlignmentOf(index, reader.alignments));
  }

  // Takes the next axis of the region. `unknown`: where it begins if that is at
  // no fraction of what the readers' regions begin at.
  void AppendTo(Region& region, int64_t dimension, int unknown) const {
    const bool is_exact = range_.IsExact() && !is_apart_;
    const bool is_whole = is_apart_ || (!divides_alike_ && !is_exact);
    region.begins.push_back(is_exact ? range_.Begin() : 0);
    region.extents.push_back(is_whole ? dimension : range_.Extent(dimension));
    region.alignments.push_back(is_exact ? range_.Alignment() : 1);
    region.forms.push_back(is_exact ? form_ : LinearForm(unknown));
  }

 private:
  // Some are read at other rates than the first.
  bool is_apart_ = false;
  bool divides_alike_ = true;
  const IndexExpr* first_ = nullptr;
  LinearForm form_;
  ReadRange range_;
};

// Adds what `reader` reads of `producer` where it covers `region`.
void AddReads(const Stage& reader, int producer, const Region& region,
              std::vector<DimensionRange>& ranges) {
  for (const Access& access : reader.reads) {
    if (access.stage != producer) continue;
    for (size_t d = 0; d < ranges.size(); ++d)
      ranges[d].Add(access.indices[d], region);
  }
}

// Of a stage's axes, which begin anywhere.
Region Covered(std::vector<int64_t> extents) {
  Region region;
  const size_t axes = extents.size();
  region.extents = std::move(extents);
  region.begins.assign(axes, 0);
  region.alignments.assign(axes, 0);
  for (size_t a = 0; a < axes; ++a)
    region.forms.emplace_back(static_cast<int>(a));
  return region;
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
  return RegionOf(producer, at, iterator).extents;
}

const Region& Regions::RegionOf(int producer, int at, int iterator) {
  const std::tuple key(producer, at, iterator);
  const auto known = found_.find(key);
  if (known != found_.end()) return known->second;
  return found_.emplace(key, Find(producer, at, iterator)).first->second;
}

Region Regions::Find(int producer, int at, int iterator) {
  if (producer == at) return CoveredInside(at, iterator);
  const Stage& stage = state_.dag->stage(producer);
  std::vector<DimensionRange> ranges(stage.shape.size());
  for (const int reader : state_.dag->consumers(producer)) {
    AddReads(state_.dag->stage(reader), producer,
             RegionOf(reader, at, iterator), ranges);
  }
  Region region;
  for (size_t d = 0; d < ranges.size(); ++d)
    ranges[d].AppendTo(region, stage.shape[d], --last_unknown_);
  for (size_t a = stage.shape.size(); a < stage.axes.size(); ++a) {
    region.begins.push_back(0);
    region.extents.push_back(stage.axes[a].extent);
    region.alignments.push_back(0);
    region.forms.emplace_back();
  }
  return region;
}

Region Regions::CoveredInside(int at, int iterator) {
  const StageState& stage = state_.stages[at];
  Region region = Covered(std::vector<int64_t>(stage.axis_extents.size(), 1));
  if (stage.location == ComputeLocation::kAt) {
    const Region& all = RegionOf(at, stage.at_stage, stage.at_iterator);
    for (size_t a = 0; a < region.alignments.size(); ++a)
      region.alignments[a] = std::gcd(all.alignments[a], all.begins[a]);
  }
  const int loops = static_cast<int>(stage.iterators.size());
  for (int i = 0; i < loops; ++i) {
    for (const LoopPart& part : stage.iterators[i].parts) {
      if (i > iterator) {
        region.extents[part.axis] += (part.extent - 1) * part.stride;
      } else if (part.extent != 1) {
        int64_t& alignment = region.alignments[part.axis];
        alignment = std::gcd(alignment, part.stride);
      }
    }
  }
  for (size_t a = 0; a < region.extents.size(); ++a)
    region.extents[a] = std::min(region.extents[a], stage.axis_extents[a]);
  return region;
}

std::vector<int64_t> ReadExtents(const ComputeDag& dag, int producer,
                                 int reader,
                                 const std::vector<int64_t>& covered) {
  const std::vector<int64_t>& shape = dag.stage(producer).shape;
  std::vector<DimensionRange> ranges(shape.size());
  AddReads(dag.stage(reader), producer, Covered(covered), ranges);
  Region region;
  for (size_t d = 0; d < ranges.size(); ++d)
    ranges[d].AppendTo(region, shape[d], /*unknown=*/-1);
  return region.extents;
}

}  // namespace pruner
