#include "pruner/search/measured_candidates.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/log/log.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/base/status_macros.h"
#include "pruner/measure/measure_result.h"
#include "pruner/schedule/schedule_hash.h"

namespace pruner {

absl::StatusOr<std::optional<Proposal>> MeasuredCandidates::ProposeNew(
    const Candidate& candidate, CandidateSet& pool) {
  if (known_.Contains(candidate) || !pool.Add(candidate)) return std::nullopt;
  ASSIGN_OR_RETURN(Schedule schedule, space_.ScheduleOf(candidate));
  const uint64_t hash = ScheduleHash(schedule);
  AdoptResult(hash, candidate);
  if (known_.Contains(hash) || !pool.Add(hash)) return std::nullopt;
  return Proposal{.schedule = std::move(schedule),
                  .genes = space_.GenesOf(candidate)};
}

void MeasuredCandidates::MarkProposed(const Candidate& candidate,
                                      const Schedule& schedule) {
  known_.Add(candidate);
  known_.Add(ScheduleHash(schedule));
}

void MeasuredCandidates::ProposeUnknown(absl::Span<const Proposal> first,
                                        size_t n,
                                        std::vector<Proposal>& proposals) {
  for (const Proposal& proposal : first) {
    if (proposals.size() >= n) return;
    if (known_.Add(ScheduleHash(proposal.schedule)))
      proposals.push_back(proposal);
  }
}

std::optional<Candidate> MeasuredCandidates::CandidateOf(
    const Proposal& proposal) {
  if (proposal.genes.empty()) return std::nullopt;
  absl::Status status;
  absl::StatusOr<Candidate> candidate = space_.Parse(proposal.genes);
  if (candidate.ok()) {
    const absl::StatusOr<Schedule> schedule = space_.ScheduleOf(*candidate);
    if (schedule.ok() && *schedule == proposal.schedule)
      return *std::move(candidate);
    status = absl::FailedPreconditionError("they make another schedule now");
  } else {
    status = candidate.status();
  }
  if (!has_dropped_genes_) {
    LOG(INFO) << "Genes of an earlier run are dropped, and so may others be; "
                 "the results count: "
              << status.message();
  }
  has_dropped_genes_ = true;
  return std::nullopt;
}

std::optional<Candidate> MeasuredCandidates::Observe(
    const Proposal& proposal, const MeasureResult& result) {
  const uint64_t hash = ScheduleHash(proposal.schedule);
  known_.Add(hash);
  std::optional<Candidate> candidate = CandidateOf(proposal);
  if (candidate) known_.Add(*candidate);
  if (!result.ok()) return candidate;
  if (candidate) {
    AddBest(*candidate, Cost(result));
  } else {
    without_genes_.emplace(hash, Cost(result));
  }
  return candidate;
}

void MeasuredCandidates::AdoptResult(uint64_t hash,
                                     const Candidate& candidate) {
  const auto found = without_genes_.find(hash);
  if (found == without_genes_.end()) return;
  known_.Add(candidate);
  AddBest(candidate, found->second);
  without_genes_.erase(found);
}

void MeasuredCandidates::AddBest(const Candidate& candidate, double cost) {
  const auto place = std::upper_bound(
      best_.begin(), best_.end(), cost,
      [](double c, const Measured& measured) { return c < measured.cost; });
  best_.insert(place, {.candidate = candidate, .cost = cost});
  if (best_.size() > max_best_) best_.pop_back();
}

}  // namespace pruner
