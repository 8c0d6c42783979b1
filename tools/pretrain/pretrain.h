// Trains a network on data sets, for tuning runs to begin with.
#ifndef TOOLS_PRETRAIN_PRETRAIN_H_
#define TOOLS_PRETRAIN_PRETRAIN_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "pruner/tune/cost_models.h"
#include "tools/evaluate/data_set.h"

namespace pruner {

// What a network was trained on.
struct PretrainResult {
  int64_t programs = 0;  // those that failed among them
  int64_t failures = 0;
  int tasks = 0;
  double seconds = 0;  // that training took

  // Such as "17,578 programs of 32 tasks (3 failed), 41 s".
  std::string ToString() const;
};

// Trains on all of the data and writes the network to the file. Errors: a model
// that is no network; too little to learn from: a single task, fewer programs
// than a step of training takes; programs of several targets.
absl::StatusOr<PretrainResult> Pretrain(const DataSet& data,
                                        const CostModelOptions& options,
                                        const std::string& path);

}  // namespace pruner

#endif  // TOOLS_PRETRAIN_PRETRAIN_H_
