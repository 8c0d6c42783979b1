#include "pruner/base/os/subprocess.h"

#include <poll.h>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "pruner/base/clock.h"
#include "pruner/base/os/child_io.h"
#include "pruner/base/os/file_descriptor.h"
#include "pruner/base/os/process.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

constexpr size_t kStderrBytes = size_t{64} << 10;

// Whether the process ended in time.
bool ListenUntilExit(absl::Duration deadline, const Process& process,
                     OutputCapture& out, OutputCapture& err) {
  for (;;) {
    std::array<pollfd, 3> polled = {{{process.exit_fd(), POLLIN, 0},
                                     {out.fd(), POLLIN, 0},
                                     {err.fd(), POLLIN, 0}}};
    PollUntil(deadline, absl::MakeSpan(polled));
    if (polled[1].revents != 0) out.ReadAvailable();
    if (polled[2].revents != 0) err.ReadAvailable();
    if (polled[0].revents != 0) return true;
    if (RealClock().Elapsed() >= deadline) return false;
  }
}

}  // namespace

absl::StatusOr<CommandResult> RunCommand(const std::vector<std::string>& argv,
                                         const CommandOptions& options) {
  const absl::Duration deadline = RealClock().Elapsed() + options.timeout;
  FileDescriptor out_writer, err_writer;
  ASSIGN_OR_RETURN(
      OutputCapture out,
      OutputCapture::Create(options.max_stdout_bytes,
                            OutputCapture::Keep::kFirst, out_writer));
  ASSIGN_OR_RETURN(OutputCapture err,
                   OutputCapture::Create(
                       kStderrBytes, OutputCapture::Keep::kLast, err_writer));
  ASSIGN_OR_RETURN(Process process, Process::Start(argv, options.process,
                                                   {{out_writer.get(), 1},
                                                    {err_writer.get(), 2}}));
  out_writer.Close();
  err_writer.Close();

  CommandResult result;
  result.timed_out = !ListenUntilExit(deadline, process, out, err);
  const ExitStatus status = result.timed_out ? process.End() : process.Wait();
  if (!status.known)
    return absl::UnknownError(absl::StrCat(argv[0], " ", status));
  result.exit_code = status.exit_code;
  result.signal = status.signal;
  // Not to the end of the pipes: a process that left the group may hold them
  // open.
  out.ReadAvailable();
  err.ReadAvailable();
  result.stdout_text = out.text();
  result.stderr_text = err.text();
  return result;
}

}  // namespace pruner
