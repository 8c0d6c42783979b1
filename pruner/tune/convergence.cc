#include "pruner/tune/convergence.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "absl/time/time.h"
#include "absl/types/span.h"
#include "pruner/record/best_records.h"
#include "pruner/record/log_contents.h"
#include "pruner/record/measure_record.h"
#include "pruner/tune/distinct_tasks.h"

namespace pruner {
namespace {

// Of the runs of a log, one after the other.
class RunClock {
 public:
  explicit RunClock(const std::map<int64_t, LoggedRun>& runs) : runs_(runs) {}

  // Until the record, which no earlier record follows.
  absl::Duration ElapsedAt(const MeasureRecord& record) {
    if (record.run != run_) {
      before_ = elapsed_;
      run_ = record.run;
      const auto run = runs_.find(run_);
      begin_ = run == runs_.end() ? record.time : run->second.info.time;
    }
    // A clock that was set back does not undo what has passed.
    elapsed_ = std::max(elapsed_, before_ + (record.time - begin_));
    return elapsed_;
  }

 private:
  const std::map<int64_t, LoggedRun>& runs_;
  int64_t run_ = -1;  // the id of no run
  absl::Time begin_;
  absl::Duration before_, elapsed_;
};

}  // namespace

std::vector<ConvergencePoint> ConvergenceOf(
    absl::Span<const DistinctTask> tasks, const LogContents& log) {
  std::set<RecordKey> keys;
  for (const DistinctTask& task : tasks) keys.insert(task.key);
  RunClock clock(log.runs);
  BestRecords best;
  std::vector<ConvergencePoint> points;
  std::optional<ConvergencePoint> last;
  int64_t trials = 0;
  for (const MeasureRecord& record : log.records) {
    if (record.race || keys.count(RecordKeyOf(record)) == 0) continue;
    best.Add(record);
    ++trials;
    const absl::Duration elapsed = clock.ElapsedAt(record);
    const std::optional<double> seconds = NetworkSeconds(tasks, best);
    if (!seconds) continue;
    last = {.trials = trials, .elapsed = elapsed, .network_seconds = *seconds};
    if (points.empty() || *seconds < points.back().network_seconds)
      points.push_back(*last);
  }
  if (last && points.back() != *last) points.push_back(*last);
  return points;
}

}  // namespace pruner
