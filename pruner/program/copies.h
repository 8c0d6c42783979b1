// How often a statement is in the code.
#ifndef PRUNER_PROGRAM_COPIES_H_
#define PRUNER_PROGRAM_COPIES_H_

#include <cstdint>

#include "pruner/program/program.h"
#include "pruner/program/structure.h"

namespace pruner {

// Of the statement, whose loops and marks are in the program, after unrolling,
// without the copies that never run: those for which some guard is false
// wherever the other loops are.
int64_t CopiesOf(const Program& program, const Structure& structure,
                 const Statement& statement);

}  // namespace pruner

#endif  // PRUNER_PROGRAM_COPIES_H_
