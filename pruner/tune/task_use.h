// Where the result of a task is used.
#ifndef PRUNER_TUNE_TASK_USE_H_
#define PRUNER_TUNE_TASK_USE_H_

namespace pruner {

// A place in which a computation is used. Slots count from 0, over all
// networks; tasks of the same slot compete: only the fastest counts.
struct TaskUse {
  int slot = 0;
  double weight = 1;  // how often the network computes it
  int network = 0;
};

}  // namespace pruner

#endif  // PRUNER_TUNE_TASK_USE_H_
