#include "pruner/sample/cross.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

using View = absl::Span<const int32_t>;

// The groups of which some values are not the same in both, ascending.
std::vector<int> DifferingGroups(const SearchSpace& space, const Candidate& a,
                                 const Candidate& b) {
  const absl::Span<const Decision> decisions = space.Decisions(a.sketch);
  const absl::Span<const int> groups = space.Groups(a.sketch);
  std::set<int> differing;
  for (size_t i = 0; i < decisions.size(); ++i) {
    if (ValuesOf(decisions[i], View(a.values)) !=
        ValuesOf(decisions[i], View(b.values))) {
      differing.insert(groups[i]);
    }
  }
  return {differing.begin(), differing.end()};
}

// Some of the groups, drawn uniformly: neither none nor all.
std::set<int> DrawSome(const std::vector<int>& groups, Rng& rng) {
  std::set<int> some;
  for (const int group : groups) {
    if (rng.Chance(0.5)) some.insert(group);
  }
  const int turned = rng.Pick(groups);
  if (some.empty()) some.insert(turned);
  if (some.size() == groups.size()) some.erase(turned);
  return some;
}

}  // namespace

absl::StatusOr<CandidateDraw> Cross(SearchSpace& space, const Candidate& a,
                                    const Candidate& b, Rng& rng) {
  if (a.sketch != b.sketch) return Rejection::kParents;
  const std::vector<int> differing = DifferingGroups(space, a, b);
  if (differing.empty()) return a;
  if (differing.size() == 1) return Rejection::kUnchanged;
  const std::set<int> from_b = DrawSome(differing, rng);
  Candidate child = a;
  const absl::Span<const Decision> decisions = space.Decisions(a.sketch);
  for (size_t i = 0; i < decisions.size(); ++i) {
    if (!from_b.contains(space.Groups(a.sketch)[i])) continue;
    const View values = ValuesOf(decisions[i], View(b.values));
    std::copy(values.begin(), values.end(),
              child.values.begin() + decisions[i].first);
  }
  ASSIGN_OR_RETURN(CandidateDraw draw, Complete(space, std::move(child), &rng));
  // What a parent chose may fit no more, and be replaced by what the other has.
  if (draw == CandidateDraw(a) || draw == CandidateDraw(b))
    return Rejection::kUnchanged;
  return draw;
}

}  // namespace pruner
