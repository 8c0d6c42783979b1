// Data sets: what record logs hold, as models are judged by it.
#ifndef TOOLS_EVALUATE_DATA_SET_H_
#define TOOLS_EVALUATE_DATA_SET_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/cost/cost_model.h"
#include "pruner/features/columns.h"
#include "pruner/features/feature_rows.h"
#include "pruner/program/program.h"
#include "pruner/record/best_records.h"
#include "pruner/record/log_contents.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/target/target_key.h"
#include "pruner/target/target_spec.h"
#include "pruner/workload/workload.h"
#include "pruner/workload/workload_key.h"

namespace pruner {

struct DataProgram {
  Schedule schedule = {};  // which fits the workload's DAG
  // Cost() of its first timing; none: it failed.
  std::optional<double> seconds = {};
};

// Two timings of one program, of which the second is a race's.
struct TimedTwice {
  double first = 0, second = 0;  // seconds
};

// The distinct programs of one workload on one target, timed in one way.
struct DataTask {
  std::string name = {};  // for people; no other task has it
  RecordKey key = {};
  std::vector<DataProgram> programs = {};  // as they were measured
  std::vector<TimedTwice> timed_twice = {};

  int64_t num_failures() const;
  // The least of the programs; none if all failed.
  std::optional<double> best_seconds() const;
};

struct DataSet {
  std::map<TargetKey, TargetSpec> targets = {};
  std::map<WorkloadKey, Workload> workloads = {};
  std::vector<DataTask> tasks = {};  // as they occur; some program of each ran
  // Sentences for the user: what of the logs is left out.
  std::vector<std::string> notes = {};

  const TargetSpec& TargetOf(const DataTask& task) const {
    return targets.at(task.key.target);
  }
};

// Learned models are of one target. Error: the data is of several.
absl::Status CheckOneTarget(const DataSet& data);

// Calls with the place and the program of each of the task's schedules.
void ForEachProgram(const DataSet& data, const DataTask& task,
                    absl::FunctionRef<void(size_t, const Program&)> call);

// Adds the task's programs to what models learn from, as those of task
// `number`.
void AppendPrograms(const DataSet& data, const DataTask& task, uint64_t number,
                    ColumnExtractor& extractor, FeatureRows& rows,
                    std::vector<ProgramLabel>& labels);

// The logs together, as if they were one. Of a target that several describe the
// first one's rates count. Error: there is no program that ran.
absl::StatusOr<DataSet> MakeDataSet(absl::Span<const LogContents> logs);

// Reads the files first. Errors name the file: those of ReadRecordLog; a log of
// format 1.
absl::StatusOr<DataSet> ReadDataSet(absl::Span<const std::string> paths);

}  // namespace pruner

#endif  // TOOLS_EVALUATE_DATA_SET_H_
