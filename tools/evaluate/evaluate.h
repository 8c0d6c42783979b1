// Judges a model by data sets.
#ifndef TOOLS_EVALUATE_EVALUATE_H_
#define TOOLS_EVALUATE_EVALUATE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "pruner/tune/cost_models.h"
#include "tools/evaluate/data_set.h"
#include "tools/evaluate/evaluation.pb.h"

namespace pruner {

// As the flags of the same names.
struct EvaluateOptions {
  std::string scorer = "draft";  // see evaluate.cc
  // Of the draft model.
  std::vector<std::string> without = {};
  bool ablation = false;
  // Of models that learn.
  std::string columns = kAllColumns;
  std::string branches = kBothBranches;
  std::string split = "task";  // none, task, programs
  int folds = 0;
  double train_share = 0.9;
  // What is learned besides; see LearnedOptions. It must outlive this.
  const DataSet* lessons = nullptr;
  // Of networks: the program that computes them, and their training.
  std::string network_program = {};
  std::string training = kListTraining;
  int epochs = 0;  // 0: as many as the training takes
  std::string pretrained = kNoPretrained;
  std::string adapt = "moa";
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
