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
#include "tools/records/salvage_log.h"
#include "tools/records/show_log.h"

ABSL_FLAG(std::string, log, "",
          "the record log: a file, or a folder that tune wrote");
ABSL_FLAG(std::string, show, "summary",
          "summary: a line per workload; all: every record, a line of JSON "
          "each; best: the best record of each workload, likewise; runs: a "
          "line per run of the tuner");

ABSL_FLAG(std::string, salvage, "",
          "a new file, to which all entries are written that can be read of "
          "the file --log, however damaged it is");

namespace pruner {
namespace {

constexpr char kUsage[] =
    "Shows what a record log holds, also while tune is writing it. It is not "
    "changed.\n\n"
    "  records --log=r50\n"
    "  records --log=r50/records.log --show=all\n"
    "  records --log=r50/records.log.dropped --salvage=found.log";

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

absl::Status Show(const std::string& file, const std::string& what) {
  ASSIGN_OR_RETURN(const View view, FindView(what));
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

absl::Status Run() {
  const std::string log = absl::GetFlag(FLAGS_log);
  if (log.empty()) {
    return absl::InvalidArgumentError(
        "which log? Say --log=FOLDER, where tune wrote to");
  }
  const std::string file = RecordLogPath(ResolveUserPath(log));
  const std::string salvage = absl::GetFlag(FLAGS_salvage);
  if (salvage.empty()) return Show(file, absl::GetFlag(FLAGS_show));
  ASSIGN_OR_RETURN(const std::string text,
                   SalvageLog(file, ResolveUserPath(salvage)));
  return Print(absl::StrCat(text, "\n"));
}

}  // namespace
}  // namespace pruner

int main(int argc, char** argv) {
  using namespace pruner;  // NOLINT: this is the program
  if (const std::optional<int> code = InitTool(argc, argv, kUsage, kSources))
    return *code;
  const absl::Status status = Run();
  return status.ok() ? kExitOk : ReportError("records", status);
}
