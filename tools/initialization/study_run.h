// One search of the study: how many trials it takes to the optimum
// (docs/algorithms.md C2, C3).
#ifndef TOOLS_INITIALIZATION_STUDY_RUN_H_
#define TOOLS_INITIALIZATION_STUDY_RUN_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/sample/presample.h"
#include "pruner/sample/select_diverse.h"
#include "pruner/search/annealing_search.h"
#include "tools/initialization/study_space.h"

namespace pruner {

// What a search begins with. As is: hardware-aware initialization.
struct Initialization {
  // Whether it looks at the space with the oracle before it measures, at so
  // many points for each of the first batch.
  bool presamples = true;
  int points_per_trial = kPresamplePerTrial;
  // Whether the first batch is chosen among them, this share of it valid; if
  // not, it is random.
  bool selects = true;
  int first_batch = 50;
  double valid_share = kValidShare;
  // Whether the plans know them.
  bool biases = true;
  double valid_bonus = AnnealingSearchOptions().valid_bonus;
  // Trees that have learned of other workloads; the first plan is theirs.
  AnnealingSearch::BaseScores base = {};
};

inline Initialization AtRandom() {
  return {.presamples = false, .selects = false, .biases = false};
}

struct StudyRun {
  // By trial, the number of the point.
  std::vector<int64_t> points = {};
  int64_t presampled = 0;
  int first_valid = 0;  // of the first batch
  // Until the optimum was measured; 0: it was not.
  int trials_to_optimum = 0;
};

struct StudyOptions {
  int trials = 750;
  int batch = 50;
  // Ends when the optimum is found.
  bool ends_at_optimum = true;
};

absl::StatusOr<StudyRun> RunStudy(const StudySpace& space,
                                  const Initialization& initialization,
                                  uint64_t seed,
                                  const StudyOptions& options = {});

}  // namespace pruner

#endif  // TOOLS_INITIALIZATION_STUDY_RUN_H_
