// Sampling, mutation, crossover, neighbours and distances on a space that has
// no DAG: two tiles of one kernel that share 64 accumulators, and a choice.
#include "pruner/sample/search_space.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/factors.h"
#include "pruner/sample/cross.h"
#include "pruner/sample/length_sampler.h"
#include "pruner/sample/mutate.h"
#include "pruner/sample/neighbours.h"
#include "pruner/sample/sample.h"

namespace pruner {
namespace {

using ::testing::UnorderedElementsAre;

constexpr int64_t kMaxProduct = 64;
const std::vector<int64_t> kChoices = {0, 16, 64, 512};

Decision Tile(int axis, int first, int64_t extent) {
  return {
      .kind = DecisionKind::kTile,
      .step = axis,
      .axis = axis,
      .first = first,
      .count = 2,
      .domain = LengthsDomain{
          .extent = extent, .bindings = {Binding::kSerial, Binding::kSerial}}};
}

Decision Choice(int first) {
  return {.kind = DecisionKind::kUnroll,
          .first = first,
          .domain = ChoiceDomain{.choices = kChoices}};
}

// Sketch 0 tiles rows of 64 and columns of 96 and unrolls, 1 only tiles rows.
class ToySpace : public SearchSpace {
 public:
  absl::StatusOr<int> DrawSketch(Rng& rng) override {
    return static_cast<int>(rng.Index(2));
  }
  absl::StatusOr<int> DrawNeighbourSketch(int sketch, Rng&) override {
    return 1 - sketch;
  }
  absl::Span<const Decision> Decisions(int sketch) const override {
    return decisions_[sketch];
  }
  absl::Span<const int> Groups(int sketch) const override {
    return groups_[sketch];
  }
  const MutationWeights& weights() const override { return mutation_weights; }
  bool IsActive(const Candidate&, size_t) const override { return true; }

  absl::StatusOr<std::optional<Rejection>> Redraw(
      size_t decision, Rng& rng, Candidate& candidate) override {
    const Decision& d = decisions_[candidate.sketch][decision];
    if (!d.HasLengths()) {
      candidate.values[d.first] = static_cast<int32_t>(rng.Pick(kChoices));
      return std::nullopt;
    }
    SetLengths(d, DrawFactorization(PrimeFactors(d.lengths().extent), 2, rng),
               absl::MakeSpan(candidate.values));
    return std::nullopt;
  }
  absl::StatusOr<std::vector<int32_t>> ChoicesOf(size_t,
                                                 const Candidate&) override {
    return std::vector<int32_t>(kChoices.begin(), kChoices.end());
  }
  Candidate Carry(const Candidate& candidate, int sketch) const override {
    Candidate carried = {.sketch = sketch, .values = candidate.values};
    carried.values.resize(sketch == 0 ? 5 : 2, kOpen);
    return carried;
  }
  absl::StatusOr<std::optional<Rejection>> Repair(
      Rng* rng, Candidate& candidate) override {
    const auto& decisions = decisions_[candidate.sketch];
    for (size_t i = 0; i < decisions.size(); ++i) {
      if (!IsOpen(decisions[i], candidate.values)) continue;
      if (rng == nullptr) return Rejection::kUnfit;
      if (auto rejection = Redraw(i, *rng, candidate); !rejection.ok())
        return rejection;
    }
    return std::nullopt;
  }
  absl::StatusOr<std::optional<Rejection>> Check(
      const Candidate& candidate) override {
    int64_t product = 1;
    for (const Decision& decision : decisions_[candidate.sketch]) {
      if (!decision.HasLengths()) continue;
      EXPECT_TRUE(LengthsFit(decision, candidate.values));
      product *= candidate.values[decision.first + 1];
    }
    if (product > kMaxProduct) return Rejection::kRegisters;
    return std::nullopt;
  }

  MutationWeights mutation_weights = {.of = {0.1, 0, 0, 0, 0, 0, 0.1, 0},
                                      .sketch = 0.01};

