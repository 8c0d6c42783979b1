#include "tools/evaluate/data_set.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/log/check.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "pruner/base/status_macros.h"
#include "pruner/base/text/utf8.h"
#include "pruner/measure/measure_result.h"
#include "pruner/program/resolve.h"
#include "pruner/record/measure_record.h"
#include "pruner/schedule/schedule_hash.h"

namespace pruner {
namespace {

class Builder {
 public:
  void Add(const LogContents& log);
  absl::StatusOr<DataSet> Take();

 private:
  struct Task {
    DataTask data = {};
    std::map<uint64_t, size_t> places = {};  // of programs, by ScheduleHash
  };

  void AddTrial(Task& task, const MeasureRecord& record);
  static void AddRace(Task& task, const MeasureRecord& record);
  std::string NameOf(const RecordKey& key) const;
  void Note(int64_t count, absl::string_view what);

  DataSet data_;
  std::vector<Task> tasks_;
  std::map<RecordKey, size_t> task_of_;
  int64_t lost_ = 0, unresolved_ = 0, repeated_ = 0;
};

void Builder::Add(const LogContents& log) {
  data_.targets.insert(log.targets.begin(), log.targets.end());
  data_.workloads.insert(log.workloads.begin(), log.workloads.end());
  for (const MeasureRecord& record : log.records) {
    if (!data_.targets.contains(record.target) ||
        !data_.workloads.contains(record.workload)) {
      ++lost_;
      continue;
    }
    const RecordKey key = RecordKeyOf(record);
    const auto [place, is_new] = task_of_.try_emplace(key, tasks_.size());
    if (is_new) tasks_.push_back({.data = {.key = key}});
    Task& task = tasks_[place->second];
    record.race ? AddRace(task, record) : AddTrial(task, record);
  }
}

void Builder::AddTrial(Task& task, const MeasureRecord& record) {
  const auto [place, is_new] = task.places.try_emplace(
      ScheduleHash(record.schedule), task.data.programs.size());
  if (!is_new) {
    ++repeated_;
    return;
  }
  if (!Resolve(data_.workloads.at(record.workload).dag, record.schedule,
               data_.targets.at(record.target))
           .ok()) {
    ++unresolved_;
    task.places.erase(place);
    return;
  }
  DataProgram& program = task.data.programs.emplace_back();
  program.schedule = record.schedule;
  if (record.result.ok()) program.seconds = Cost(record.result);
}

void Builder::AddRace(Task& task, const MeasureRecord& record) {
  const auto place = task.places.find(ScheduleHash(record.schedule));
  if (place == task.places.end() || !record.result.ok()) return;
  const std::optional<double> first = task.data.programs[place->second].seconds;
  if (!first) return;
  task.data.timed_twice.push_back(
      {.first = *first, .second = Cost(record.result)});
}

// With the target and the way of timing where the logs have several.
std::string Builder::NameOf(const RecordKey& key) const {
  std::set<TargetKey> targets;
  std::set<std::string> policies;
  for (const auto& [each, place] : task_of_) {
    targets.insert(each.target);
    policies.insert(each.measure_policy);
  }
  std::string name = data_.workloads.at(key.workload).name;
  if (policies.size() > 1) absl::StrAppend(&name, " ", key.measure_policy);
  if (targets.size() > 1)
    absl::StrAppend(&name, " on ", data_.targets.at(key.target).name);
  return OneLine(name);
}

void Builder::Note(int64_t count, absl::string_view what) {
  if (count > 0) data_.notes.push_back(absl::StrCat(count, what));
}

absl::StatusOr<DataSet> Builder::Take() {
  Note(lost_,
       " records are left out: the entry of their workload or target is lost");
  Note(unresolved_,
       " schedules are left out: they do not fit their pipelines any more");
  Note(repeated_,
       " timings are left out: the program was measured before, and its first "
       "timing counts");
  std::set<std::string> names;
  for (Task& task : tasks_) {
    DataTask& data = task.data;
    data.name = NameOf(data.key);
    if (!names.insert(data.name).second) {
      absl::StrAppend(&data.name, " ", ToString(data.key.workload), " ",
                      ToString(data.key.target));
      names.insert(data.name);
    }
    if (data.best_seconds()) {
      data_.tasks.push_back(std::move(data));
    } else {
      data_.notes.push_back(
          absl::StrCat(data.name, " is left out: none of its programs ran"));
    }
  }
  if (data_.tasks.empty())
    return absl::InvalidArgumentError("there is no program that ran");
  return std::move(data_);
}

}  // namespace

int64_t DataTask::num_failures() const {
  return std::count_if(
      programs.begin(), programs.end(),
      [](const DataProgram& program) { return !program.seconds; });
}

std::optional<double> DataTask::best_seconds() const {
  std::optional<double> best;
  for (const DataProgram& program : programs) {
    if (program.seconds && (!best || *program.seconds < *best))
      best = program.seconds;
  }
  return best;
}

absl::Status CheckOneTarget(const DataSet& data) {
  for (const DataTask& task : data.tasks) {
    if (task.key.target == data.tasks.front().key.target) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("a model is of one target, and the logs are of ",
                     data.TargetOf(data.tasks.front()).name, " and ",
                     data.TargetOf(task).name, ": give the logs of one"));
  }
  return absl::OkStatus();
}

void ForEachProgram(const DataSet& data, const DataTask& task,
                    absl::FunctionRef<void(size_t, const Program&)> call) {
  const ComputeDag& dag = data.workloads.at(task.key.workload).dag;
  for (size_t i = 0; i < task.programs.size(); ++i) {
    const absl::StatusOr<Program> program =
        Resolve(dag, task.programs[i].schedule, data.TargetOf(task));
    CHECK_OK(program.status());  // it was when the program was added
    call(i, *program);
  }
}

void AppendPrograms(const DataSet& data, const DataTask& task, uint64_t number,
                    ColumnExtractor& extractor, FeatureRows& rows,
                    std::vector<ProgramLabel>& labels) {
  ForEachProgram(data, task, [&](size_t i, const Program& program) {
    extractor.Append(program, data.TargetOf(task), rows);
    labels.push_back({.task = number, .seconds = task.programs[i].seconds});
  });
}

absl::StatusOr<DataSet> MakeDataSet(absl::Span<const LogContents> logs) {
  Builder builder;
  for (const LogContents& log : logs) builder.Add(log);
  return builder.Take();
}

absl::StatusOr<DataSet> ReadDataSet(absl::Span<const std::string> paths) {
  Builder builder;
  std::vector<std::string> notes;
  for (const std::string& path : paths) {
    ASSIGN_OR_RETURN(const LogContents log, ReadRecordLog(path));
    if (log.legacy) {
      return absl::FailedPreconditionError(
          absl::StrCat(path,
                       " is a record log of format 1; tuning its network again "
                       "makes it one of format ",
                       kLogFormat));
    }
    notes.insert(notes.end(), log.notes.begin(), log.notes.end());
    builder.Add(log);
  }
  ASSIGN_OR_RETURN(DataSet data, builder.Take(),
                   _ << "in " << absl::StrJoin(paths, ", "));
  data.notes.insert(data.notes.begin(), notes.begin(), notes.end());
  return data;
}

}  // namespace pruner
