// Where the plugins with Halide's autoschedulers are.
#ifndef TOOLS_COMMON_PLUGIN_DIRECTORY_H_
#define TOOLS_COMMON_PLUGIN_DIRECTORY_H_

#include <string>

namespace pruner {

// The folder with libautoschedule_<name>.so: of an installed program lib/
// beside its bin/, else among the runfiles of whoever was started as `argv0`.
// `program` is the program's ProgramPath(). Where neither has plugins this is
// where one would be missed; empty if that is not known either.
std::string PluginDirectory(const std::string& program,
                            const std::string& argv0);

}  // namespace pruner

#endif  // TOOLS_COMMON_PLUGIN_DIRECTORY_H_
