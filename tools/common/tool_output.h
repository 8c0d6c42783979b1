// What tools print, for people: control characters, which names in a user's
// file may have, are shown and do not reach the terminal.
#ifndef TOOLS_COMMON_TOOL_OUTPUT_H_
#define TOOLS_COMMON_TOOL_OUTPUT_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace pruner {

// Prints a result to stdout, at once. OK also if nobody reads it any more: who
// asks for less, as `head` does, has what they want.
absl::Status Print(absl::string_view text);

// Prints "<tool>: <text>" and a line break to stderr.
void PrintNote(absl::string_view tool, absl::string_view text);

// How a long run goes, on stdout. Such a run is for its files: it goes on
// without this output where that cannot be written, which stderr is told once.
class RunOutput {
 public:
  explicit RunOutput(absl::string_view tool) : tool_(tool) {}

  // Prints a line, at once.
  void Say(absl::string_view line);

  // Prints text as it is, such as what takes the place of a line of a terminal.
  void Show(absl::string_view text);

 private:
  std::string tool_;
  bool lost_ = false;
};

}  // namespace pruner

#endif  // TOOLS_COMMON_TOOL_OUTPUT_H_
