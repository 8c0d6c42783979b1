#include "pruner/schedule/regions.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "absl/functional/function_ref.h"
#include "pruner/schedule/read_range.h"
#include "pruner/schedule/slide_form.h"

namespace pruner {
namespace {

constexpr int kAllLoops = std::numeric_limits<int>::max();

// Where a region of a stage begins along an axis.
using FormOfAxis = absl::FunctionRef<LinearForm(int stage, int axis)>;

LinearForm FormOf(const IndexExpr& index, int reader, FormOfAxis form_of) {
  LinearForm form;
  for (const IndexTerm& term : index.terms)
    form.Add(form_of(reader, term.axis), term.coefficient);
  form.Divide(index.divisor);
  return form;
}

// The range of one dimension that is read.
class DimensionRange {
 public:
  // `region`: what is covered of the reader.
  void Add(const IndexExpr& index, int reader, const Region& region,
           FormOfAxis form_of) {
    if (first_ == nullptr) {
      first_ = &index;
      first_reader_ = reader;
    }
    is_apart_ |= index.opaque || !MovesWithFirst(index, reader, form_of);
    divides_alike_ &= index.divisor == first_->divisor;
    range_.Add(index, index.constant, index.constant, region.begins.data(),
               region.extents.data(), region.alignments.data());
  }

  // Takes the next axis of the region; all of it unless it is divisible.
  void AppendTo(Region& region, int64_t dimension, bool is_divisible) const {
    const bool is_exact = range_.IsExact() && !is_apart_ && is_divisible;
    const bool is_whole =
        is_apart_ || !is_divisible || (!divides_alike_ && !is_exact);
    region.begins.push_back(is_exact ? range_.Begin() : 0);
    region.extents.push_back(is_whole ? dimension : range_.Extent(dimension));
    region.alignments.push_back(is_exact ? range_.Alignment() : 1);
    region.is_exact.push_back(is_exact ? 1 : 0);
  }

 private:
  bool MovesWithFirst(const IndexExpr& index, int reader,
                      FormOfAxis form_of) const {
    if (index.modulus != first_->modulus) return false;
    const bool is_same = reader == first_reader_ &&
                         index.divisor == first_->divisor &&
                         index.terms == first_->terms;
    return is_same || FormOf(index, reader, form_of) ==
                          FormOf(*first_, first_reader_, form_of);
  }

