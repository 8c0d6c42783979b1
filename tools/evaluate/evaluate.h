// Judges a model by data sets.
#ifndef TOOLS_EVALUATE_EVALUATE_H_
#define TOOLS_EVALUATE_EVALUATE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/evaluate/data_set.h"
#include "tools/evaluate/evaluation.pb.h"

namespace pruner {

// As the flags of the same names.
struct EvaluateOptions {
  std::string scorer = "draft";  // draft, fitted, trees, random
  // Of the draft model.
  std::vector<std::string> without = {};
  bool ablation = false;
  // Of trees.
  std::string columns = "all";  // all, compat
  std::string split = "task";   // task, programs
  double train_share = 0.9;
  std::vector<int> drafts = {512, 256, 128, 50};
  uint64_t seed = 1;
};

// What can be told before there is data. Errors name the flag.
absl::Status CheckEvaluateOptions(const EvaluateOptions& options);

// Errors: those of CheckEvaluateOptions and of the scorer.
absl::StatusOr<proto::Evaluation> Evaluate(const DataSet& data,
                                           const EvaluateOptions& options);

}  // namespace pruner

#endif  // TOOLS_EVALUATE_EVALUATE_H_
