#include "halide_ext/lower/stage_loops.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "pruner/base/factors.h"

namespace pruner {
namespace {

// The vector length for a loop: all of it where it fits, else the widest power
// of two that divides it.
int64_t VectorLength(int64_t extent, int64_t lanes) {
  if (extent <= lanes) return extent;
  while (extent % lanes != 0) lanes /= 2;
  return lanes;
}

// For vectors of which a guard masks lanes. Halide joins stores of neighbouring
// elements, a vector each, into a single one, cuts that into the machine's
// vectors, and cannot store the single lane that is left over of an odd number
// of lanes if it is masked. A lane more is masked as well.
int64_t EvenLength(int64_t length) {
  return length > 1 ? CeilDiv(length, 2) * 2 : length;
}

// Of a loop of a pure definition of which only narrow vectors are a divisor,
// as of what a stencil reads: whole ones, of which the last overlaps another,
// are fewer.
bool MayOverlap(int64_t extent, int64_t lanes) {
  return extent > lanes && VectorLength(extent, lanes) * 2 < lanes;
}

}  // namespace

StageLoops::StageLoops(const Stage& stage, const FuncBinding& binding,
                       const std::vector<int64_t>& axis_extents,
                       const std::vector<bool>& varying)
    : stage_(stage),
      binding_(binding),
      axis_extents_(axis_extents),
      varying_(varying) {
  for (size_t a = 0; a < stage.axes.size(); ++a) {
    const bool is_rvar = stage.axes[a].kind == AxisKind::kReduction;
    loops_.push_back(
        {.name = {.name = binding.variables[a], .is_rvar = is_rvar},
         .extent = axis_extents[a],
         .varying = varying[a]});
    names_.insert(binding.variables[a]);
  }
}

std::string StageLoops::FreeName(const std::string& wish) const {
  std::string name = wish;
  for (int i = 2; names_.contains(name); ++i)
    name = absl::StrCat(wish, "_v", i);
  return name;
}

std::string StageLoops::NewName(const std::string& wish) {
  return *names_.insert(FreeName(wish)).first;
}

Directive StageLoops::Make(DirectiveKind kind,
                           std::vector<LoopName> loops) const {
  Directive d;
  d.kind = kind;
  d.func = binding_.func;
  d.update = binding_.update;
  d.loops = std::move(loops);
  return d;
}

bool StageLoops::IsWholeAxis(const LoopName& loop) const {
  return !loop.is_rvar &&
         std::find(binding_.variables.begin(), binding_.variables.end(),
                   loop.name) != binding_.variables.end();
}

void StageLoops::Split(int iterator, const std::vector<int64_t>& lengths,
                       Tail tail) {
  const Loop source = loops_[iterator];
  const std::string base = absl::StrReplaceAll(source.name.name, {{"$", "_"}});
  std::vector<Loop> result(lengths.size() + 1);
  std::vector<int64_t> inner(result.size(),
                             1);  // product of the lengths further in
  for (size_t k = lengths.size(); k-- > 0;)
    inner[k] = inner[k + 1] * lengths[k];
  std::vector<size_t> live;
  for (size_t k = 0; k < result.size(); ++k) {
    result[k].extent = CeilDiv(source.extent, inner[k]);
    if (k > 0) result[k].extent = std::min(result[k].extent, lengths[k - 1]);
    if (result[k].is_live()) live.push_back(k);
  }
  bool overruns = source.overruns;
  LoopName rest = source.name;
  int64_t rest_extent = source.extent;
  // What is split off has a constant extent, what is left has not.
  if (!live.empty()) result[live[0]].varying = source.varying;
  for (size_t i = 0; i < live.size(); ++i) {
    const size_t k = live[i];
    if (i + 1 == live.size()) {
      result[k].name = std::move(rest);
      break;
    }
    result[k].name = {NewName(absl::StrCat(base, "_", k)), rest.is_rvar};
    const bool last = i + 2 == live.size();
    const LoopName inner_name = {
        NewName(absl::StrCat(
            base, "_",
            last ? absl::StrCat(live[i + 1]) : absl::StrCat("in", k))),
        rest.is_rvar};
    Directive d =
        Make(DirectiveKind::kSplit, {rest, result[k].name, inner_name});
    d.factor = inner[k];
    // What divides needs no tail, and Halide does not always find that out for
    // a guard itself. Otherwise reductions allow nothing but a guard: computing
    // an element twice would change it. (Halide allows no more than rounding up
    // the whole loop; what is split off that has a constant extent.)
    const bool exact = rest_extent % inner[k] == 0;
    const bool needs_guard =
        binding_.update >= 0 && (!exact || !IsWholeAxis(rest));
    // Nor does a part whose extent is not known: it may be shorter than the
    // factor, and what lies outside of it must not be read.
    const bool guarded = needs_guard || (i == 0 && source.varying);
    // Nor does one that is rounded up: what more is computed may lie outside of
    // the output, and what is read for it outside of an input.
    d.tail = exact && !guarded                   ? Tail::kRoundUp
             : guarded || tail == Tail::kRoundUp ? Tail::kGuard
                                                 : tail;
    overruns |= d.tail == Tail::kGuard && !exact;
    directives_.push_back(std::move(d));
    rest = inner_name;
    rest_extent = inner[k];
  }
  for (Loop& loop : result) loop.overruns = overruns;
  loops_.erase(loops_.begin() + iterator);
  loops_.insert(loops_.begin() + iterator, result.begin(), result.end());
}

void StageLoops::Fuse(int iterator, int count) {
  Loop fused = loops_[iterator];
  for (int i = iterator + 1; i < iterator + count; ++i) {
    const Loop& inner = loops_[i];
    if (!inner.is_live()) continue;
    if (!fused.is_live()) {
      fused = inner;
      continue;
    }
    const LoopName name = {
        NewName(absl::StrCat(fused.name.name, "_", inner.name.name)),
        fused.name.is_rvar};
    directives_.push_back(
        Make(DirectiveKind::kFuse, {inner.name, fused.name, name}));
    fused.name = name;
    fused.extent *= inner.extent;
    fused.varying |= inner.varying;
    fused.overruns |= inner.overruns;
  }
  loops_.erase(loops_.begin() + iterator + 1,
               loops_.begin() + iterator + count);
  loops_[iterator] = fused;
}

void StageLoops::Reorder(const std::vector<int64_t>& order) {
  std::vector<Loop> reordered;
  reordered.reserve(order.size());
  for (int64_t old : order) reordered.push_back(loops_[old]);
  loops_ = std::move(reordered);
}

bool StageLoops::IsBound() const {
  return std::any_of(loops_.begin(), loops_.end(), [](const Loop& loop) {
    return loop.annotation == Annotation::kBlock ||
           loop.annotation == Annotation::kThread;
  });
}

void StageLoops::Pin(Loop& loop) {
  loop.is_pinned = true;
  // Of a loop that exists, if there is one, all iterations go inside.
  Loop first = {.name = {.name = binding_.variables[0]}};
  Loop* inside = &first;
  for (Loop& other : loops_) {
    if (!other.is_live() || other.name.is_rvar || other.name.name.empty() ||
        &other == &loop) {
      continue;
    }
    inside = &other;
    break;
  }
  const std::string base = absl::StrReplaceAll(inside->name.name, {{"$", "_"}});
  loop.name = {NewName(base + "_one"), false};
  const LoopName rest = {NewName(base + "_all"), false};
  Directive d = Make(DirectiveKind::kSplit, {inside->name, loop.name, rest});
  d.factor = inside->extent;
  d.tail = Tail::kGuard;
  directives_.push_back(std::move(d));
  inside->name = rest;
}

void StageLoops::Annotate(int iterator, Annotation annotation) {
  Loop& loop = loops_[iterator];
  loop.annotation = annotation;
  const bool is_bound =
      annotation == Annotation::kBlock || annotation == Annotation::kThread;
  if (is_bound && !loop.is_live()) Pin(loop);
}

void StageLoops::KeepOverrunsRolled(const std::vector<int>& occupied) {
  if (occupied.empty()) return;
  const int innermost = *std::max_element(occupied.begin(), occupied.end());
  for (int i = 0; i <= innermost; ++i) {
    if (loops_[i].overruns && loops_[i].annotation == Annotation::kUnroll)
      loops_[i].annotation = Annotation::kNone;
  }
}

void StageLoops::AutoUnroll(int64_t max_step, const std::vector<int>& occupied,
                            int vector_lanes) {
  int64_t copies = 1;
  for (size_t i = loops_.size(); i-- > 0;) {
    Loop& loop = loops_[i];
    if (std::find(occupied.begin(), occupied.end(), static_cast<int>(i)) !=
        occupied.end())
      return;
    if (loop.annotation == Annotation::kParallel ||
        loop.annotation == Annotation::kThread ||
        loop.annotation == Annotation::kBlock) {
      return;
    }
    if (loop.varying && loop.annotation == Annotation::kNone) return;
    copies *= loop.annotation == Annotation::kVectorize
                  ? CeilDiv(loop.extent, vector_lanes)
                  : loop.extent;
    if (copies > max_step && loop.annotation == Annotation::kNone) return;
    if (loop.is_live() && loop.annotation == Annotation::kNone) {
      loop.annotation = Annotation::kUnroll;
    }
  }
}

void StageLoops::AppendVectorize(const Loop& loop, int vector_lanes,
                                 const Directive& pattern,
                                 std::vector<Directive>& directives) const {
  const bool overlaps =
      binding_.update < 0 && MayOverlap(loop.extent, vector_lanes);
  int64_t length =
      overlaps ? vector_lanes : VectorLength(loop.extent, vector_lanes);
  const bool is_predicated = loop.overruns || loop.varying;
  if (is_predicated) length = EvenLength(length);
  const auto append = [&](DirectiveKind kind,
                          std::vector<LoopName> loops) -> Directive& {
    directives.push_back(pattern);
    directives.back().kind = kind;
    directives.back().loops = std::move(loops);
    return directives.back();
  };
  if (length == 1) return;
  if (length == loop.extent && !loop.varying) {
    append(DirectiveKind::kVectorize, {loop.name});
    return;
  }
  const std::string base = absl::StrReplaceAll(loop.name.name, {{"$", "_"}});
  const LoopName outer = {FreeName(base + "_u"), loop.name.is_rvar};
  const LoopName vector = {FreeName(base + "_v"), loop.name.is_rvar};
  Directive& split = append(DirectiveKind::kSplit, {loop.name, outer, vector});
  split.factor = length;
  const bool divides =
      pattern.update < 0 && !loop.varying && length <= loop.extent;
  split.tail = !divides   ? Tail::kGuard
               : overlaps ? Tail::kShiftInwards
                          : Tail::kRoundUp;
  append(DirectiveKind::kVectorize, {vector});
  // More copies than this only cost compile time.
  constexpr int64_t kMaxUnrolledVectors = 16;
  if (loop.extent / length <= kMaxUnrolledVectors && !loop.varying)
    append(DirectiveKind::kUnroll, {outer});
}

void StageLoops::AppendAnnotations(int update, int vector_lanes,
                                   std::vector<Directive>& directives) const {
  const auto append = [&](DirectiveKind kind, const Loop& loop) {
    directives.push_back(Make(kind, {loop.name}));
    directives.back().update = update;
  };
  for (const Loop& loop : loops_) {
    if (!loop.is_live() || (update < 0 && loop.name.is_rvar)) continue;
    switch (loop.annotation) {
      case Annotation::kNone:
        break;
      case Annotation::kParallel:
        append(DirectiveKind::kParallel, loop);
        break;
      case Annotation::kBlock:
        append(DirectiveKind::kGpuBlocks, loop);
        break;
      case Annotation::kThread:
        append(DirectiveKind::kGpuThreads, loop);
        break;
      case Annotation::kVThread:
      case Annotation::kUnroll:
        if (!loop.varying) append(DirectiveKind::kUnroll, loop);
        break;
      case Annotation::kVectorize: {
        Directive pattern = Make(DirectiveKind::kVectorize, {});
        pattern.update = update;
        AppendVectorize(loop, vector_lanes, pattern, directives);
        break;
      }
    }
  }
}

std::vector<Directive> StageLoops::Directives(int vector_lanes) const {
  std::vector<Directive> directives = directives_;
  std::vector<LoopName> order;
  for (size_t i = loops_.size(); i-- > 0;) {
    if (loops_[i].is_live()) order.push_back(loops_[i].name);
  }
  if (order.size() > 1)
    directives.push_back(Make(DirectiveKind::kReorder, order));
  AppendAnnotations(binding_.update, vector_lanes, directives);
  return directives;
}

std::vector<Directive> StageLoops::BoundInitDirectives(int vector_lanes) const {
  std::vector<Directive> directives;
  for (const Directive& d : directives_) {
    if (d.loops[0].is_rvar) continue;
    directives.push_back(d);
    directives.back().update = -1;
  }
  Directive reorder = Make(DirectiveKind::kReorder, {});
  reorder.update = -1;
  for (size_t i = loops_.size(); i-- > 0;) {
    if (loops_[i].is_live() && !loops_[i].name.is_rvar)
      reorder.loops.push_back(loops_[i].name);
  }
  if (reorder.loops.size() > 1) directives.push_back(std::move(reorder));
  AppendAnnotations(/*update=*/-1, vector_lanes, directives);
  return directives;
}

std::vector<Directive> StageLoops::InitDirectives(int vector_lanes,
                                                  bool at_root) const {
  if (IsBound()) return BoundInitDirectives(vector_lanes);
  std::vector<Directive> directives;
  Directive pattern = Make(DirectiveKind::kVectorize, {});
  pattern.update = -1;
  const int rank = stage_.SpatialRank();
  if (rank == 0) return directives;
  const Loop innermost = {
      .name = {.name = binding_.variables[rank - 1], .is_rvar = false},
      .extent = axis_extents_[rank - 1],
      .varying = varying_[rank - 1]};
  AppendVectorize(innermost, vector_lanes, pattern, directives);
  if (!at_root) return directives;
  for (int axis = 0; axis + 1 < rank; ++axis) {
    if (axis_extents_[axis] == 1) continue;
    pattern.kind = DirectiveKind::kParallel;
    pattern.loops = {{.name = binding_.variables[axis], .is_rvar = false}};
    directives.push_back(pattern);
    break;
  }
  return directives;
}

const LoopName* StageLoops::LiveLoopAtOrOutside(int iterator) const {
  for (int i = iterator; i >= 0; --i) {
    if (loops_[i].is_live()) return &loops_[i].name;
  }
  return nullptr;
}

}  // namespace pruner
