// Evolution guided by a learned model, with a share of random candidates
// (Ansor's search, docs/algorithms.md A9, A10); a draft model may choose where
// it begins (Pruner's, B3).
#ifndef PRUNER_SEARCH_EVOLUTIONARY_POLICY_H_
#define PRUNER_SEARCH_EVOLUTIONARY_POLICY_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "pruner/base/rng.h"
#include "pruner/measure/measure_result.h"
#include "pruner/sample/schedule_space.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/search/candidate_scorer.h"
#include "pruner/search/evolution.h"
#include "pruner/search/initialization.h"
#include "pruner/search/measured_candidates.h"
#include "pruner/search/policy_inputs.h"
#include "pruner/search/search_policy.h"

namespace pruner {

// More trials than any task has.
inline constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

// Candidates that evolution guided by the draft model finds, from random ones.
struct DraftParameters {
  int size = 0;                  // 0: there is no draft
  int random_candidates = 1536;  // that it begins with
  EvolutionParameters evolution = {};
  int rounds = 2;  // of proposals, for which a draft serves
  // So many trials of a task are chosen from the draft, whatever the learned
  // model says of it: what it knows is of other tasks.
  int first_trials = 0;
};

// What differs in one thing from the best that were measured, chosen by whoever
// judges candidates: where a DAG has many stages, what is good at all of them
// is rarely found anew, and where a task has many trials, there are enough to
// look closely.
struct NearParameters {
  double share = 0;  // of the proposals, where there are so many of either
  int least_stages = 0;
  int64_t least_trials = kNever;
  size_t parents = 3;
  // Few: among many a model finds those that make no difference.
  int mutants = 16;
};

// A draft that serves for the whole search.
inline constexpr int kOneDraft = 1 << 20;

struct EvolutionaryParameters {
  EvolutionParameters evolution = {};
  // Random candidates that a population begins with; the paper: all of it.
  int random_candidates = 2048;
  // The best measured ones are in it as well, up to this share of a population.
  double measured_share = 0.2;
  // Of the proposals so many are random ones instead.
  double random_share = 0.05;
  // How much the draft model's opinion counts beside that of the learned one,
  // if there are drafts; see SecondOpinion.
  double draft_weight = 0;
  // Draws in a row that may give nothing new.
  int attempts = 100;
  // A part of the first population; until the model has learned something, the
  // best of it are proposed, or random candidates, if there is none.
  DraftParameters draft = {};
  NearParameters near = {};
  // Of a task that has so many trials, about, the best that are proposed at
  // once have different tiles; see SpreadOverTiles.
  int64_t spread_trials = kNever;
};

// For a task, which in a network has fewer.
inline constexpr int64_t kManyTrials = 200;

// Draft, then verify, with numbers of ours, which find faster kernels in as
// many trials and less time (docs/search.md): one draft, that a task begins
// with, and a quarter of Ansor's candidates, in which the best measured ones
// weigh more.
inline constexpr EvolutionaryParameters kPruner = {
    .evolution = {.population = 448,
                  .selection_power = 4,
                  .distinct_scores = true},
    .random_candidates = 160,
    .draft_weight = 0.5,
    .draft = {.size = 256,
              .random_candidates = 896,
              .evolution = {.population = 640,
                            .generations = 2,
                            .distinct_scores = true},
              .rounds = kOneDraft,
              .first_trials = 4},
    .near = {.share = 0.4, .least_stages = 12, .least_trials = kManyTrials},
    .spread_trials = kManyTrials};

// Pruner's round, with the numbers of its authors' code: 512 of a draft, 1536
// random candidates and the best measured ones are bred once. Not theirs is
// that of candidates with the same score one is proposed.
inline constexpr EvolutionaryParameters kPrunerPaper = {
    .evolution = {.population = 1536,
                  .generations = 1,
                  .distinct_scores = true},
    .random_candidates = 1536,
    .measured_share = 0.1,
    .random_share = 0.1,
    .draft = {
        .size = 512,
        .evolution = {
            .population = 1536, .generations = 2, .distinct_scores = true}}};

class EvolutionaryPolicy : public SearchPolicy {
 public:
  // Requires inputs.draft if there are to be drafts, and else inputs.cost.
  // Without a learned model the draft model chooses all along.
  // Error: a sketch or the default schedule does not fit the DAG, a bug of its
  // rule.
  static absl::StatusOr<std::unique_ptr<EvolutionaryPolicy>> Create(
      const PolicyInputs& inputs, const EvolutionaryParameters& parameters);

  const Schedule& DefaultSchedule() const override {
    return first_.front().schedule;
  }
  absl::StatusOr<std::vector<Proposal>> Propose(int n, Rng& rng) override;
  void Observe(const Proposal& proposal, const MeasureResult& result) override;
  const RejectionCounts& rejections() const override { return rejections_; }

 private:
  EvolutionaryPolicy(const PolicyInputs& inputs,
                     const EvolutionaryParameters& parameters,
                     std::unique_ptr<ScheduleSpace> space,
                     std::vector<Proposal> first);

  // Adds to the proposals what the model finds, and random candidates, until
  // there are n.
  absl::Status Search(int n, Rng& rng, CandidateSet& pool,
                      std::vector<Proposal>& proposals);
  // The best that are not known yet, of the generations that begin with what
  // was added to the evolution, the draft and the best measured ones.
  absl::StatusOr<std::vector<Candidate>> BestOf(Evolution& evolution,
                                                size_t keep, Rng& rng);
  // The best unknown mutants of the best measured ones.
  absl::StatusOr<std::vector<Candidate>> NearBest(size_t keep, Rng& rng);
  // Who judges candidates when measured ones are known.
  CandidateScorer& Verifier();
  // Brings draft_ up to date for a round of n that begins now. It depends on
  // the seed and on how many candidates are known, so that a search that goes
  // on has the same.
  absl::Status DraftFor(int n);
  // Neither known nor known not to compile.
  bool IsNew(const Candidate& candidate) const;
  // Adds proposals from these, in order, until there are n.
  absl::Status Take(absl::Span<const Candidate> candidates, size_t n,
                    CandidateSet& pool, std::vector<Proposal>& proposals);

  EvolutionaryParameters parameters_;
  CostModel* const model_;  // may be null
  std::unique_ptr<ScheduleSpace> space_;
  // The default schedule and others to begin with.
  std::vector<Proposal> first_;
  std::optional<DraftScorer> draft_scorer_;
  std::optional<LearnedScorer> learned_scorer_;
  const uint64_t seed_;
  const bool spreads_;
  // The last draft, best first, and which it is.
  int64_t draft_number_ = -1;
  std::vector<Candidate> draft_;
  MeasuredCandidates measured_;
  FirstBatch first_batch_;
  RejectionCounts rejections_;
};

}  // namespace pruner

#endif  // PRUNER_SEARCH_EVOLUTIONARY_POLICY_H_
