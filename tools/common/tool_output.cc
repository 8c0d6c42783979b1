#include "tools/common/tool_output.h"

#include <iostream>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "pruner/base/os/terminal.h"
#include "pruner/base/text/utf8.h"

namespace pruner {

absl::Status Print(absl::string_view text) {
  absl::Status status = WriteToStdout(ForTerminal(text));
  return absl::IsCancelled(status) ? absl::OkStatus() : status;
}

void PrintNote(absl::string_view tool, absl::string_view text) {
  std::cerr << tool << ": " << ForTerminal(text) << std::endl;
}

void RunOutput::Say(absl::string_view line) {
  Show(absl::StrCat(ForTerminal(line), "\n"));
}

void RunOutput::Show(absl::string_view text) {
  const absl::Status status = WriteToStdout(text);
  if (status.ok() || std::exchange(lost_, true)) return;
  PrintNote(tool_, absl::StrCat(status.message(), "; the run goes on"));
}

}  // namespace pruner
