// In whose loops a stage is computed in the end, and whether any is in its own.
#ifndef PRUNER_PROGRAM_ROOT_OF_H_
#define PRUNER_PROGRAM_ROOT_OF_H_

#include <algorithm>

#include "pruner/program/program.h"

namespace pruner {

// The stage at the root in whose loops, or in those of what is in them, the
// stage is computed; itself, if it is at the root.
inline int RootOf(const Program& program, int stage) {
  while (program.stages[stage].at_stage >= 0)
    stage = program.stages[stage].at_stage;
  return stage;
}

// Whether another stage is computed in the stage's loops.
inline bool HoldsOthers(const Program& program, int stage) {
  return std::any_of(program.stages.begin(), program.stages.end(),
                     [stage](const ProgramStage& s) {
                       return !s.is_absent && s.at_stage == stage;
                     });
}

}  // namespace pruner

#endif  // PRUNER_PROGRAM_ROOT_OF_H_