  // Some are read at other rates than the first.
  bool is_apart_ = false;
  bool divides_alike_ = true;
  const IndexExpr* first_ = nullptr;
  int first_reader_ = 0;
  ReadRange range_;
};

// Of a producer's dimensions.
using DimensionRanges = absl::InlinedVector<DimensionRange, 6>;

// Adds what `reader` reads of `producer` where it covers `region`.
void AddReads(const ComputeDag& dag, int reader, int producer,
              const Region& region, FormOfAxis form_of,
              DimensionRanges& ranges) {
  for (const Access& access : dag.stage(reader).reads) {
    if (access.stage != producer) continue;
    for (size_t d = 0; d < ranges.size(); ++d)
      ranges[d].Add(access.indices[d], reader, region, form_of);
  }
}

// Of a stage's axes, which begin anywhere.
Region Covered(std::vector<int64_t> extents) {
  Region region;
  region.begins.assign(extents.size(), 0);
  region.alignments.assign(extents.size(), 0);
  region.is_exact.assign(extents.size(), 1);
  region.extents = std::move(extents);
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
  const StageState& stage = state_.stages[producer];
  const Region& whole = WholeRegionOf(producer, at, iterator);
  if (!stage.slides || stage.at_stage != at || stage.at_iterator != iterator)
    return whole;
  const auto known = new_.find(producer);
  if (known != new_.end()) return known->second;
  Region region = whole;
  const Slide slide = SlideOf(producer, at, iterator);
  if (slide.dimension >= 0) {
    region.begins[slide.dimension] += slide.known;
    region.extents[slide.dimension] = slide.added;
  }
  return new_.emplace(producer, std::move(region)).first->second;
}

const Region& Regions::WholeRegionOf(int producer, int at, int iterator) {
  const std::tuple key(producer, at, iterator);
  const auto known = found_.find(key);
  if (known != found_.end()) return known->second;
  return found_.emplace(key, Find(producer, at, iterator)).first->second;
}

Slide Regions::SlideOf(int producer, int at, int iterator) {
  const Region& region = WholeRegionOf(producer, at, iterator);
  const Stage& stage = state_.dag->stage(producer);
  const Stage& reader = state_.dag->stage(at);
  const Iterator& loop = state_.stages[at].iterators[iterator];
  const bool is_along_axis = loop.parts.size() == 1 && loop.path == 0 &&
                             loop.kind == AxisKind::kSpatial && loop.extent > 1;
  const bool is_at_root = state_.stages[at].location == ComputeLocation::kRoot;
  if (!is_along_axis || !MaySlideOver(stage, reader, is_at_root)) return {};
  const LoopPart& part = loop.parts[0];
  const SlideForm form = FindSlideForm(
      stage, [&](int d) { return FormOfBegin(producer, d, at, iterator); },
      /*first_axis=*/0, static_cast<int>(reader.axes.size()), part.axis);
  if (form.dimension < 0) return {};
  const int64_t added = form.factor * part.stride;
  const int64_t known = region.extents[form.dimension] - added;
  if (known <= 0) return {};
  return {.dimension = form.dimension, .known = known, .added = added};
}

Region Regions::Find(int producer, int at, int iterator) {
  if (producer == at) return CoveredInside(at, iterator);
  const Stage& stage = state_.dag->stage(producer);
  DimensionRanges ranges(stage.shape.size());
  const auto form_of = [&](int reader, int axis) {
    return FormOfBegin(reader, axis, at, iterator);
  };
  for (const int reader : state_.dag->consumers(producer)) {
    AddReads(*state_.dag, reader, producer, RegionOf(reader, at, iterator),
             form_of, ranges);
  }
  Region region;
  region.extents.reserve(stage.axes.size());
  for (size_t d = 0; d < ranges.size(); ++d) {
    ranges[d].AppendTo(region, stage.shape[d],
                       stage.IsDivisible(static_cast<int>(d)));
  }
  for (size_t a = stage.shape.size(); a < stage.axes.size(); ++a) {
    region.begins.push_back(0);
    region.extents.push_back(stage.axes[a].extent);
    region.alignments.push_back(0);
    region.is_exact.push_back(1);
  }
  return region;
}

LinearForm Regions::FormOfBegin(int stage, int axis, int at, int iterator) {
  if (stage == at) return LinearForm(axis);
  const Stage& s = state_.dag->stage(stage);
  if (axis >= static_cast<int>(s.shape.size())) return LinearForm();
  const std::tuple key(stage, axis, at, iterator);
  const auto known = forms_.find(key);
  if (known != forms_.end()) return known->second;
  // One that no other axis has.
  LinearForm form(-1 - (static_cast<int>(forms_.size())));
  if (WholeRegionOf(stage, at, iterator).is_exact[axis]) {
    const int reader = state_.dag->consumers(stage)[0];
    const std::vector<Access>& reads = state_.dag->stage(reader).reads;
    const auto read = std::find_if(
        reads.begin(), reads.end(),
        [&](const Access& access) { return access.stage == stage; });
    form = FormOf(read->indices[axis], reader, [&](int r, int a) {
      return FormOfBegin(r, a, at, iterator);
    });
  }
  return forms_.emplace(key, std::move(form)).first->second;
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
  DimensionRanges ranges(shape.size());
  AddReads(
      dag, reader, producer, Covered(covered),
      [](int, int axis) { return LinearForm(axis); }, ranges);
  Region region;
  for (size_t d = 0; d < ranges.size(); ++d)
    ranges[d].AppendTo(region, shape[d], /*is_divisible=*/true);
  return region.extents;
}

}  // namespace pruner
