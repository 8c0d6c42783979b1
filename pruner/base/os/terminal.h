// What a tool needs to know of its standard output.
#ifndef PRUNER_BASE_OS_TERMINAL_H_
#define PRUNER_BASE_OS_TERMINAL_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace pruner {

// Whether a person is looking, rather than a file or a program.
bool StdoutIsTerminal();

// The width of that terminal; 80 where it is not known.
int TerminalColumns();

// Writes at once, after all that was written to stdout before. Cancelled if
// nobody reads it any more, as behind `| head`, or when the terminal is gone;
// SIGPIPE must be ignored (see PrepareProgram).
absl::Status WriteToStdout(absl::string_view text);

}  // namespace pruner

#endif  // PRUNER_BASE_OS_TERMINAL_H_
