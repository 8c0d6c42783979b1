// AutoTVM's search of schedules: annealing on trees that rank their genes
// (docs/algorithms.md C2).
#ifndef PRUNER_SEARCH_ANNEALING_POLICY_H_
#define PRUNER_SEARCH_ANNEALING_POLICY_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "pruner/base/rng.h"
#include "pruner/measure/measure_result.h"
#include "pruner/sample/schedule_space.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/search/annealing_search.h"
#include "pruner/search/initialization.h"
#include "pruner/search/measured_candidates.h"
#include "pruner/search/policy_inputs.h"
#include "pruner/search/search_policy.h"

namespace pruner {

// The trees see genes alone: the sketch's number and what is decided of it.
// Other than in AutoTVM each round is planned anew, with new chains, so that a
// search that goes on does as if it had not ended.
class AnnealingPolicy : public SearchPolicy {
 public:
  // Error: a sketch or the default schedule does not fit the DAG, a bug of its
  // rule.
  static absl::StatusOr<std::unique_ptr<AnnealingPolicy>> Create(
      const PolicyInputs& inputs, const AnnealingSearchOptions& options = {});

  const Schedule& DefaultSchedule() const override {
    return first_.front().schedule;
  }
  absl::StatusOr<std::vector<Proposal>> Propose(int n, Rng& rng) override;
  void Observe(const Proposal& proposal, const MeasureResult& result) override;
  const RejectionCounts& rejections() const override {
    return search_.rejections();
  }

 private:
  AnnealingPolicy(const PolicyInputs& inputs,
                  std::unique_ptr<ScheduleSpace> space,
                  std::vector<Proposal> first,
                  const AnnealingSearchOptions& options);

  std::unique_ptr<ScheduleSpace> space_;
  // The default schedule and others to begin with.
  std::vector<Proposal> first_;
  MeasuredCandidates measured_;
  AnnealingSearch search_;
  FirstBatch first_batch_;
};

}  // namespace pruner

#endif  // PRUNER_SEARCH_ANNEALING_POLICY_H_
