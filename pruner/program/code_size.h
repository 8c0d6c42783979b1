// How much code a program is.
#ifndef PRUNER_PROGRAM_CODE_SIZE_H_
#define PRUNER_PROGRAM_CODE_SIZE_H_

#include <cstdint>

#include "pruner/program/program.h"

namespace pruner {

// How often there is some statement in the code, after unrolling.
inline int64_t CountStatements(const Program& program) {
  int64_t statements = 0;
  for (const Statement& statement : program.statements)
    statements += statement.copies;
  return statements;
}

}  // namespace pruner

#endif  // PRUNER_PROGRAM_CODE_SIZE_H_
