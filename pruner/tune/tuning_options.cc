#include "pruner/tune/tuning_options.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace pruner {

absl::Status CheckTuningOptions(const TuningOptions& options) {
  if (options.trials < 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the number of trials is ", options.trials, "; it is 0 or more"));
  }
  if (options.round_trials < 1) {
    return absl::InvalidArgumentError(absl::StrCat("the trials of a round are ",
                                                   options.round_trials,
                                                   "; they are 1 or more"));
  }
  if (options.race_candidates < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("the candidates of a race are ", options.race_candidates,
                     "; they are 0 or more"));
  }
  if (options.second_timings < 0) {
    return absl::InvalidArgumentError(absl::StrCat("the second timings are ",
                                                   options.second_timings,
                                                   "; they are 0 or more"));
  }
  return absl::OkStatus();
}

}  // namespace pruner
