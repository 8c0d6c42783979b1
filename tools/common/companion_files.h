// Where the files are that a program needs beside it.
#ifndef TOOLS_COMMON_COMPANION_FILES_H_
#define TOOLS_COMMON_COMPANION_FILES_H_

#include <string>

namespace pruner {

// Of an installed program they are in its folder, else among the runfiles of
// whoever was started as `argv0`. `program` is the program's ProgramPath().
// Where neither has them this is where they would be missed.

// The folder with libautoschedule_<name>.so, Halide's autoschedulers: lib/
// beside the program's bin/. May be empty.
std::string PluginDirectory(const std::string& program,
                            const std::string& argv0);

// network_worker, which computes ranking networks: beside the program.
std::string NetworkProgram(const std::string& program,
                           const std::string& argv0);

}  // namespace pruner

#endif  // TOOLS_COMMON_COMPANION_FILES_H_
