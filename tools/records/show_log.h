// What a record log holds, as text for people and for programs. Also of a log
// of format 1, with that format's hashes in place of keys.
#ifndef TOOLS_RECORDS_SHOW_LOG_H_
#define TOOLS_RECORDS_SHOW_LOG_H_

#include <string>

#include "pruner/record/log_contents.h"

namespace pruner {

// For each target a table with a line for each workload and measuring policy;
// then how much there is.
std::string SummaryText(const LogContents& log);

// A line for each run.
std::string RunsText(const LogContents& log);

// PrintRecord's line of every record, or of the best one of each workload,
// target and measuring policy.
std::string AllRecordsText(const LogContents& log);
std::string BestRecordsText(const LogContents& log);

}  // namespace pruner

#endif  // TOOLS_RECORDS_SHOW_LOG_H_
