// Shows a record log; see kUsage.
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "pruner/base/os/environment.h"
#include "pruner/base/os/files.h"
#include "pruner/base/status_macros.h"
#include "pruner/base/text/table.h"
#include "pruner/base/text/units.h"
#include "pruner/record/best_records.h"
#include "pruner/record/record_log.h"
#include "tools/common/tool_flags.h"

ABSL_FLAG(std::string, log, "",
          "the record log: a file, or a folder that tune wrote");
ABSL_FLAG(std::string, show, "summary",
          "summary: a line per workload; all: every record, a line each; best: "
          "the best record "
          "of each workload");

namespace pruner {
namespace {

constexpr char kUsage[] =
    "Shows what a record log holds, also while tune is writing it. It is not "
    "changed.\n\n"
    "  records --log=r50\n"
    "  records --log=r50/records.log --show=all";

constexpr char kSources[] = "tools/records/records_main";

std::string SummaryTable(const LogContents& log, const BestRecords& best) {
  std::map<uint64_t, std::string> names;
  for (const MeasureRecord& record : log.records) {
    names.emplace(record.workload_hash, record.workload_name);
  }
  std::vector<double> costs;  // in milliseconds
  for (const auto& [hash, records] : best.workloads()) {
    if (records.best) costs.push_back(Cost(records.best->result) * 1e3);
  }
  const int decimals = ColumnDecimals(costs);
  Table table({{"workload", Table::Align::kLeft},
               {"hash"},
               {"trials"},
               {"best ms"},
               {"failures", Table::Align::kLeft}});
  for (const auto& [hash, records] : best.workloads()) {
    const std::string failures = absl::StrJoin(
        records.failures, " ", [](std::string* out, const auto& failure) {
          absl::StrAppend(out, FailureKindName(failure.first), ":",
                          failure.second);
        });
    table.AddRow(
        {names.at(hash), absl::StrCat(absl::Hex(hash, absl::kZeroPad16)),
         absl::StrCat(records.trials),
         records.best ? absl::StrFormat("%.*f", decimals,
                                        Cost(records.best->result) * 1e3)
                      : "-",
         failures.empty() ? "-" : failures});
  }
  return table.ToString();
}

absl::Status Show(const std::string& path, const std::string& what) {
  if (path.empty()) {
    return absl::InvalidArgumentError(
        "which log? Say --log=FOLDER, where tune wrote to");
  }
  if (what != "summary" && what != "all" && what != "best") {
    return absl::InvalidArgumentError(
        absl::StrCat("--show=", what, " is not one of summary, all, best"));
  }
  const bool is_folder = ListDirectory(path).ok();
  ASSIGN_OR_RETURN(
      const LogContents log,
      ReadRecordLog(is_folder ? absl::StrCat(path, "/records.log") : path));
  for (const std::string& note : log.notes)
    std::cerr << "records: " << note << "\n";
  const BestRecords best(log.records);
  if (what == "all") {
    for (const MeasureRecord& record : log.records)
      std::cout << PrintRecord(record) << "\n";
  } else if (what == "best") {
    for (const auto& [hash, records] : best.workloads()) {
      if (records.best) std::cout << PrintRecord(*records.best) << "\n";
    }
  } else {
    std::cout << SummaryTable(log, best) << "\n"
              << log.records.size() << " records of " << log.header.model
              << ", batch " << log.header.batch << ", for " << log.header.target
              << "\n";
  }
  return absl::OkStatus();
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
