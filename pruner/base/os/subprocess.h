// Running a command to its end. For a child that stays and is spoken to, see
// message_child.h.
#ifndef PRUNER_BASE_OS_SUBPROCESS_H_
#define PRUNER_BASE_OS_SUBPROCESS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "pruner/base/os/process.h"

namespace pruner {

struct CommandOptions {
  ProcessOptions process = {};
  // Then the command and what it has started are killed.
  absl::Duration timeout = absl::InfiniteDuration();
  // More of stdout than this is thrown away.
  size_t max_stdout_bytes = size_t{64} << 20;
};

struct CommandResult {
  std::string stdout_text = {};
  std::string stderr_text = {};  // its last 64 KiB
  int exit_code = 0;             // if signal is 0
  int signal = 0;                // the signal that ended it, or 0
  bool timed_out = false;

  bool ok() const { return exit_code == 0 && signal == 0 && !timed_out; }
};

// Runs a command and waits for it; processes it leaves behind are killed.
// `argv` and the errors are those of Process::Start: a command that ran and
// failed is a result. Unknown if it cannot be told how the command ended; see
// ExitStatus.
absl::StatusOr<CommandResult> RunCommand(const std::vector<std::string>& argv,
                                         const CommandOptions& options = {});

}  // namespace pruner

#endif  // PRUNER_BASE_OS_SUBPROCESS_H_
