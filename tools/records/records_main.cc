// Shows a record log; see kUsage.
#include <optional>
#include <string>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "pruner/base/os/environment.h"
#include "pruner/base/status_macros.h"
#include "pruner/record/log_contents.h"
#include "tools/common/log_path.h"
#include "tools/common/tool_flags.h"
#include "tools/common/tool_output.h"
#include "tools/records/show_log.h"

ABSL_FLAG(std::string, log, "",
          "the record log: a file, or a folder that tune wrote");
ABSL_FLAG(std::string, show, "summary",
          "summary: a line per workload; all: every record, a line of JSON "
          "each; best: the best record of each workload, likewise; runs: a "
          "line per run of the tuner");

namespace pruner {
namespace {

constexpr char kUsage[] =
    "Shows what a record log holds, also while tune is writing it. It is not "
    "changed.\n\n"
    "  records --log=r50\n"
    "  records --log=r50/records.log --show=all";

constexpr char kSources[] = "tools/records/records_main";

struct View {
  absl::string_view name;
  std::string (*text)(const LogContents&);
};
constexpr View kViews[] = {{"summary", SummaryText},
                           {"all", AllRecordsText},
                           {"best", BestRecordsText},
                           {"runs", RunsText}};

absl::StatusOr<View> FindView(const std::string& name) {
  for (const View& view : kViews) {
    if (view.name == name) return view;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "--show=", name, " is not one of ",
      absl::StrJoin(kViews, ", ", [](std::string* out, const View& view) {
        absl::StrAppend(out, view.name);
      })));
}

absl::Status Show(const std::string& path, const std::string& what) {
  if (path.empty()) {
    return absl::InvalidArgumentError(
        "which log? Say --log=FOLDER, where tune wrote to");
  }
  ASSIGN_OR_RETURN(const View view, FindView(what));
  const std::string file = RecordLogPath(path);
  ASSIGN_OR_RETURN(const LogContents log, ReadRecordLog(file));
  for (const std::string& note : log.notes) PrintNote("records", note);
  if (log.legacy) {
    PrintNote("records",
              absl::StrCat(file,
                           " is a record log of format 1; tuning its network "
                           "again makes it one of format ",
                           kLogFormat));
  }
  return Print(view.text(log));
}

}  // namespace
}  // namespace pruner

int main(int argc, char** argv) {
  using namespace pruner;  // NOLINT: this is the program
  if (const std::optional<int> code = InitTool(argc, argv, kUsage, kSources))
    return *code;
  const std::string path = absl::GetFlag(FLAGS_log);
  const absl::Status status = Show(path.empty() ? path : ResolveUserPath(path),
                                   absl::GetFlag(FLAGS_show));
  return status.ok() ? kExitOk : ReportError("records", status);
}
