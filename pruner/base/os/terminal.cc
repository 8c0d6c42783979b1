#include "pruner/base/os/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <iostream>

namespace pruner {

bool StdoutIsTerminal() { return isatty(STDOUT_FILENO) == 1; }

int TerminalColumns() {
  constexpr int kUsual = 80;
  winsize size = {};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
    return kUsual;
  }
  return size.ws_col;
}

void WriteToStdout(absl::string_view text) { std::cout << text << std::flush; }

}  // namespace pruner
