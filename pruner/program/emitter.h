// Writes the statements of a program with the loops around them, in program
// order.
#ifndef PRUNER_PROGRAM_EMITTER_H_
#define PRUNER_PROGRAM_EMITTER_H_

#include <cstdint>

#include "absl/types/span.h"
#include "pruner/program/loop_values.h"
#include "pruner/program/program.h"
#include "pruner/program/stage_marks.h"
#include "pruner/program/structure.h"
#include "pruner/target/target_spec.h"

namespace pruner {

class Emitter {
 public:
  Emitter(const Structure& structure, absl::Span<const int64_t> numbers,
          const TargetSpec& target, LoopValues& values, Program& program)
      : structure_(structure),
        numbers_(numbers),
        target_(target),
        values_(values),
        program_(program) {}

  void EmitAll();

 private:
  // A stage, and what is computed in its loops, inside loop `parent`.
  void EmitStage(int stage, int parent);
  void EmitBounds(int stage);
  void EmitInitialization(int stage, StageMarks& marks, int parent);
  // The loops of an initialization; returns the innermost. Those of the body,
  // where they are bound to blocks and threads; else one for each axis.
  int EmitBoundInitialization(int stage, int parent);
  int EmitPlainInitialization(int stage, StageMarks& marks, int parent);
  // The loops of the last definition, what is computed in them, and it.
  void EmitBody(int stage, int parent);
  // A loop as it was decided on; returns the innermost of those it becomes.
  int EmitLoop(int stage, int value, int parent);
  int EmitPlainLoop(int stage, const LoopNumbers& numbers,
                    const LoopShare& share, int parent);
  int EmitCutLoop(const LoopNumbers& numbers, ProgramLoop loop);
  Statement BeginStatement(int stage, int definition) const;
  // Counts the order and the marks that were written since it began.
  void CountSaid(Statement& statement) const;

  const Structure& structure_;
  const absl::Span<const int64_t> numbers_;
  const TargetSpec& target_;
  LoopValues& values_;
  Program& program_;
};

}  // namespace pruner

#endif  // PRUNER_PROGRAM_EMITTER_H_
