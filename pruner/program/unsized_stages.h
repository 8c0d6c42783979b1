// How much Halide has to solve before a pipeline for any size is compiled.
#ifndef PRUNER_PROGRAM_UNSIZED_STAGES_H_
#define PRUNER_PROGRAM_UNSIZED_STAGES_H_

#include <vector>

#include "pruner/program/program.h"

namespace pruner {

// By stage of program.dag: whether the size of what is computed of it at once
// is unknown to the compiler. It is where a stage is computed in a loop of
// another and read by an index that is clamped, divided or depends on data, or
// by a stage of unknown size in that loop: the levels of a pyramid, say. A
// stencil needs so many more elements than its reader, and its size is known.
std::vector<bool> AreUnsized(const Program& program);

// How many such stages are computed in loops of the same stage at the root; of
// the one in which there are most. Halide 21 asks of all of them together in
// which iterations none has any element (`trim_no_ops`), which takes it minutes
// for twenty.
int MostUnsizedStages(const Program& program);

}  // namespace pruner

#endif  // PRUNER_PROGRAM_UNSIZED_STAGES_H_
