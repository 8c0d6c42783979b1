#include "pruner/cost/training_set.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "pruner/base/status_macros.h"
#include "pruner/cost/cost_model.h"
#include "pruner/features/feature_rows.h"

namespace pruner {
namespace {

absl::Status Check(const FeatureRows& programs,
                   absl::Span<const ProgramLabel> labels) {
  if (labels.size() != programs.ends.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("there are ", labels.size(), " labels for ",
                     programs.num_programs(), " programs"));
  }
  for (const ProgramLabel& label : labels) {
    if (label.seconds.has_value() &&
        !(std::isfinite(*label.seconds) && *label.seconds > 0)) {
      return absl::InvalidArgumentError(
          absl::StrCat("a program cannot take ", *label.seconds,
                       " s: seconds are positive "
                       "and finite, and a program that failed has none"));
    }
  }
  for (int i = 0; i < programs.num_programs(); ++i) {
    for (const absl::Span<const float> values :
         {programs.rows(i), programs.program_row(i)}) {
      for (const float value : values) {
        if (!std::isfinite(value)) {
          return absl::InvalidArgumentError(absl::StrCat(
              "program ", i, " has a feature that is not finite: ", value));
        }
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status TrainingSet::Add(const FeatureRows& programs,
                              absl::Span<const ProgramLabel> labels) {
  RETURN_IF_ERROR(Check(programs, labels));
  if (programs.num_programs() == 0) return absl::OkStatus();
  if (labels_.empty()) {
    programs_.columns = programs.columns;
    programs_.program_columns = programs.program_columns;
  }
  if (programs.columns != programs_.columns) {
    return absl::InvalidArgumentError(
        absl::StrCat("rows of ", programs.columns,
                     " features cannot join rows of ", programs_.columns));
  }
  if (programs.program_columns != programs_.program_columns) {
    return absl::InvalidArgumentError(
        absl::StrCat("programs with ", programs.program_columns,
                     " features of their own cannot join programs with ",
                     programs_.program_columns));
  }
  programs_.AppendAll(programs);
  labels_.insert(labels_.end(), labels.begin(), labels.end());
  for (const ProgramLabel& label : labels) {
    constexpr double kNone = std::numeric_limits<double>::infinity();
    double& best = tasks_.try_emplace(label.task, TaskBest{num_tasks(), kNone})
                       .first->second.seconds;
    best = std::min(best, label.seconds.value_or(kNone));
  }
  return absl::OkStatus();
}

std::vector<float> TrainingSet::Labels() const {
  std::vector<float> labels;
  labels.reserve(labels_.size());
  for (const ProgramLabel& label : labels_) {
    labels.push_back(
        label.seconds.has_value()
            ? static_cast<float>(tasks_.at(label.task).seconds / *label.seconds)
            : 0.0f);
  }
  return labels;
}

std::vector<int> TrainingSet::Tasks() const {
  std::vector<int> tasks;
  tasks.reserve(labels_.size());
  for (const ProgramLabel& label : labels_)
    tasks.push_back(tasks_.at(label.task).place);
  return tasks;
}

}  // namespace pruner
