// Command lines as all tools take them: Abseil's flags, with one clear sentence
// and exit code 2 for whatever is wrong.
#ifndef TOOLS_COMMON_TOOL_FLAGS_H_
#define TOOLS_COMMON_TOOL_FLAGS_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace pruner {

// Exit codes of all tools.
inline constexpr int kExitOk = 0;
inline constexpr int kExitFailure = 1;   // something broke
inline constexpr int kExitBadInput = 2;  // what the user gave cannot be used
inline constexpr int kExitNothingValid = 3;  // tuning measured failures only

// Sets the program's flags from --name=value, --name value, --name and
// --noname, and returns the arguments that are no flags. Only flags that the
// program's own `sources` (a part of their path, such as "tools/tune") define
// can be set. Errors name flag and value.
absl::StatusOr<std::vector<std::string>> ParseToolFlags(
    const std::vector<std::string>& args, absl::string_view sources);

// Every flag of `sources` with its meaning and default, alphabetically.
std::string FlagHelp(absl::string_view sources);

// Names and values of the flags of `sources` that are not at their default, by
// name.
std::vector<std::pair<std::string, std::string>> GivenFlags(
    absl::string_view sources);

// For main, once, before it opens files: PrepareProgram, lets warnings and
// worse be logged to stderr, parses, answers --help (usage and flags on stdout,
// exit code 0), reports errors. Returns the exit code to end with, if there is
// one. There are no positional arguments.
std::optional<int> InitTool(int argc, char** argv, absl::string_view usage,
                            absl::string_view sources);

// Prints "<tool>: <message>" to stderr and returns the exit code: 2 for what
// the user can mend (invalid argument, not found, …), else 1, also where the
// machine has no more disk, memory or files to give (resource exhausted).
int ReportError(absl::string_view tool, const absl::Status& status);

}  // namespace pruner

#endif  // TOOLS_COMMON_TOOL_FLAGS_H_
