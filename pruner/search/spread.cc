#include "pruner/search/spread.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "pruner/dag/compute_dag.h"
#include "pruner/sketch/decision.h"

namespace pruner {
namespace {

// With the sketch, of whose stages they are.
std::pair<int, std::vector<int32_t>> InnermostTiles(
    const SearchSpace& space, const Candidate& candidate) {
  std::vector<int32_t> lengths;
  for (const Decision& decision : space.Decisions(candidate.sketch)) {
    if (decision.kind == DecisionKind::kTile &&
        decision.lengths().axis_kind == AxisKind::kSpatial) {
      const absl::Span<const int32_t> values = candidate.values;
      lengths.push_back(ValuesOf(decision, values).back());
    }
  }
  return {candidate.sketch, std::move(lengths)};
}

}  // namespace

std::vector<Candidate> SpreadOverRanks(absl::Span<const Candidate> candidates) {
  std::vector<Candidate> first, others;
  for (size_t i = 0; i < candidates.size(); ++i)
    (std::has_single_bit(i + 1) ? first : others).push_back(candidates[i]);
  first.insert(first.end(), others.begin(), others.end());
  return first;
}

std::vector<Candidate> SpreadOverTiles(const SearchSpace& space,
                                       absl::Span<const Candidate> candidates,
                                       size_t n) {
  absl::flat_hash_map<std::pair<int, std::vector<int32_t>>, size_t> numbers;
  std::vector<std::vector<Candidate>> alike;
  for (const Candidate& candidate : candidates) {
    const auto [entry, is_new] =
        numbers.try_emplace(InnermostTiles(space, candidate), alike.size());
    if (is_new) alike.emplace_back();
    alike[entry->second].push_back(candidate);
  }
  std::vector<Candidate> first, others;
  for (const std::vector<Candidate>& same : alike) {
    const size_t left = n - std::min(n, first.size());
    const auto end_of_first = same.begin() + static_cast<ptrdiff_t>(std::min(
                                                 same.size(), (left + 1) / 2));
    first.insert(first.end(), same.begin(), end_of_first);
    others.insert(others.end(), end_of_first, same.end());
  }
  first.insert(first.end(), others.begin(), others.end());
  return first;
}

}  // namespace pruner
