// Environment variables and what the machine gives this process.
#ifndef PRUNER_BASE_OS_ENVIRONMENT_H_
#define PRUNER_BASE_OS_ENVIRONMENT_H_

#include <optional>
#include <string>
#include <vector>

namespace pruner {

// Nothing if the variable is not set; an empty string if it is set to that.
std::optional<std::string> GetEnv(const std::string& name);

// Change the environment of this process and of children started later. Only
// for the start of a program: other threads must not read the environment
// meanwhile.
void SetEnv(const std::string& name, const std::string& value);
void UnsetEnv(const std::string& name);

// The numbers of the CPUs this thread may run on, ascending, and how many they
// are: fewer than the machine has under taskset or in a container with a CPU
// set.
std::vector<int> AvailableCpus();
int CpuCount();

// The name of this machine; "unknown" if it has none.
std::string HostName();

// The path a user means by `path`: a relative one starts at the directory where
// the user typed `bazel run`, which tells it as BUILD_WORKING_DIRECTORY and
// starts the program in another one. An empty path stays empty.
std::string ResolveUserPath(const std::string& path);

}  // namespace pruner

#endif  // PRUNER_BASE_OS_ENVIRONMENT_H_
