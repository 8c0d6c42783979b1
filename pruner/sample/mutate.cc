#include "pruner/sample/mutate.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "pruner/base/factors.h"
#include "pruner/base/status_macros.h"
#include "pruner/sample/levels.h"

namespace pruner {
namespace {

// Half of the mutations of a tile move a factor, half draw anew.
constexpr double kMoveFactor = 0.5;
// Of moves, those from one axis' innermost tile to another's.
constexpr double kMoveBetweenAxes = 0.2;

// Another of the values; nullopt if there is none.
std::optional<int32_t> DrawOther(std::vector<int32_t> values, int32_t present,
                                 Rng& rng) {
  std::erase(values, present);
  if (values.empty()) return std::nullopt;
  return rng.Pick(values);
}

class Mutation {
 public:
  Mutation(SearchSpace& space, const Candidate& candidate, Rng& rng)
      : space_(space),
        decisions_(space.Decisions(candidate.sketch)),
        mutant_(candidate),
        rng_(rng) {}

  // The mutated values, to be repaired; or why there are none.
  absl::StatusOr<CandidateDraw> Run() {
    std::array<std::vector<size_t>, kNumDecisionKinds> of_kind;
    for (size_t i = 0; i < decisions_.size(); ++i) {
      if (space_.IsActive(mutant_, i))
        of_kind[static_cast<int>(decisions_[i].kind)].push_back(i);
    }
    std::vector<double> chances;
    for (int kind = 0; kind < kNumDecisionKinds; ++kind) {
      chances.push_back(space_.weights().of[kind] *
                        static_cast<double>(of_kind[kind].size()));
    }
    chances.push_back(space_.weights().sketch);
    if (std::accumulate(chances.begin(), chances.end(), 0.0) == 0)
      return Rejection::kUnchanged;
    const size_t kind = rng_.WeightedIndex(chances);
    std::optional<Rejection> rejection;
    if (kind == kNumDecisionKinds) {
      ASSIGN_OR_RETURN(rejection, MutateSketch());
    } else {
      ASSIGN_OR_RETURN(rejection, MutateDecision(rng_.Pick(of_kind[kind])));
    }
    if (rejection) return *rejection;
    return mutant_;
  }

 private:
  absl::StatusOr<std::optional<Rejection>> MutateSketch() {
    ASSIGN_OR_RETURN(const int sketch,
                     space_.DrawNeighbourSketch(mutant_.sketch, rng_));
    if (sketch == mutant_.sketch) return Rejection::kUnchanged;
    mutant_ = space_.Carry(mutant_, sketch);
    return std::nullopt;
  }

  absl::StatusOr<std::optional<Rejection>> MutateDecision(size_t which) {
    const Decision& decision = decisions_[which];
    if (!decision.HasLengths()) return MutateChoice(which);
    const bool can_move = decision.kind == DecisionKind::kTile ||
                          decision.kind == DecisionKind::kFactor;
    if (!can_move || !rng_.Chance(kMoveFactor))
      return space_.Redraw(which, rng_, mutant_);
    const std::vector<size_t> others = OtherAxes(which);
    const bool moved = !others.empty() && rng_.Chance(kMoveBetweenAxes)
                           ? MoveBetweenAxes(which, rng_.Pick(others))
                           : MoveBetweenLevels(which);
    if (!moved) return Rejection::kUnchanged;
    return std::nullopt;
  }

  absl::StatusOr<std::optional<Rejection>> MutateChoice(size_t which) {
    ASSIGN_OR_RETURN(std::vector<int32_t> values,
                     space_.ChoicesOf(which, mutant_));
    int32_t& value = mutant_.values[decisions_[which].first];
    const std::optional<int32_t> other =
        DrawOther(std::move(values), value, rng_);
    if (!other) return Rejection::kUnchanged;
    const Candidate before = mutant_;
    value = *other;
    OpenWhatBegins(before);
    return std::nullopt;
  }

  // Lengths that begin to make a difference are drawn: until now they had none
  // of their own.
  void OpenWhatBegins(const Candidate& before) {
    for (size_t i = 0; i < decisions_.size(); ++i) {
      if (!decisions_[i].HasLengths() || space_.IsActive(before, i) ||
          !space_.IsActive(mutant_, i))
        continue;
      const absl::Span<int32_t> lengths =
          ValuesOf(decisions_[i], absl::MakeSpan(mutant_.values));
      std::fill(lengths.begin(), lengths.end(), kOpen);
    }
  }

  // Tiles of other axes of the same stage, both of them spatial.
  std::vector<size_t> OtherAxes(size_t which) const {
    const Decision& decision = decisions_[which];
    std::vector<size_t> others;
    if (decision.lengths().axis_kind != AxisKind::kSpatial) return others;
    for (size_t i = 0; i < decisions_.size(); ++i) {
      const Decision& other = decisions_[i];
      if (i != which && other.kind == DecisionKind::kTile &&
          other.stage == decision.stage &&
          other.lengths().axis_kind == AxisKind::kSpatial) {
        others.push_back(i);
      }
    }
    return others;
  }

  Levels LevelsOf(size_t which) const {
    return {
        decisions_[which].lengths(),
        ValuesOf(decisions_[which], absl::Span<const int32_t>(mutant_.values))};
  }

  void Write(size_t which, const Levels& levels) {
    levels.WriteTo(ValuesOf(decisions_[which], absl::MakeSpan(mutant_.values)));
  }

  int64_t DrawPrime(int64_t of) { return rng_.Pick(PrimeFactors(of)); }

  bool MoveBetweenLevels(size_t which) {
    Levels levels = LevelsOf(which);
    const std::vector<size_t> givers = levels.Givers(levels.size());
    if (givers.empty() || levels.size() - levels.first() < 2) return false;
    const size_t from = rng_.Pick(givers);
    size_t to = levels.first() + rng_.Index(levels.size() - levels.first() - 1);
    if (to >= from) ++to;
    levels.Move(from, to, DrawPrime(levels[from]));
    Write(which, levels);
    return true;
  }

  // Makes the innermost tile of one axis smaller and the other's larger: one
  // alone may not fit the registers, or leave some idle.
  bool MoveBetweenAxes(size_t smaller, size_t larger) {
    Levels a = LevelsOf(smaller), b = LevelsOf(larger);
    const size_t inner_a = a.size() - 1, inner_b = b.size() - 1;
    const std::vector<size_t> givers = b.Givers(inner_b);
    if (a[inner_a] == 1 || a.first() == inner_a || givers.empty()) return false;
    const size_t to = a.first() + rng_.Index(inner_a - a.first());
    a.Move(inner_a, to, DrawPrime(a[inner_a]));
    const size_t from = rng_.Pick(givers);
    b.Move(from, inner_b, DrawPrime(b[from]));
    Write(smaller, a);
    Write(larger, b);
    return true;
  }

  SearchSpace& space_;
  const absl::Span<const Decision> decisions_;
  Candidate mutant_;
  Rng& rng_;
};

}  // namespace

absl::StatusOr<CandidateDraw> Mutate(SearchSpace& space,
                                     const Candidate& candidate, Rng& rng) {
  ASSIGN_OR_RETURN(CandidateDraw draw, Mutation(space, candidate, rng).Run());
  if (auto* mutant = std::get_if<Candidate>(&draw)) {
    ASSIGN_OR_RETURN(draw, Complete(space, std::move(*mutant), &rng));
  }
  if (draw == CandidateDraw(candidate)) return Rejection::kUnchanged;
  return draw;
}

}  // namespace pruner
