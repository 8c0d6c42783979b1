// Inputs that are prefetched ahead of the loops that read them.
#ifndef PRUNER_PROGRAM_STREAMS_H_
#define PRUNER_PROGRAM_STREAMS_H_

#include <cstdint>

#include "pruner/program/program.h"
#include "pruner/program/structure.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// Adds the statement that a StreamStep of the stage asks for, once the stage's
// body is emitted. None where no loop moves so little, or what its next
// iteration reads could not be spread: it would come in bursts, which the
// present one waits for.
void AddStream(const Structure& structure, const TargetSpec& target, int stage,
               int64_t max_bytes, Program& program);

// What the stage's stream is ahead; 0 if it has none.
int64_t StreamedBytes(const Program& program, int stage);

}  // namespace pruner

#endif  // PRUNER_PROGRAM_STREAMS_H_
