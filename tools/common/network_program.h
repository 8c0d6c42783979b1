// Where the program is that computes ranking networks.
#ifndef TOOLS_COMMON_NETWORK_PROGRAM_H_
#define TOOLS_COMMON_NETWORK_PROGRAM_H_

#include <string>

namespace pruner {

// network_worker: of an installed program it is beside it, else among the
// runfiles of whoever was started as `argv0`. `program` is the program's
// ProgramPath(). Where there is none this is where it would be missed.
std::string NetworkProgram(const std::string& program,
                           const std::string& argv0);

}  // namespace pruner

#endif  // TOOLS_COMMON_NETWORK_PROGRAM_H_
