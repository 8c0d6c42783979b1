#include "pruner/program/copies.h"

#include <algorithm>

#include "absl/container/inlined_vector.h"
#include "pruner/base/factors.h"

namespace pruner {
namespace {

// An axis, or a loop that it is transformed into.
struct Part {
  enum class Made : uint8_t { kLoop, kSplit, kFused };
  int label = 0;
  int64_t extent = 1;
  int group = 0;  // of those that share unrolled loops
  // What became of it: itself a loop; split into `first`, of steps of `factor`,
  // and `second`; or fused to `first`.
  Made made = Made::kLoop;
  int first = -1, second = -1;
  int64_t factor = 1;
  bool shifts = false;
  bool is_guarded = false;
  bool is_outer = false;  // of what it is fused with
  bool is_unrolled = false;
  bool varies = false;
  // While copies are counted: the least that it can be, and whether that is all
  // it can be.
  int64_t value = 0;
  bool is_constant = false;
};

class Counter {
 public:
  Counter(const Program& program, const Structure& structure,
          const Statement& statement)
      : program_(program), statement_(statement) {
    const StageStructure& s = structure.stages[statement.stage];
    const ProgramStage& stage = program.stages[statement.stage];
    for (int axis = 0; axis < s.num_axes; ++axis) {
      parts_.push_back({.label = stage.first_label + axis,
                        .extent = program.axis_extents[s.first_axis + axis],
                        .group = axis});
    }
    for (int t = 0; t < stage.num_transforms; ++t) {
      const LoopTransform& transform =
          program.transforms[stage.first_transform + t];
      if (IsMade(transform)) Add(transform);
    }
    for (int m = 0; m < statement.num_marks; ++m)
      Add(program.marks[statement.first_mark + m]);
    FindLoops();
  }

  int64_t Count() {
    int64_t copies = 1;
    for (int group = 0; group < static_cast<int>(parts_.size()); ++group)
      copies *= CountGroup(group);
    return copies;
  }

 private:
  bool IsMade(const LoopTransform& transform) const {
    return statement_.transforms == Statement::Transforms::kAll ||
           (statement_.transforms == Statement::Transforms::kSpatial &&
            !program_.labels[transform.a].is_reduction);
  }

  int Find(int label) const {
    for (size_t i = 0; i < parts_.size(); ++i) {
      if (parts_[i].label == label) return static_cast<int>(i);
    }
    return -1;
  }

  void Add(const LoopTransform& transform) {
    const int a = Find(transform.a);
    if (transform.kind == LoopTransform::Kind::kSplit && a >= 0)
      AddSplit(a, transform);
    if (transform.kind == LoopTransform::Kind::kFuse)
      AddFused(a, Find(transform.b), transform.c);
  }

  void AddSplit(int a, const LoopTransform& transform) {
    Part& part = parts_[a];
    const bool is_exact = part.extent % transform.factor == 0;
    part.made = Part::Made::kSplit;
    part.factor = transform.factor;
    part.shifts = transform.tail == Tail::kShiftInwards;
    part.is_guarded = transform.tail == Tail::kGuard && !is_exact;
    part.first = static_cast<int>(parts_.size());
    part.second = part.first + 1;
    const Part outer = {.label = transform.b,
                        .extent = CeilDiv(part.extent, transform.factor),
                        .group = part.group};
    const Part inner = {
        .label = transform.c, .extent = transform.factor, .group = part.group};
    parts_.push_back(outer);
    parts_.push_back(inner);
  }

  void AddFused(int inner, int outer, int label) {
    const int fused = static_cast<int>(parts_.size());
    for (int part : {inner, outer}) {
      parts_[part].made = Part::Made::kFused;
      parts_[part].first = fused;
      parts_[part].second = inner;
      parts_[part].is_outer = part == outer;
    }
    const int group = parts_[outer].group;
    const int joined = parts_[inner].group;
    for (Part& part : parts_) {
      if (part.group == joined) part.group = group;
    }
    parts_.push_back({.label = label,
                      .extent = parts_[inner].extent * parts_[outer].extent,
                      .group = group});
  }

  void FindLoops() {
    for (int l = statement_.loop; l >= 0; l = program_.loops[l].parent) {
      const ProgramLoop& loop = program_.loops[l];
      const int part = loop.stage == statement_.stage ? Find(loop.label) : -1;
      if (part < 0) continue;
      parts_[part].is_unrolled = IsUnrolled(loop.kind);
      parts_[part].varies = loop.varies;
    }
    for (size_t i = parts_.size(); i-- > 0;) {
      Part& part = parts_[i];
      if (part.first >= 0) part.varies = parts_[part.first].varies;
    }
  }

  int64_t CountGroup(int group) {
    absl::InlinedVector<int, 16> unrolled;
    int64_t all = 1;
    bool is_guarded = false;
    for (size_t i = 0; i < parts_.size(); ++i) {
      const Part& part = parts_[i];
      if (part.group != group) continue;
      is_guarded |= part.is_guarded;
      if (!part.is_unrolled) continue;
      unrolled.push_back(static_cast<int>(i));
      all *= part.extent;
    }
    if (!is_guarded || unrolled.empty()) return all;
    int64_t copies = 0;
    for (int64_t copy = 0; copy < all; ++copy) {
      int64_t rest = copy;
      for (int i : unrolled) {
        parts_[i].value = rest % parts_[i].extent;
        rest /= parts_[i].extent;
      }
      copies += MayRun(group);
    }
    return copies;
  }

  // A part comes before what it is made into.
  bool MayRun(int group) {
    bool may_run = true;
    for (size_t i = parts_.size(); i-- > 0;) {
      Part& part = parts_[i];
      if (part.group != group) continue;
      Evaluate(part);
      may_run &= !part.is_guarded || part.varies || part.value < part.extent;
    }
    return may_run;
  }

  void Evaluate(Part& part) {
    switch (part.made) {
      case Part::Made::kLoop:
        part.is_constant = part.is_unrolled || part.extent == 1;
        break;
      case Part::Made::kSplit: {
        const Part& outer = parts_[part.first];
        const Part& inner = parts_[part.second];
        int64_t begin = outer.value * part.factor;
        if (part.shifts) begin = std::min(begin, part.extent - part.factor);
        part.value = begin + inner.value;
        part.is_constant = outer.is_constant && inner.is_constant;
        break;
      }
      case Part::Made::kFused: {
        const Part& fused = parts_[part.first];
        const int64_t inside = parts_[part.second].extent;
        part.is_constant = fused.is_constant;
        part.value = part.is_outer      ? fused.value / inside
                     : part.is_constant ? fused.value % inside
                                        : 0;
        break;
      }
    }
  }

  const Program& program_;
  const Statement& statement_;
  absl::InlinedVector<Part, 32> parts_;
};

}  // namespace

int64_t CopiesOf(const Program& program, const Structure& structure,
                 const Statement& statement) {
  int64_t others = 1;  // of loops of the stages that it is computed in
  int64_t own = 1;
  bool overruns = false;
  for (int l = statement.loop; l >= 0; l = program.loops[l].parent) {
    const ProgramLoop& loop = program.loops[l];
    if (!IsUnrolled(loop.kind)) continue;
    const bool is_own = loop.stage == statement.stage;
    (is_own ? own : others) *= loop.extent;
    overruns |= is_own && loop.overruns;
  }
  if (overruns) own = Counter(program, structure, statement).Count();
  return own * others;
}

}  // namespace pruner
