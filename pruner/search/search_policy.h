// The interface of search policies: which schedules of a task to measure next.
// A policy sees results and proposes schedules; it reads no clock and no file,
// so that the same results and the same random numbers give the same proposals.
// All implementations pass search_policy_conformance.h.
#ifndef PRUNER_SEARCH_SEARCH_POLICY_H_
#define PRUNER_SEARCH_SEARCH_POLICY_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "pruner/base/rng.h"
#include "pruner/measure/measure_result.h"
#include "pruner/schedule/transform_step.h"

namespace pruner {

// How many draws were no candidates, by reason: a RejectionName, or kRepeated.
using RejectionCounts = std::map<std::string, int64_t>;
inline constexpr char kRepeated[] = "repeated";

// A schedule to measure, and the genes from which the policy made it, as a line
// (ScheduleSpace::GenesOf): kept with the result, a later run goes on with
// them.
struct Proposal {
  Schedule schedule = {};
  std::string genes = {};  // empty: there are none

  bool operator==(const Proposal&) const = default;
};

// The search for one task on one target. Not thread-safe.
class SearchPolicy {
 public:
  virtual ~SearchPolicy() = default;

  // What one would write without tuning. It is the first proposal, unless it
  // was observed before, so that no tuning ends with something worse.
  virtual const Schedule& DefaultSchedule() const = 0;

  // At most n proposals, n > 0, of whose schedules none was proposed or
  // observed before; the most promising first. Fewer if no more are found, none
  // if the space is exhausted. Error: a bug in a rule or a mutation, whose
  // steps do not fit.
  virtual absl::StatusOr<std::vector<Proposal>> Propose(int n, Rng& rng) = 0;

  // What measuring a proposal gave. Also of those that this policy did not
  // make: of an earlier run, of an older version, of another policy. Where
  // there are no genes, or they are not what the schedule is made of any more,
  // the schedule counts all the same.
  virtual void Observe(const Proposal& proposal,
                       const MeasureResult& result) = 0;

  virtual const RejectionCounts& rejections() const = 0;
};

}  // namespace pruner

#endif  // PRUNER_SEARCH_SEARCH_POLICY_H_
