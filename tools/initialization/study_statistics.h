// What the study says of some runs: trials to the optimum.
#ifndef TOOLS_INITIALIZATION_STUDY_STATISTICS_H_
#define TOOLS_INITIALIZATION_STUDY_STATISTICS_H_

#include "absl/types/span.h"
#include "tools/initialization/study_run.h"

namespace pruner {

struct TrialsToOptimum {
  // A run that did not find it counts as one that found it in its last trial.
  double mean = 0;
  double half_interval = 0;  // of 95 percent, of the mean
  double median = 0;
  double quartile_range = 0;
  double found = 0;        // the share of the runs
  double first_valid = 0;  // candidates of the first batch that ran, the mean
};

// Of at least one run, each of which had at most `trials`.
TrialsToOptimum StatisticsOf(absl::Span<const StudyRun> runs, int trials);

}  // namespace pruner

#endif  // TOOLS_INITIALIZATION_STUDY_STATISTICS_H_
