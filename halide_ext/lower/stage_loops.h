// The Halide loops of one stage while a schedule is lowered: which of its
// iterators exist, under which names, and the directives that made them so.
#ifndef HALIDE_EXT_LOWER_STAGE_LOOPS_H_
#define HALIDE_EXT_LOWER_STAGE_LOOPS_H_

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "halide_ext/analyze/analyze.h"
#include "halide_ext/lower/directive.h"
#include "pruner/dag/compute_dag.h"
#include "pruner/schedule/transform_step.h"

namespace pruner {

class StageLoops {
 public:
  // `axis_extents` are those of the final state: what one execution covers, at
  // most where an axis is `varying` (see VaryingAxes).
  StageLoops(const Stage& stage, const FuncBinding& binding,
             const std::vector<int64_t>& axis_extents,
             const std::vector<bool>& varying);

  void Split(int iterator, const std::vector<int64_t>& lengths, Tail tail);
  void Fuse(int iterator, int count);
  void Reorder(const std::vector<int64_t>& order);
  void Annotate(int iterator, Annotation annotation);

  // Does not unroll loops in which another stage is computed (in one of the
  // loops `occupied`) and which step beyond the end: there the other stage has
  // a negative size, from which Halide concludes that nothing is ever computed.
  void KeepOverrunsRolled(const std::vector<int>& occupied);

  // Marks serial loops for unrolling, innermost first, as long as at most
  // `max_step` copies of the body result and no other stage is computed in
  // between (docs/algorithms.md A5.4).
  void AutoUnroll(int64_t max_step, const std::vector<int>& occupied,
                  int vector_lanes);

  // Splits, fusions, the loop order and annotations of the main definition.
  std::vector<Directive> Directives(int vector_lanes) const;

  // For a reduction: the loops of its initialization, those of the body but for
  // the reduction's where they are bound to threads.
  std::vector<Directive> InitDirectives(int vector_lanes, bool at_root) const;

  // The innermost loop at or outside position `iterator` that exists; null if
  // none.
  const LoopName* LiveLoopAtOrOutside(int iterator) const;

 private:
  struct Loop {
    LoopName name;
    int64_t extent = 1;  // 1: does not exist in Halide
    Annotation annotation = Annotation::kNone;
    // Halide does not know the extent as a constant: no unrolling, vectors only
    // of a part that is split off, and guards at the end.
    bool varying = false;
    // Some of its iterations are beyond the end, and kept from computing
    // anything by a guard.
    bool overruns = false;
    // Bound to blocks or threads, without which there would be no kernel: there
    // even where its extent is 1.
    bool is_pinned = false;
    bool is_live() const { return extent > 1 || is_pinned; }
  };

  // A name that no loop has, like `wish`.
  bool IsWholeAxis(const LoopName& loop) const;  // a pure one, not yet split
  bool IsBound() const;  // a loop is, to blocks or threads
  std::vector<Directive> BoundInitDirectives(int vector_lanes) const;
  // Makes `loop`, which has but one iteration, exist.
  void Pin(Loop& loop);
  void AppendAnnotations(int update, int vector_lanes,
                         std::vector<Directive>& directives) const;
  std::string FreeName(const std::string& wish) const;
  std::string NewName(const std::string& wish);
  Directive Make(DirectiveKind kind, std::vector<LoopName> loops) const;
  // Vectorizes `loop`, split first where it is longer than a vector.
  void AppendVectorize(const Loop& loop, int vector_lanes,
                       const Directive& pattern,
                       std::vector<Directive>& directives) const;

  const Stage& stage_;
  const FuncBinding& binding_;
  std::vector<int64_t> axis_extents_;
  std::vector<bool> varying_;  // by axis
  std::vector<Loop> loops_;    // outermost first, as in the LoopState
  std::set<std::string> names_;
  std::vector<Directive> directives_;  // splits and fusions so far
};

}  // namespace pruner

#endif  // HALIDE_EXT_LOWER_STAGE_LOOPS_H_
