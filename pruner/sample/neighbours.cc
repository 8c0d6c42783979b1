#include "pruner/sample/neighbours.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <utility>

#include "pruner/base/factors.h"
#include "pruner/base/status_macros.h"
#include "pruner/sample/levels.h"

namespace pruner {
namespace {

using View = absl::Span<const int32_t>;

// Candidates whose tile has a factor on an adjacent level.
void AddMoves(const Decision& decision, const Candidate& candidate,
              std::vector<Candidate>& moved) {
  const Levels levels(decision.lengths(),
                      ValuesOf(decision, View(candidate.values)));
  for (size_t from = levels.first(); from < levels.size(); ++from) {
    std::vector<int64_t> primes = PrimeFactors(levels[from]);
    primes.erase(std::unique(primes.begin(), primes.end()), primes.end());
    for (const int64_t prime : primes) {
      for (const bool outwards : {true, false}) {
        if (outwards ? from == levels.first() : from + 1 == levels.size())
          continue;
        Levels next = levels;
        next.Move(from, outwards ? from - 1 : from + 1, prime);
        next.WriteTo(ValuesOf(
            decision, absl::MakeSpan(moved.emplace_back(candidate).values)));
      }
    }
  }
}

// The last and the next value in the order of a choice.
absl::Status AddSteps(SearchSpace& space, size_t which,
                      const Decision& decision, const Candidate& candidate,
                      std::vector<Candidate>& moved) {
  ASSIGN_OR_RETURN(const std::vector<int32_t> choices,
                   space.ChoicesOf(which, candidate));
  const auto present = std::find(choices.begin(), choices.end(),
                                 candidate.values[decision.first]);
  if (present == choices.end()) return absl::OkStatus();
  const auto add = [&](int32_t value) {
    moved.emplace_back(candidate).values[decision.first] = value;
  };
  if (present != choices.begin()) add(*(present - 1));
  if (present + 1 != choices.end()) add(*(present + 1));
  return absl::OkStatus();
}

double TileDistance(const Decision& decision, View a, View b) {
  const Levels levels_a(decision.lengths(), ValuesOf(decision, a));
  const Levels levels_b(decision.lengths(), ValuesOf(decision, b));
  double distance = 0;
  for (size_t i = 0; i < levels_a.size(); ++i) {
    distance += std::abs(std::log2(static_cast<double>(levels_a[i])) -
                         std::log2(static_cast<double>(levels_b[i])));
  }
  return distance;
}

// One where the order of the choices does not say more.
double ChoiceDistance(const Decision& decision, View a, View b) {
  const int32_t value_a = a[decision.first];
  const int32_t value_b = b[decision.first];
  if (value_a == value_b) return 0;
  const auto* list = std::get_if<ChoiceDomain>(&decision.domain);
  if (list == nullptr) return 1;
  const auto position = [&](int32_t value) {
    return std::find(list->choices.begin(), list->choices.end(), value) -
           list->choices.begin();
  };
  return static_cast<double>(std::abs(position(value_a) - position(value_b)));
}

// Of two candidates of one sketch, of which `a` may be open in part.
double DistanceWithin(const SearchSpace& space, const Candidate& a,
                      const Candidate& b) {
  double distance = 0;
  for (const Decision& decision : space.Decisions(b.sketch)) {
    if (IsOpen(decision, a.values)) {
      distance += kUndecidedDistance;
    } else if (decision.HasLengths()) {
      distance += TileDistance(decision, a.values, b.values);
    } else {
      distance += ChoiceDistance(decision, a.values, b.values);
    }
  }
  return distance;
}

}  // namespace

absl::StatusOr<std::vector<Candidate>> Neighbours(SearchSpace& space,
                                                  const Candidate& candidate) {
  const absl::Span<const Decision> decisions =
      space.Decisions(candidate.sketch);
  std::vector<Candidate> moved;
  for (size_t i = 0; i < decisions.size(); ++i) {
    if (!space.IsActive(candidate, i)) continue;
    if (decisions[i].HasLengths()) {
      AddMoves(decisions[i], candidate, moved);
    } else {
      RETURN_IF_ERROR(AddSteps(space, i, decisions[i], candidate, moved));
    }
  }
  std::vector<Candidate> neighbours;
  for (Candidate& next : moved) {
    ASSIGN_OR_RETURN(const std::optional<Rejection> rejection,
                     space.Repair(/*rng=*/nullptr, next));
    const bool known = next == candidate ||
                       std::find(neighbours.begin(), neighbours.end(), next) !=
                           neighbours.end();
    if (!rejection && !known) neighbours.push_back(std::move(next));
  }
  return neighbours;
}

double Distance(const SearchSpace& space, const Candidate& a,
                const Candidate& b) {
  if (a.sketch == b.sketch) return DistanceWithin(space, a, b);
  return (DistanceWithin(space, space.Carry(a, b.sketch), b) +
          DistanceWithin(space, space.Carry(b, a.sketch), a)) /
         2;
}

}  // namespace pruner
