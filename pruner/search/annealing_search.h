// AutoTVM's search, with what HW-init adds to it: a first batch and a bias from
// what is known beforehand (docs/algorithms.md C2).
#ifndef PRUNER_SEARCH_ANNEALING_SEARCH_H_
#define PRUNER_SEARCH_ANNEALING_SEARCH_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/base/rng.h"
#include "pruner/cost/rank_trees.h"
#include "pruner/features/feature_rows.h"
#include "pruner/sample/presample.h"
#include "pruner/sample/search_space.h"
#include "pruner/search/annealing.h"
#include "pruner/search/search_policy.h"
#include "pruner/sketch/candidate.h"

namespace pruner {

struct AnnealingSearchOptions {
  // The trees learn after so many results.
  int batch = 50;
  // Of a plan, what is drawn at random instead.
  double random_share = 0.05;
  AnnealingOptions annealing = {.least_score = 0};
  RankTreesOptions trees = {};
  // What a candidate that is known to be valid has in advance, as a share of
  // the range in which most scores are (from 5 to 95 percent of them). Ours,
  // for the paper's constant is lost; chosen as kValidShare was.
  double valid_bonus = 0.25;
};

// Works on candidates and throughputs alone. Not thread-safe. The same calls
// with the same random numbers give the same answers.
class AnnealingSearch {
 public:
  // A model that says something about the space before it is searched: scores,
  // to which the trees' are added. The first plan is made of them alone; as in
  // AutoTVM they count for half with each batch that was measured. Empty: there
  // is none.
  using BaseScores = std::function<absl::StatusOr<std::vector<float>>(
      absl::Span<const Candidate>)>;

  // The space must outlive it.
  AnnealingSearch(SearchSpace& space, const AnnealingSearchOptions& options)
      : space_(space),
        options_(options),
        trees_(options.trees),
        annealing_(space, options.annealing) {}

  // Before anything else: what is known of candidates without measuring them,
  // of which the invalid ones are never asked for by a plan, and what is asked
  // for first.
  void BeginWith(const Presample& known, std::vector<Candidate> first_batch);
  void BeginWith(BaseScores base) {
    base_ = std::move(base);
    plans_anew_ = true;
  }

  // At most `count` candidates, each of which `is_new` and was not asked for
  // before; fewer if draws find no more. They are at random until the trees
  // have learned.
  using IsNew = absl::FunctionRef<bool(const Candidate&)>;
  absl::StatusOr<std::vector<Candidate>> Next(int count, IsNew is_new,
                                              Rng& rng);

  // Forgets where its chains are and what it asked for in vain. The next plan
  // is of one round of so many candidates, each of which may be one at random
  // instead, and depends on what was observed alone.
  void Restart(int round);

  // How fast it is: operations per second, or whatever grows with it; 0: it
  // cannot run. Once for each candidate.
  void Observe(const Candidate& candidate, double throughput);

  int num_trees() const { return trees_.num_trees(); }
  // Of random draws.
  const RejectionCounts& rejections() const { return rejections_; }

 private:
  // Trains if there are enough new results, one of them of something that runs:
  // of so many whole batches as there are. Plans anew after that, and where it
  // is to.
  absl::Status LearnAndPlan(IsNew is_new, Rng& rng);
  // Whether it has learned anew.
  absl::StatusOr<bool> Learn();
  // How many of the next plan are drawn at random instead.
  int NumAtRandom(Rng& rng) const;
  absl::Status Plan(IsNew is_new, Rng& rng);
  // Of candidates, as far as they count now; zeros if there are none.
  absl::StatusOr<std::vector<float>> DiscountedBase(
      absl::Span<const Candidate> candidates) const;
  // The plan's scores: the model's, minus infinity for what is known to be
  // invalid and more for what is known to be valid.
  absl::StatusOr<std::vector<double>> BiasedScores(
      absl::Span<const Candidate> candidates);
  // The model's, of which none is computed twice.
  absl::StatusOr<std::vector<float>> Scores(
      absl::Span<const Candidate> candidates);
  bool IsNewHere(const Candidate& candidate, IsNew is_new) const;
  bool IsKnownInvalid(const Candidate& candidate) const;
  absl::StatusOr<std::optional<Candidate>> DrawNew(IsNew is_new, Rng& rng);
  // As many columns as the longest that was learned from.
  FeatureRows RowsOf(absl::Span<const Candidate> candidates) const;

  SearchSpace& space_;
  const AnnealingSearchOptions options_;
  RankTrees trees_;
  Annealing annealing_;
  BaseScores base_;
  // By CandidateHash: whether what is known beforehand is valid.
  absl::flat_hash_map<uint64_t, bool> known_;
  std::vector<Candidate> first_;  // what is left of it; the last is the next
  absl::flat_hash_set<uint64_t> asked_for_;
  std::vector<Candidate> measured_;
  std::vector<float> throughputs_;
  size_t learned_ = 0;           // of measured_
  size_t values_ = 0;            // of a row
  std::vector<Candidate> plan_;  // what is left of it; the last is the next
  bool plans_anew_ = false;
  int round_ = 0;  // 0: a plan is of a batch
  // By CandidateHash, since the trees last learned.
  absl::flat_hash_map<uint64_t, float> scores_;
  std::optional<double> bonus_;  // of the present plan
  RejectionCounts rejections_;
};

}  // namespace pruner

#endif  // PRUNER_SEARCH_ANNEALING_SEARCH_H_
