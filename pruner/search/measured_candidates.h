// What a search knows of its task: the candidates that were proposed or
// measured, and the best of them.
#ifndef PRUNER_SEARCH_MEASURED_CANDIDATES_H_
#define PRUNER_SEARCH_MEASURED_CANDIDATES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/measure/measure_result.h"
#include "pruner/sample/schedule_space.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/search/search_policy.h"
#include "pruner/sketch/candidate.h"

namespace pruner {

// Candidates, and the schedules that they make: different ones may make the
// same. Of both there are hashes only: a search of a hundred thousand trials
// remembers them all, and takes a new one for one of them with a probability of
// some 10^-14.
class CandidateSet {
 public:
  bool Contains(const Candidate& candidate) const {
    return candidates_.contains(CandidateHash(candidate));
  }
  bool Contains(uint64_t schedule_hash) const {
    return schedules_.contains(schedule_hash);
  }
  // Whether it was not there.
  bool Add(const Candidate& candidate) {
    return candidates_.insert(CandidateHash(candidate)).second;
  }
  bool Add(uint64_t schedule_hash) {
    return schedules_.insert(schedule_hash).second;
  }
  size_t num_schedules() const { return schedules_.size(); }

 private:
  absl::flat_hash_set<uint64_t> candidates_;  // CandidateHash
  absl::flat_hash_set<uint64_t> schedules_;   // ScheduleHash
};

// Not thread-safe.
class MeasuredCandidates {
 public:
  struct Measured {
    Candidate candidate;
    double cost = 0;  // seconds
  };

  // Keeps so many of the best. The space must outlive it.
  MeasuredCandidates(ScheduleSpace& space, size_t best)
      : space_(space), max_best_(best) {}

  // The candidate, if the proposal's genes are known.
  std::optional<Candidate> Observe(const Proposal& proposal,
                                   const MeasureResult& result);

  // The proposal of a candidate that is neither known nor in `pool`, and now in
  // the latter; none if it is.
  absl::StatusOr<std::optional<Proposal>> ProposeNew(const Candidate& candidate,
                                                     CandidateSet& pool);
  // It is known from now on.
  void MarkProposed(const Candidate& candidate, const Schedule& schedule);
  // Those of `first` that are not known, until there are n proposals; they are
  // known from now on.
  void ProposeUnknown(absl::Span<const Proposal> first, size_t n,
                      std::vector<Proposal>& proposals);

  bool IsKnown(const Candidate& candidate) const {
    return known_.Contains(candidate);
  }
  // Schedules proposed or observed.
  int64_t num_known() const {
    return static_cast<int64_t>(known_.num_schedules());
  }
  // Of those whose genes are known, the fastest first.
  const std::vector<Measured>& best() const { return best_; }

 private:
  // The candidate of which the proposal has genes; none, with a note the first
  // time, if they do not make its schedule.
  std::optional<Candidate> CandidateOf(const Proposal& proposal);
  void AddBest(const Candidate& candidate, double cost);
  // If the schedule was measured, and nobody knew its genes: these are they.
  void AdoptResult(uint64_t hash, const Candidate& candidate);

  ScheduleSpace& space_;
  const size_t max_best_;
  std::vector<Measured> best_;
  CandidateSet known_;
  // By ScheduleHash: costs of schedules, such as the default one, that nobody
  // knows the genes of.
  absl::flat_hash_map<uint64_t, double> without_genes_;
  bool has_dropped_genes_ = false;
};

}  // namespace pruner

#endif  // PRUNER_SEARCH_MEASURED_CANDIDATES_H_
