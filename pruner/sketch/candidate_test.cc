#include "pruner/sketch/candidate.h"

#include <string>

#include "absl/container/flat_hash_set.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/sketch/sketch_generator.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

using ::testing::HasSubstr;

std::vector<Sketch> Sketches() {
  const ComputeDag dag = MatmulReluDag(64, 48, 32);
  const TargetSpec target = SampleCpuTarget();
  return GenerateSketches({.dag = dag, .target = target}).value();
}

TEST(CandidateTest, ComparesAndHashes) {
  const Candidate a = {.sketch = 1, .values = {1, 2}};
  const Candidate b = {.sketch = 1, .values = {1, 3}};
  EXPECT_EQ(a, (Candidate{.sketch = 1, .values = {1, 2}}));
  EXPECT_NE(a, b);
  EXPECT_EQ((absl::flat_hash_set<Candidate>{a, b, a}).size(), 2u);
}

// What differs little, as what a mutation makes does.
TEST(CandidateTest, HashesTellNeighboursApart) {
  absl::flat_hash_set<uint64_t> hashes;
  for (int sketch = 0; sketch < 10; ++sketch) {
    for (int a = 0; a < 100; ++a) {
      for (int b = 0; b < 100; ++b)
        hashes.insert(CandidateHash({.sketch = sketch, .values = {a, b}}));
    }
    hashes.insert(CandidateHash({.sketch = sketch, .values = {}}));
    hashes.insert(CandidateHash({.sketch = sketch, .values = {1}}));
    hashes.insert(CandidateHash({.sketch = sketch, .values = {1, 2, 0}}));
  }
  EXPECT_EQ(hashes.size(), 10u * (100 * 100 + 3));
}

TEST(CandidateTest, LocationsAreNumbers) {
  EXPECT_FALSE(Location::IsAt(Location::kRoot));
  EXPECT_FALSE(Location::IsAt(Location::kInlined));
  for (const int stage : {0, 1, 300}) {
    for (const int loop : {0, 7, 255}) {
      const int32_t value = Location::At(stage, loop);
      EXPECT_TRUE(Location::IsAt(value));
      EXPECT_EQ(Location::StageOf(value), stage);
      EXPECT_EQ(Location::LoopOf(value), loop);
    }
  }
}

TEST(CandidateTest, GenesAreALine) {
  const std::vector<Sketch> sketches = Sketches();
  for (const Sketch& sketch : sketches) {
    Values values(sketch.NumValues());
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<int32_t>(i * 1000);
    const std::string text = CandidateText(sketch, values);
    EXPECT_EQ(text.find('\n'), std::string::npos);
    const absl::StatusOr<Genes> genes = ParseGenes(text);
    ASSERT_TRUE(genes.ok()) << genes.status();
    EXPECT_EQ(*genes, (Genes{.derivation = sketch.derivation,
                             .version = sketch.Version(),
                             .values = values}));
    EXPECT_EQ(CheckGenes(*genes, sketch), absl::OkStatus());
  }
  EXPECT_EQ(ParseGenes(CandidateText(Sketch(), {}))->values, Values());
}

TEST(CandidateTest, WhatAreNoGenesIsRefused) {
  for (const char* text :
       {"", "skip", "skip #", "skip #12", "skip #1234567z 1",
        "skip #12345678 -1", "skip #12345678 1 x", "skip #12345678 1  2",
        "skip #12345678 99999999999"}) {
    const absl::Status status = ParseGenes(text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_THAT(std::string(status.message()), HasSubstr("no genes")) << text;
  }
}

TEST(CandidateTest, GenesOfAnotherSketchAreRecognised) {
  const std::vector<Sketch> sketches = Sketches();
  ASSERT_EQ(sketches.size(), 3u);
  EXPECT_NE(sketches[0].Version(), sketches[1].Version());
  Genes genes = {.derivation = sketches[0].derivation,
                 .version = sketches[0].Version()};
  EXPECT_THAT(std::string(CheckGenes(genes, sketches[0]).message()),
              HasSubstr("there are 0 values for the"));
  genes.values.resize(sketches[0].NumValues(), 1);
  EXPECT_EQ(CheckGenes(genes, sketches[0]), absl::OkStatus());
  Sketch newer = sketches[0];
  newer.decisions[0].axis = 7;
  EXPECT_THAT(std::string(CheckGenes(genes, newer).message()),
              HasSubstr("they are of version"));
}

TEST(DecisionTest, NamesRoundTrip) {
  for (int i = 0; i < kNumDecisionKinds; ++i) {
    const auto kind = static_cast<DecisionKind>(i);
    EXPECT_EQ(ParseDecisionKind(DecisionKindName(kind)), kind);
  }
  EXPECT_EQ(ParseDecisionKind("taste"), std::nullopt);
}

TEST(DecisionTest, OrdersRoundTrip) {
  for (const std::vector<int64_t>& order : std::vector<std::vector<int64_t>>{
           {}, {0}, {1, 0}, {2, 0, 1}, {6, 5, 4, 3, 2, 1, 0}}) {
    EXPECT_EQ(UnpackOrder(PackOrder(order), order.size()), order);
    EXPECT_LE(PackOrder(order), int64_t{1} << 28);
  }
}

TEST(DecisionTest, EveryKindNeedsItsDomain) {
  const LengthsDomain lengths = {.extent = 4, .bindings = {Binding::kSerial}};
  const ChoiceDomain choices = {.choices = {0, 16}};
  EXPECT_TRUE(CheckDomain({.domain = lengths}).ok());
  EXPECT_FALSE(CheckDomain({.domain = choices}).ok());
  EXPECT_FALSE(CheckDomain({.count = 2, .domain = lengths}).ok());
  EXPECT_TRUE(
      CheckDomain({.kind = DecisionKind::kUnroll, .domain = choices}).ok());
  EXPECT_FALSE(CheckDomain({.kind = DecisionKind::kUnroll}).ok());
  EXPECT_FALSE(CheckDomain({.kind = DecisionKind::kUnroll,
                            .domain = ChoiceDomain{.choices = {-1}}})
                   .ok());
  EXPECT_TRUE(CheckDomain({.kind = DecisionKind::kLocation}).ok());
}

// Values lie one behind the other, decisions with holes first.
TEST(DecisionTest, ValuesOfASketchHavePlaces) {
  for (const Sketch& sketch : Sketches()) {
    int next = 0;
    for (const Decision& decision : sketch.decisions) {
      EXPECT_EQ(decision.first, next) << DecisionText(decision);
      EXPECT_EQ(CheckDomain(decision), absl::OkStatus());
      next += decision.count;
    }
    EXPECT_EQ(sketch.NumValues(), next);
  }
}

}  // namespace
}  // namespace pruner
