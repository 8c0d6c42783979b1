// The loops of a stage that is computed as written, which no schedule speaks
// of: several updates, scans, updates of a part, …
#ifndef PRUNER_PROGRAM_WRITTEN_LOOPS_H_
#define PRUNER_PROGRAM_WRITTEN_LOOPS_H_

#include "absl/types/span.h"
#include "pruner/program/program.h"
#include "pruner/program/structure.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// Inside loop `parent`: every definition in vectors along the innermost
// dimension and, at the root, parallel along the outermost, as far as these are
// independent (Definition::independent). A scan along another dimension goes
// row by row; of what is stored where data says there are no vectors, and short
// independent dimensions are unrolled inside of all loops. Otherwise the loops
// stay as they are. On targets with threads each definition at the root is a
// kernel: its independent dimensions are fused and cut into blocks, all other
// loops are those of a thread; where there is none, of a single one. `varies`:
// by spatial axis, whether it differs from place to place how much of it is
// computed.
//
// Nothing relies on the stage's extents: its updates may make the compiler
// compute more of it than is read. An extern stage is one statement without
// loops.
void WriteLoopsAsWritten(const Structure& structure, int stage,
                         const TargetSpec& target,
                         absl::Span<const char> varies, int parent,
                         Program& program);

}  // namespace pruner

#endif  // PRUNER_PROGRAM_WRITTEN_LOOPS_H_
