// Writes the buffers of a program, and what its statements access.
#ifndef PRUNER_PROGRAM_EMIT_ACCESSES_H_
#define PRUNER_PROGRAM_EMIT_ACCESSES_H_

#include <cstdint>

#include "pruner/program/program.h"
#include "pruner/program/structure.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// How far an iteration of the loop moves which axis. Of a fused loop, as most
// of its iterations do.
LoopShare MoveOf(const ProgramLoop& loop, const Program& program);

// Adds a loop, and says how often it is entered; returns its number.
int AddLoop(ProgramLoop loop, Program& program);

// Of what the stage stores, or of an input, allocated inside `loop`. Requires
// the stage's axis extents. `kept`: the extent of the dimension along which it
// slides, if it does.
void AddBuffer(const Structure& structure, int stage, int loop, int64_t kept,
               Program& program);

// Adds the statement, whose loops are there, with its accesses and operations.
// Requires the buffers of what it reads.
void AddStatement(const Structure& structure, const TargetSpec& target,
                  Statement statement, Program& program);

}  // namespace pruner

#endif  // PRUNER_PROGRAM_EMIT_ACCESSES_H_
