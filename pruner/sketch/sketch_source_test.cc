#include "pruner/sketch/sketch_source.h"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

// `count` products, one after the other, each with a ReLU.
ComputeDag ProductsDag(int count) {
  const std::vector<Stage> one = MatmulReluDag(64, 64, 64).stages();
  std::vector<Stage> stages = {one[0]};
  for (int i = 0; i < count; ++i) {
    const int previous = static_cast<int>(stages.size()) - 1;
    for (const int stage : {1, 2, 3}) {
      stages.push_back(one[stage]);
      stages.back().name += std::to_string(i);
    }
    stages[previous + 2].reads[0].stage = previous;
    stages[previous + 2].reads[1].stage = previous + 1;
    stages[previous + 3].reads[0].stage = previous + 2;
    stages.back().is_output = i + 1 == count;
  }
  return ComputeDag::Create(stages).value();
}

std::vector<ComputeDag> SampleDags() {
  return {ConvBiasReluDag({}),
          ConvBiasReluDag({.size = 15, .kernel = 1, .stride = 2}),
          MatmulReluDag(64, 64, 64),
          MatmulReluDag(1, 2, 512),
          MatmulReluDag(1, 1, 4096),
          TransposedMatmulReluDag(64, 64, 64),
          MaxPoolDag(113, 64),
          MaxPoolDag(33, 63),
          ProductsDag(2)};
}

// A rule that is none of the built-in ones, but does the same.
class Wrapped : public SketchRule {
 public:
  explicit Wrapped(const SketchRule& rule) : rule_(rule) {}

  absl::string_view Name() const override { return rule_.Name(); }
  bool DecidesInputs() const override { return rule_.DecidesInputs(); }
  RuleMatch Match(const SketchContext& context,
                  const Derivation& from) const override {
    return rule_.Match(context, from);
  }
  absl::StatusOr<std::vector<Derivation>> Apply(
      const SketchContext& context, const Derivation& from) const override {
    return rule_.Apply(context, from);
  }

 private:
  const SketchRule& rule_;
};

// So they are checked after every Apply, as a user's rules are.
TEST(BuiltInRulesTest, WhatTheyDeriveIsSound) {
  for (const TargetSpec& target : {SampleCpuTarget(), SampleGpuTarget()}) {
    std::vector<std::unique_ptr<Wrapped>> wrapped;
    std::vector<const SketchRule*> rules;
    for (const SketchRule* rule : BuiltInRules(target)) {
      EXPECT_TRUE(IsBuiltIn(*rule));
      wrapped.push_back(std::make_unique<Wrapped>(*rule));
      rules.push_back(wrapped.back().get());
      EXPECT_FALSE(IsBuiltIn(*rules.back()));
    }
    for (const ComputeDag& dag : SampleDags()) {
      const SketchContext context = {.dag = dag, .target = target};
      const auto checked = SketchSource(context, rules).All(256);
      ASSERT_TRUE(checked.ok()) << checked.status();
      EXPECT_EQ(**checked, **SketchSource(context).All(256));
    }
  }
}

class SketchSourceTest : public testing::Test {
 protected:
  const TargetSpec target_ = SampleCpuTarget();
};

TEST_F(SketchSourceTest, ListsAllWhereTheyAreFew) {
  const ComputeDag two = ProductsDag(2);
  const SketchSource source({.dag = two, .target = target_});
  const auto all = source.All(9).value();
  ASSERT_TRUE(all.has_value());
  EXPECT_EQ(all->size(), 9u);
  EXPECT_FALSE(source.All(8).value().has_value());
}

TEST_F(SketchSourceTest, DrawsWhatIsInTheList) {
  for (const ComputeDag& dag : SampleDags()) {
    const SketchSource source({.dag = dag, .target = target_});
    const std::vector<Sketch> all = *source.All(256).value();
    Rng rng(1);
    std::set<std::string> drawn;
    for (int i = 0; i < 100; ++i) {
      const Sketch sketch = source.Draw(rng).value();
      EXPECT_NE(std::find(all.begin(), all.end(), sketch), all.end());
      drawn.insert(sketch.derivation);
    }
    EXPECT_EQ(drawn.size(), all.size()) << dag.ToString();
  }
}

TEST_F(SketchSourceTest, DerivationsAreKeys) {
  for (const ComputeDag& dag : SampleDags()) {
    const SketchSource source({.dag = dag, .target = target_});
    std::set<std::string> derivations;
    const std::vector<Sketch> all = *source.All(256).value();
    for (const Sketch& sketch : all) {
      EXPECT_TRUE(derivations.insert(sketch.derivation).second);
      EXPECT_EQ(source.Find(sketch.derivation).value(), sketch);
    }
    for (const std::string key : {"", "skip", "skip skip skip skip luck",
                                  "skip multi_level_tiling_with_fusion:7"}) {
      if (derivations.contains(key)) continue;
      EXPECT_EQ(source.Find(key).status().code(), absl::StatusCode::kNotFound);
    }
  }
}

// Of the alternatives for each of ten products one is another; a cached product
// has two rules.
TEST_F(SketchSourceTest, NeighboursDifferInOneAlternative) {
  const ComputeDag dag = ProductsDag(10);
  const SketchSource source({.dag = dag, .target = target_});
  EXPECT_FALSE(source.All(256).value().has_value());
  Rng rng(1);
  Sketch sketch = source.Draw(rng).value();
  std::set<std::string> seen = {sketch.derivation};
  for (int i = 0; i < 50; ++i) {
    const Sketch next = source.DrawNeighbour(sketch, rng).value();
    std::deque<std::string> a = absl::StrSplit(sketch.derivation, ' ');
    std::deque<std::string> b = absl::StrSplit(next.derivation, ' ');
    for (; !a.empty() && !b.empty() && a[0] == b[0]; b.pop_front())
      a.pop_front();
    for (; !a.empty() && !b.empty() && a.back() == b.back(); b.pop_back())
      a.pop_back();
    EXPECT_GE(a.size() + b.size(), 1u);
    EXPECT_LE(std::max(a.size(), b.size()), 2u) << next.derivation;
    EXPECT_EQ(source.Find(next.derivation).value(), next);
    seen.insert(next.derivation);
    sketch = next;
  }
  EXPECT_GE(seen.size(), 40u);
}

TEST_F(SketchSourceTest, TheOnlySketchHasNoNeighbour) {
  const TargetSpec target = SampleGpuTarget();
  const ComputeDag dag = MatmulReluDag(64, 64, 64);
  const SketchSource source({.dag = dag, .target = target});
  Rng rng(1);
  const Sketch sketch = source.Draw(rng).value();
  EXPECT_EQ(source.DrawNeighbour(sketch, rng).value(), sketch);
}

}  // namespace
}  // namespace pruner
