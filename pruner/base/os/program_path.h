// Where the running program is.
#ifndef PRUNER_BASE_OS_PROGRAM_PATH_H_
#define PRUNER_BASE_OS_PROGRAM_PATH_H_

#include <string>

namespace pruner {

// The absolute path of the running program, no symbolic link however it was
// started; empty if the system does not tell. A program that was replaced since
// has " (deleted)" at its end.
std::string ProgramPath();

}  // namespace pruner

#endif  // PRUNER_BASE_OS_PROGRAM_PATH_H_
