// Random schedules first, then mostly mutations of the best measured ones.
#ifndef PRUNER_SEARCH_RANDOM_MUTATION_POLICY_H_
#define PRUNER_SEARCH_RANDOM_MUTATION_POLICY_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "pruner/base/rng.h"
#include "pruner/draft/draft_model.h"
#include "pruner/measure/measure_result.h"
#include "pruner/sample/schedule_space.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/search/measured_candidates.h"
#include "pruner/search/policy_inputs.h"
#include "pruner/search/search_policy.h"
#include "pruner/sketch/candidate.h"

namespace pruner {

struct RandomMutationParameters {
  // The first trials of a task are all random, for there is little to mutate.
  int random_trials = 12;
  // Of the later ones this share is, so that no local optimum holds the search.
  double random_share = 0.25;
  // Mutations are made of this many of the best measured schedules; the i-th of
  // them, from 0, with a probability proportional to 1 / (i + 1).
  int parents = 5;
  // The chance that a mutation is mutated once more, and how many mutations in
  // a row there are at most.
  double mutate_again = 0.3;
  int max_mutations = 3;
  // Of those that are not random, this share are children of two of the best
  // instead (docs/algorithms.md A9; 0.05 there, in Ansor's prototype only).
  double crossover = 0;
  // Draws to find one new candidate of the intended sort; then as many of the
  // other sort. If these fail too, the space is taken to be exhausted.
  int attempts = 100;
  // Candidates drawn for each that is proposed, if a draft model picks.
  int oversampling = 4;
};

class RandomMutationPolicy : public SearchPolicy {
 public:
  // Without a draft model candidates are proposed in the order drawn. Error: a
  // sketch or the default schedule does not fit the DAG, a bug of its rule.
  static absl::StatusOr<std::unique_ptr<RandomMutationPolicy>> Create(
      const PolicyInputs& inputs, const RandomMutationParameters& parameters);

  const Schedule& DefaultSchedule() const override {
    return first_.front().schedule;
  }
  absl::StatusOr<std::vector<Proposal>> Propose(int n, Rng& rng) override;
  void Observe(const Proposal& proposal, const MeasureResult& result) override {
    measured_.Observe(proposal, result);
  }
  const RejectionCounts& rejections() const override { return rejections_; }

 private:
  struct Drawn {
    Candidate candidate;
    Proposal proposal;
    double score = 0;  // of the draft model, if there is one
  };

  RandomMutationPolicy(const PolicyInputs& inputs,
                       const RandomMutationParameters& parameters,
                       std::unique_ptr<ScheduleSpace> space,
                       std::vector<Proposal> first);

  // A candidate that is neither known nor in `pool`, and now in the latter.
  absl::StatusOr<std::optional<Drawn>> DrawNew(bool breed, Rng& rng,
                                               CandidateSet& pool);
  absl::StatusOr<CandidateDraw> Breed(Rng& rng);
  absl::StatusOr<CandidateDraw> MutateAParent(Rng& rng);
  absl::StatusOr<CandidateDraw> CrossTwoParents(Rng& rng);
  std::vector<double> ParentWeights() const;
  // Whether candidate number `trial` of the task is to be bred.
  bool ChooseBreeding(int64_t trial, Rng& rng) const;

  SketchContext context_;
  const DraftModel* draft_;
  RandomMutationParameters parameters_;
  std::unique_ptr<ScheduleSpace> space_;
  // The default schedule and others to begin with.
  std::vector<Proposal> first_;
  MeasuredCandidates measured_;
  RejectionCounts rejections_;
};

}  // namespace pruner

#endif  // PRUNER_SEARCH_RANDOM_MUTATION_POLICY_H_
