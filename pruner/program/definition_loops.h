// What a definition that is computed as written iterates over.
#ifndef PRUNER_PROGRAM_DEFINITION_LOOPS_H_
#define PRUNER_PROGRAM_DEFINITION_LOOPS_H_

#include "pruner/dag/compute_dag.h"

namespace pruner {

// Whether it has a loop over the spatial axis: the first definition has all of
// them, an update those that it names.
bool IteratesOver(const Definition& definition, int axis);

// Whether where it stores an element depends on data.
bool Scatters(const Definition& definition);

// Whether its reduction variables run along dimensions of the stage itself,
// whose rank that is.
bool IsScan(const Definition& definition, int rank);

}  // namespace pruner

#endif  // PRUNER_PROGRAM_DEFINITION_LOOPS_H_
