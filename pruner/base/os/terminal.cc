#include "pruner/base/os/terminal.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <iostream>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "pruner/base/os/file_descriptor.h"

namespace pruner {
namespace {

// Whether somebody is at the other end of a pipe, a socket or a terminal; true
// of files.
bool HasReader(int fd) {
  pollfd polled = {.fd = fd, .events = 0, .revents = 0};
  return poll(&polled, 1, 0) <= 0 ||
         (polled.revents & (POLLERR | POLLHUP)) == 0;
}

}  // namespace

bool StdoutIsTerminal() { return isatty(STDOUT_FILENO) == 1; }

int TerminalColumns() {
  constexpr int kUsual = 80;
  winsize size = {};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
    return kUsual;
  }
  return size.ws_col;
}

absl::Status WriteToStdout(absl::string_view text) {
  std::cout.flush();
  absl::Status status = WriteAll(STDOUT_FILENO, text, "the standard output");
  if (status.ok() || HasReader(STDOUT_FILENO)) return status;
  return absl::CancelledError("nobody reads the standard output any more");
}

}  // namespace pruner
