// Child processes: how they are started, and that none is left behind.
#ifndef PRUNER_BASE_OS_PROCESS_H_
#define PRUNER_BASE_OS_PROCESS_H_

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "pruner/base/os/file_descriptor.h"

namespace pruner {

// Every field has an initializer, so that {.cpus = {1}} compiles without a
// warning.
struct ProcessOptions {
  // Where the child runs; the parent's directory if empty.
  std::string working_directory = {};
  // Variables added to those of the parent, or put in their place.
  std::vector<std::pair<std::string, std::string>> environment = {};
  // The limit of the child's address space (RLIMIT_AS); 0 for none. Where the
  // parent's own hard limit is lower, that holds. Allocations above it fail in
  // the child. Not for a child that uses CUDA, which reserves
  // far more addresses than memory.
  int64_t max_memory_bytes = 0;
  // The CPUs the child may run on; those of the parent if empty.
  std::vector<int> cpus = {};
};

// How a process ended.
struct ExitStatus {
  int exit_code = 0;  // if signal is 0
  int signal = 0;     // the signal that ended it, or 0
  // False if somebody else has learned it: the system, where the program
  // ignores SIGCHLD, or a part of the program that waits for all children.
  bool known = true;

  // "exited with code 3", "was ended by signal 9 (Killed)".
  std::string ToString() const;

  template <typename Sink>
  friend void AbslStringify(Sink& sink, const ExitStatus& status) {
    sink.Append(status.ToString());
  }
};

// A running child, killed and reaped by the destructor. It
//  * ends when the *thread* that started it ends, however that comes about:
//  start
//    long-lived children from a thread that outlives them;
//  * leads a process group of its own, so that Ctrl-C in the terminal does not
//  reach
//    it and Kill also reaches what it started;
//  * reads nothing from stdin, inherits no files but those it is given, no
//  signal
//    handlers and no blocked signals, leaves no core dump, and is the first to
//    go when the machine runs out of memory.
class Process {
 public:
  // The child sees the parent's open file `from` as its descriptor `to`, which
  // is below 10. What it is not given as 1 and 2, its stdout and stderr, is
  // /dev/null.
  struct File {
    int from;
    int to;
  };

  // `argv` is the program, found in $PATH if its name has no slash, and its
  // arguments. An error says why the program could not be started.
  static absl::StatusOr<Process> Start(const std::vector<std::string>& argv,
                                       const ProcessOptions& options,
                                       absl::Span<const File> files);

  Process(Process&& other) noexcept;
  Process& operator=(Process&& other) noexcept;
  ~Process();

  pid_t pid() const { return pid_; }

  // A descriptor that polls as readable once the process has ended.
  int exit_fd() const { return exit_fd_.get(); }

  // Sends SIGKILL to the process and all of its group; nothing once it was
  // waited for, be it by somebody else.
  void Kill();

  // Waits until the process has ended, and kills what is left of its group,
  // unless its end is not known.
  ExitStatus Wait();

  // Kills it and waits, but for ten seconds at most: a system call that cannot
  // be interrupted, as of a file system or a driver that does not answer, keeps
  // a process alive. How it ended is then not known, a warning says so, and
  // nobody waits for it again.
  ExitStatus End();

  // How it ended, once it was waited for.
  const std::optional<ExitStatus>& exit_status() const { return exit_status_; }

 private:
  Process(pid_t pid, FileDescriptor exit_fd)
      : pid_(pid), exit_fd_(std::move(exit_fd)) {}

  pid_t pid_ = -1;  // -1 if moved from
  FileDescriptor exit_fd_;
  std::optional<ExitStatus> exit_status_;
};

// The CPU time of all threads that a process has used so far, nothing of its
// children's; zero if there is no such process.
absl::Duration CpuTimeOf(pid_t pid);

}  // namespace pruner

#endif  // PRUNER_BASE_OS_PROCESS_H_