 private:
  const std::vector<Decision> decisions_[2] = {
      {Tile(0, 0, 64), Tile(1, 2, 96), Choice(4)}, {Tile(0, 0, 64)}};
  const std::vector<int> groups_[2] = {{0, 0, 1}, {0}};
};

std::optional<Candidate> Accepted(const absl::StatusOr<CandidateDraw>& draw) {
  EXPECT_TRUE(draw.ok()) << draw.status();
  if (!draw.ok() || std::holds_alternative<Rejection>(*draw))
    return std::nullopt;
  return std::get<Candidate>(*draw);
}

TEST(SearchSpaceTest, SamplesAreWithinTheLimits) {
  ToySpace space;
  Rng rng(1);
  std::set<int> sketches;
  int accepted = 0;
  for (int i = 0; i < 300; ++i) {
    const auto candidate = Accepted(Sample(space, rng));
    if (!candidate) continue;
    ++accepted;
    sketches.insert(candidate->sketch);
    EXPECT_EQ(candidate->values.size(), NumValues(space, candidate->sketch));
    EXPECT_EQ(space.Check(*candidate).value(), std::nullopt);
  }
  EXPECT_GT(accepted, 100);
  EXPECT_LT(accepted, 300);
  EXPECT_EQ(sketches.size(), 2u);
}

// Two tiles to one choice, and of a hundred a few of the sketch.
TEST(SearchSpaceTest, KindsAreMutatedAsOftenAsThereAreDecisions) {
  ToySpace space;
  const Candidate before = {.sketch = 0, .values = {2, 4, 2, 4, 64}};
  Rng rng(1);
  std::map<std::string, int> kinds;
  for (int i = 0; i < 4000; ++i) {
    const auto after = Accepted(Mutate(space, before, rng));
    if (!after) continue;
    if (after->sketch != before.sketch) {
      // The rows' tile is in both.
      EXPECT_EQ(after->values, (Values{2, 4}));
      ++kinds["sketch"];
      continue;
    }
    EXPECT_NE(*after, before);
    const auto same = [&](int from, int to) {
      return std::equal(before.values.begin() + from,
                        before.values.begin() + to,
                        after->values.begin() + from);
    };
    ++kinds[same(0, 4)   ? "choice"
            : same(0, 2) ? "columns"
            : same(2, 4) ? "rows"
                         : "both"];
  }
  EXPECT_NEAR(kinds["choice"], 4000 / 3.1, 150);
  EXPECT_NEAR(kinds["rows"], kinds["columns"], 200);
  EXPECT_GT(kinds["rows"], 800);
  // A factor of one axis' innermost tile for a factor of the other's.
  EXPECT_GT(kinds["both"], 60);
  EXPECT_GT(kinds["sketch"], 60);
  EXPECT_LT(kinds["sketch"], 250);
}

TEST(SearchSpaceTest, FactorsMoveBetweenAnyTwoLevels) {
  ToySpace space;
  space.mutation_weights = {.of = {1}};
  const Candidate before = {.sketch = 1, .values = {1, 16}};
  Rng rng(1);
  std::map<Values, int> drawn;
  for (int i = 0; i < 3000; ++i) {
    if (const auto after = Accepted(Mutate(space, before, rng)))
      ++drawn[after->values];
  }
  // From the innermost level to the outermost, past the one in the middle.
  EXPECT_GT((drawn[{1, 8}]), 200);
  EXPECT_GT((drawn[{2, 8}]), 200);
  EXPECT_GT((drawn[{1, 32}]), 200);
}

TEST(SearchSpaceTest, NothingToMutateIsARejection) {
  ToySpace space;
  space.mutation_weights = {};
  Rng rng(1);
  EXPECT_EQ(Mutate(space, {.sketch = 1, .values = {1, 1}}, rng).value(),
            CandidateDraw(Rejection::kUnchanged));
}

TEST(SearchSpaceTest, ChildrenTakeGroupsFromTheirParents) {
  ToySpace space;
  const Candidate a = {.sketch = 0, .values = {2, 4, 2, 4, 64}};
  const Candidate b = {.sketch = 0, .values = {1, 2, 1, 2, 0}};
  Rng rng(1);
  std::set<std::string> children;
  for (int i = 0; i < 100; ++i) {
    const auto child = Accepted(Cross(space, a, b, rng));
    ASSERT_TRUE(child.has_value());
    const bool tiles_of_a = std::equal(a.values.begin(), a.values.begin() + 4,
                                       child->values.begin());
    const bool tiles_of_b = std::equal(b.values.begin(), b.values.begin() + 4,
                                       child->values.begin());
    EXPECT_TRUE(tiles_of_a != tiles_of_b);
    EXPECT_EQ(child->values[4], tiles_of_a ? 0 : 64);
    children.insert(tiles_of_a ? "a" : "b");
  }
  EXPECT_EQ(children.size(), 2u);
  EXPECT_EQ(Cross(space, a, a, rng).value(), CandidateDraw(a));
  Candidate alike = a;
  alike.values[4] = 0;
  EXPECT_EQ(Cross(space, a, alike, rng).value(),
            CandidateDraw(Rejection::kUnchanged));
  EXPECT_EQ(Cross(space, a, {.sketch = 1, .values = {1, 1}}, rng).value(),
            CandidateDraw(Rejection::kParents));
}

TEST(SearchSpaceTest, NeighboursAreOneFactorOrOneStepAway) {
  ToySpace space;
  const auto values = [&](const Candidate& candidate) {
    std::vector<Values> all;
    const std::vector<Candidate> neighbours =
        Neighbours(space, candidate).value();
    for (const Candidate& next : neighbours) {
      EXPECT_EQ(next.sketch, candidate.sketch);
      EXPECT_GE(Distance(space, candidate, next), 1);
      EXPECT_LE(Distance(space, candidate, next), 2 * 1.6);
      all.push_back(next.values);
    }
    return all;
  };
  EXPECT_THAT(values({.sketch = 1, .values = {2, 4}}),
              UnorderedElementsAre(Values{4, 4}, Values{1, 4}, Values{1, 8},
                                   Values{4, 2}));
  EXPECT_THAT(
      values({.sketch = 0, .values = {64, 1, 1, 96, 16}}),
      UnorderedElementsAre(Values{32, 1, 1, 96, 16}, Values{32, 2, 1, 96, 16},
                           Values{64, 1, 2, 48, 16}, Values{64, 1, 3, 32, 16},
                           Values{64, 1, 1, 96, 0}, Values{64, 1, 1, 96, 64}));
}

TEST(SearchSpaceTest, DistancesCountFactorsAndSteps) {
  ToySpace space;
  const Candidate a = {.sketch = 0, .values = {2, 4, 2, 4, 0}};
  Candidate b = a;
  EXPECT_EQ(Distance(space, a, b), 0);
  b.values[4] = 512;  // three steps
  EXPECT_EQ(Distance(space, a, b), 3);
  b.values[0] = 8;  // two factors, from the outermost level
  EXPECT_EQ(Distance(space, a, b), 7);
  EXPECT_EQ(Distance(space, b, a), 7);
  // Rows alone, and those alike: one way nothing, the other way two decisions.
  const Candidate rows = {.sketch = 1, .values = {2, 4}};
  EXPECT_EQ(Distance(space, a, rows), kUndecidedDistance);
  EXPECT_EQ(Distance(space, rows, a), kUndecidedDistance);
}

}  // namespace
}  // namespace pruner
