#include "pruner/sample/select_diverse.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "absl/log/check.h"
#include "pruner/sample/neighbours.h"

namespace pruner {

std::vector<Candidate> FarthestPoints(const SearchSpace& space,
                                      absl::Span<const Candidate> candidates,
                                      int count, Rng& rng) {
  std::vector<Candidate> chosen;
  if (candidates.empty() || count < 1) return chosen;
  // To the nearest that was chosen; of those chosen less than of any other.
  std::vector<double> distances(candidates.size(),
                                std::numeric_limits<double>::infinity());
  size_t next = rng.Index(candidates.size());
  const size_t most = std::min<size_t>(count, candidates.size());
  while (chosen.size() < most) {
    chosen.push_back(candidates[next]);
    for (size_t i = 0; i < candidates.size(); ++i) {
      distances[i] = std::min(distances[i],
                              Distance(space, candidates[next], candidates[i]));
    }
    distances[next] = -1;
    next = static_cast<size_t>(
        std::max_element(distances.begin(), distances.end()) -
        distances.begin());
  }
  return chosen;
}

std::vector<Candidate> SelectDiverse(const SearchSpace& space,
                                     const Presample& presample, int count,
                                     double valid_share, Rng& rng) {
  CHECK(valid_share >= 0 && valid_share <= 1) << valid_share;
  const auto size = [](const std::vector<Candidate>& candidates) {
    return static_cast<int>(candidates.size());
  };
  const auto wanted = static_cast<int>(std::lround(valid_share * count));
  const int invalid = std::min(count - std::min(wanted, size(presample.valid)),
                               size(presample.invalid));
  std::vector<Candidate> selected =
      FarthestPoints(space, presample.valid, count - invalid, rng);
  const std::vector<Candidate> rest =
      FarthestPoints(space, presample.invalid, invalid, rng);
  selected.insert(selected.end(), rest.begin(), rest.end());
  return selected;
}

}  // namespace pruner
