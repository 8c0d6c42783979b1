#include "tools/records/show_log.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "pruner/base/text/table.h"
#include "pruner/base/text/units.h"
#include "pruner/base/text/utf8.h"
#include "pruner/measure/measure_result.h"
#include "pruner/record/best_records.h"
#include "pruner/record/legacy_log.h"
#include "pruner/record/log_contents.h"
#include "pruner/record/measure_record.h"
#include "pruner/target/target_key.h"
#include "pruner/workload/workload_key.h"

namespace pruner {
namespace {

// What logs of all formats have.
struct View {
  std::vector<MeasureRecord> records;
  std::map<WorkloadKey, std::string> workloads;  // names
  std::map<TargetKey, std::string> targets;
};

View ViewOf(const LegacyLog& log) {
  View view;
  TargetKey target;
  if (log.header) {
    target = {log.header->target_fingerprint};
    view.targets[target] = log.header->target;
  } else {
    view.targets[target] = "unknown target";
  }
  for (const LegacyRecord& record : log.records) {
    view.workloads.emplace(WorkloadKey{record.workload_hash},
                           record.workload_name);
    view.records.push_back({.workload = {record.workload_hash},
                            .target = target,
                            .schedule = record.schedule,
                            .result = record.result,
                            .trial = record.trial,
                            .time = record.time});
  }
  return view;
}

View ViewOf(const LogContents& log) {
  if (log.legacy) return ViewOf(*log.legacy);
  View view = {.records = log.records, .workloads = {}, .targets = {}};
  for (const MeasureRecord& record : log.records) {
    view.workloads.emplace(record.workload, log.NameOf(record.workload));
    view.targets.emplace(record.target, log.NameOf(record.target));
  }
  return view;
}

// "1 record", "2 records".
std::string Count(size_t count, absl::string_view what) {
  return absl::StrCat(count, " ", what, count == 1 ? "" : "s");
}

std::string FailuresText(const FailureCounts& failures) {
  if (failures.empty()) return "-";
  return absl::StrJoin(failures, " ",
                       [](std::string* out, const auto& failure) {
                         absl::StrAppend(out, FailureKindName(failure.first),
                                         ":", failure.second);
                       });
}

// What was measured on one target.
std::string TargetTable(const View& view, const BestRecords& best,
                        TargetKey target) {
  // By name, as people look for it.
  std::map<std::pair<std::string, RecordKey>, const WorkloadRecords*> rows;
  std::vector<double> costs;  // in milliseconds
  for (const auto& [key, records] : best.all()) {
    if (key.target != target) continue;
    rows[{OneLine(view.workloads.at(key.workload)), key}] = &records;
    if (records.best) costs.push_back(Cost(records.best->result) * 1e3);
  }
  const int decimals = ColumnDecimals(costs);
  Table table({{"workload", Table::Align::kLeft},
               {"key"},
               {"measured", Table::Align::kLeft},
               {"trials"},
               {"best ms"},
               {"failures", Table::Align::kLeft}});
  for (const auto& [name_and_key, records] : rows) {
    const auto& [name, key] = name_and_key;
    table.AddRow({name, ToString(key.workload), OneLine(key.measure_policy),
                  absl::StrCat(records->trials),
                  records->best
                      ? absl::StrFormat("%.*f", decimals,
                                        Cost(records->best->result) * 1e3)
                      : "-",
                  FailuresText(records->failures)});
  }
  return table.ToString();
}

// What the log is of, in a line.
std::string LastLine(const LogContents& log, const View& view) {
  const std::string records = Count(view.records.size(), "record");
  if (!log.legacy) {
    return absl::StrCat(records, " of ",
                        Count(view.workloads.size(), "workload"), " on ",
                        Count(view.targets.size(), "target"), ", by ",
                        Count(log.runs.size(), "run"), "\n");
  }
  if (!log.legacy->header) return absl::StrCat(records, ", format 1\n");
  const LegacyHeader& header = *log.legacy->header;
  return absl::StrCat(records, " of ", OneLine(header.model), ", batch ",
                      header.batch, ", for ", OneLine(header.target),
                      ", format 1\n");
}

std::string OptionsText(const RunInfo& info) {
  return absl::StrJoin(info.options, " ",
                       [](std::string* out, const auto& option) {
                         absl::StrAppend(out, OneLine(option.first), "=",
                                         OneLine(option.second));
                       });
}

}  // namespace

std::string SummaryText(const LogContents& log) {
  const View view = ViewOf(log);
  const BestRecords best(view.records);
  std::string text;
  for (const auto& [key, name] : view.targets) {
    absl::StrAppend(&text, OneLine(name), " (", ToString(key), "):\n",
                    TargetTable(view, best, key), "\n");
  }
  return absl::StrCat(text, LastLine(log, view));
}

std::string RunsText(const LogContents& log) {
  if (log.legacy) return "logs of format 1 do not tell their runs apart\n";
  std::map<int64_t, int64_t> records;
  for (const MeasureRecord& record : log.records) ++records[record.run];
  Table table({{"run"},
               {"began (UTC)", Table::Align::kLeft},
               {"records"},
               {"target", Table::Align::kLeft},
               {"seed"},
               {"policy", Table::Align::kLeft},
               {"program", Table::Align::kLeft},
               {"Halide", Table::Align::kLeft},
               {"host", Table::Align::kLeft},
               {"options", Table::Align::kLeft}});
  for (const auto& [id, run] : log.runs) {
    const RunInfo& info = run.info;
    table.AddRow(
        {absl::StrCat(id),
         absl::FormatTime("%Y-%m-%d %H:%M:%S", info.time, absl::UTCTimeZone()),
         absl::StrCat(records[id]), OneLine(log.NameOf(run.target)),
         absl::StrCat(info.seed), OneLine(info.policy), OneLine(info.program),
         OneLine(info.halide), OneLine(info.host), OptionsText(info)});
  }
  return table.ToString();
}

std::string AllRecordsText(const LogContents& log) {
  const View view = ViewOf(log);
  std::string text;
  for (const MeasureRecord& record : view.records) {
    absl::StrAppend(
        &text, PrintRecord(record, view.workloads.at(record.workload)), "\n");
  }
  return text;
}

std::string BestRecordsText(const LogContents& log) {
  const View view = ViewOf(log);
  std::string text;
  const BestRecords best(view.records);
  for (const auto& [key, records] : best.all()) {
    if (!records.best) continue;
    absl::StrAppend(&text,
                    PrintRecord(*records.best, view.workloads.at(key.workload)),
                    "\n");
  }
  return text;
}

}  // namespace pruner
