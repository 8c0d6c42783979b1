// What a scheduler sees of the tasks.
#ifndef PRUNER_TUNE_TASK_STATE_H_
#define PRUNER_TUNE_TASK_STATE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pruner/tune/slot_history.h"
#include "pruner/tune/task_use.h"

namespace pruner {

// How far a task has got, earlier runs included.
struct TaskState {
  std::vector<TaskUse> uses = {{}};
  int64_t flops = 0;
  // What the constants that it reads from memory take at its bandwidth; 0 where
  // they are in a cache.
  double stream_seconds = 0;
  // Of SimilarityTag; tasks of the same tag can be expected to reach the same
  // share of the peak, unless it is empty.
  std::string similarity_tag = {};
  int64_t trials = 0;
  // What a trial of it takes on the average, of compiling and running; 0 while
  // none is known.
  double trial_seconds = 0;
  std::optional<double> best_seconds = std::nullopt;  // none has succeeded yet
  bool exhausted = false;  // there is nothing left to measure

  // In which the task has its turns.
  int Slot() const { return uses[0].slot; }
};

struct TuningState {
  std::vector<TaskState> tasks = {};
  // Of the slots in which tasks have their turns.
  std::map<int, SlotHistory> histories = {};
};

}  // namespace pruner

#endif  // PRUNER_TUNE_TASK_STATE_H_
