#include "pruner/pacm/training_options.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "pruner/base/status_macros.h"

namespace pruner {

TrainingOptions FineTuning() {
  TrainingOptions options;
  options.optimizer = TrainingOptions::Optimizer::kSgd;
  options.weight_decay = 0;
  options.max_gradient_norm = 0;
  options.patience = options.max_epochs;
  return options;
}

TrainingOptions ListTraining() {
  TrainingOptions options;
  options.learning_rate = 3e-3;
  options.batch_size = 256;
  options.list_size = 128;
  options.max_epochs = 20;
  options.max_examples = 200'000;
  options.threads = 1;
  return options;
}

absl::Status CheckTrainingOptions(const TrainingOptions& options) {
  const auto in_range = [](absl::string_view name, double value, double low,
                           double high) {
    if (value >= low && value <= high) return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrCat(
        "training: ", name, " = ", value, " is not in ", low, "..", high));
  };
  RETURN_IF_ERROR(in_range("learning_rate", options.learning_rate, 1e-9, 1));
  RETURN_IF_ERROR(in_range("weight_decay", options.weight_decay, 0, 1));
  RETURN_IF_ERROR(
      in_range("max_gradient_norm", options.max_gradient_norm, 0, 1e9));
  // The loss is of all pairs of a batch.
  RETURN_IF_ERROR(in_range("batch_size", options.batch_size, 2, 16384));
  RETURN_IF_ERROR(
      in_range("list_size", options.list_size, 0, options.batch_size));
  if (options.list_size == 1)
    return absl::InvalidArgumentError("training: a list of 1 has no order");
  RETURN_IF_ERROR(in_range("max_epochs", options.max_epochs, 1, 1e6));
  RETURN_IF_ERROR(in_range("max_examples",
                           static_cast<double>(options.max_examples), 0, 1e15));
  RETURN_IF_ERROR(in_range("halving_epochs", options.halving_epochs, 3, 1e9));
  RETURN_IF_ERROR(in_range("patience", options.patience, 1, 1e6));
  RETURN_IF_ERROR(in_range("loss_memory", options.loss_memory, 0, 1));
  RETURN_IF_ERROR(in_range("min_programs", options.min_programs, 2, 1e9));
  return in_range("threads", options.threads, 0, 1024);
}

int Epochs(const TrainingOptions& options, int64_t programs) {
  if (options.max_examples == 0) return options.max_epochs;
  return static_cast<int>(
      std::clamp<int64_t>(options.max_examples / std::max<int64_t>(programs, 1),
                          1, options.max_epochs));
}

double LearningRate(const TrainingOptions& options, int epoch) {
  if (options.max_epochs < options.halving_epochs) return options.learning_rate;
  return std::ldexp(options.learning_rate, -(epoch / (options.max_epochs / 3)));
}

}  // namespace pruner
