// Record logs as users name them.
#ifndef TOOLS_COMMON_LOG_PATH_H_
#define TOOLS_COMMON_LOG_PATH_H_

#include <string>

namespace pruner {

// The log itself, where `path` is a folder that a program wrote one into.
std::string RecordLogPath(const std::string& path);

}  // namespace pruner

#endif  // TOOLS_COMMON_LOG_PATH_H_
