// What becomes of a stage's loops: which are unrolled, which are cut into
// vectors.
#ifndef PRUNER_PROGRAM_STAGE_MARKS_H_
#define PRUNER_PROGRAM_STAGE_MARKS_H_

#include <cstdint>

#include "pruner/program/loop_values.h"
#include "pruner/program/program.h"
#include "pruner/program/structure.h"
#include "pruner/program/vector_length.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// Decides for the loops of one stage that is not computed as written, and
// writes what a scheduling language is told (Program::marks).
class StageMarks {
 public:
  StageMarks(const Structure& structure, int stage, const TargetSpec& target,
             LoopValues& values, Program& program);

  // Decides what is unrolled, before anything else. `max_step` as in an
  // AutoUnrollStep; 0: nothing but what is annotated so.
  void DecideUnrolling(int64_t max_step);
  // Of the last definition.
  void DecideBody();
  // Of the initialization, whose loops are bound as those of the body are.
  void DecideBoundInitialization();
  // Of one loop of an initialization that has loops of its own.
  void DecideInitialization(Annotation annotation, LoopNumbers& loop);

  // Whether some loop is bound to blocks or threads.
  bool IsBound() const { return is_bound_; }

 private:
  bool HasBoundLoop() const;
  LoopNumbers& Loop(int position) const;
  // Does not unroll loops in which another stage is computed and which step
  // beyond the end: there the other stage has a negative size, from which
  // Halide concludes that nothing is ever computed. Nor where some copies of
  // the other stage may not be needed: only Halide would know of which.
  void KeepRolled();
  void KeepOuterOverrunsScalar();
  // Marks serial loops for unrolling, innermost first, as long as at most
  // `max_step` copies of the body result and no other stage is computed in
  // between (docs/algorithms.md A5.4).
  void AutoUnroll(int64_t max_step);
  VectorCut CutOf(const LoopNumbers& loop) const;
  // `is_pure`: of a pure definition.
  void Decide(LoopNumbers& loop, bool is_pure);
  void Unroll(LoopNumbers& loop);
  void CutVectors(LoopNumbers& loop, bool is_pure);
  void Mark(LoopTransform::Kind kind, int label);
  int AddLabel(LoopLabel::Origin origin, int base);

  const Structure& structure_;
  const StageStructure& stage_;
  const bool is_initialized_;
  const int64_t lanes_;
  const bool has_masks_;
  LoopValues& values_;
  Program& program_;
  const bool is_bound_;
};

}  // namespace pruner

#endif  // PRUNER_PROGRAM_STAGE_MARKS_H_
