#include "pruner/workload/canonical_form.h"

#include <functional>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/workload/similarity_tag.h"
#include "pruner/workload/workload_key.h"

namespace pruner {
namespace {

// MatmulReluDag with bodies.
std::vector<Stage> Stages() {
  std::vector<Stage> stages = MatmulReluDag(4, 8, 16).stages();
  const auto zero = Op{.kind = OpKind::kConstant, .type = kFloat32};
  stages[2].definitions = {
      {.ops = {zero}, .values = {0}},
      {.ops = {{.kind = OpKind::kSelf, .type = kFloat32},
               {.kind = OpKind::kRead, .type = kFloat32, .access = 0},
               {.kind = OpKind::kRead, .type = kFloat32, .access = 1},
               {.kind = OpKind::kMul, .type = kFloat32, .operands = {1, 2}},
               {.kind = OpKind::kAdd, .type = kFloat32, .operands = {0, 3}}},
       .values = {4}}};
  stages[3].definitions = {
      {.ops = {zero,
               {.kind = OpKind::kRead, .type = kFloat32, .access = 0},
               {.kind = OpKind::kMax, .type = kFloat32, .operands = {1, 0}}},
       .values = {2}}};
  return stages;
}

std::string FormOf(const std::vector<Stage>& stages) {
  return CanonicalForm(*ComputeDag::Create(stages));
}

TEST(CanonicalFormTest, WhatIsComputedCounts) {
  const std::string form = FormOf(Stages());
  const std::vector<std::function<void(std::vector<Stage>&)>> changes = {
      [](auto& s) { s[0].types = {kInt32}; },
      [](auto& s) { s[0].contents = 1; },
      [](auto& s) { s[2].definitions[0].ops[0].value = 1; },
      [](auto& s) { s[2].definitions[1].ops[3].operands = {2, 1}; },
      [](auto& s) { s[2].definitions[1].ops[2].access = 0; },
      [](auto& s) { s[3].definitions[0].ops[2].kind = OpKind::kMin; },
      [](auto& s) { s[3].definitions[0].ops[1].value = 1; },
      [](auto& s) { s[3].definitions[0].conditions = {2}; },
      [](auto& s) { s[3].definitions[0].indices = {0, 0}; },
      [](auto& s) { s[2].is_output = true; },
      [](auto& s) { s[3].extern_function = "f"; },
  };
  for (size_t i = 0; i < changes.size(); ++i) {
    std::vector<Stage> changed = Stages();
    changes[i](changed);
    EXPECT_NE(FormOf(changed), form) << "change " << i;
  }
}

TEST(CanonicalFormTest, NamesAndConclusionsDoNotCount) {
  const std::string form = FormOf(Stages());
  const std::vector<std::function<void(std::vector<Stage>&)>> changes = {
      [](auto& s) { s[2].name = "other"; },
      [](auto& s) { s[2].axes[0].name = "row"; },
      [](auto& s) { s[2].axes[0].selects = true; },
      [](auto& s) { s[2].ordered = true; },
      [](auto& s) { s[2].opaque = true; },
      [](auto& s) { s[2].reduction = ReductionKind::kOther; },
      [](auto& s) { s[2].reads[0].indices[0].clamped = true; },
      // A read more, which is the second end of an index.
      [](auto& s) { s[2].reads.push_back(s[2].reads[0]); },
  };
  for (size_t i = 0; i < changes.size(); ++i) {
    std::vector<Stage> changed = Stages();
    changes[i](changed);
    EXPECT_EQ(FormOf(changed), form) << "change " << i;
  }
}

TEST(CanonicalFormTest, StagesWithoutDefinitionsCountByTheirReads) {
  std::vector<Stage> stages = MatmulReluDag(8, 8, 8).stages();
  const std::string form = FormOf(stages);
  std::swap(stages[2].reads[1].indices[0], stages[2].reads[1].indices[1]);
  EXPECT_NE(FormOf(stages), form);
  EXPECT_NE(CanonicalForm(MatmulReluDag(4, 8, 16)),
            CanonicalForm(MatmulReluDag(8, 4, 16)));
}

// Keys are in logs: another one here needs another kCanonicalVersion.
TEST(WorkloadKeyTest, KeysDoNotChange) {
  EXPECT_EQ(ToString(KeyOf(*ComputeDag::Create(Stages()))), "93e4cf4d3ae73cd6");
  EXPECT_EQ(ToString(KeyOf(ConvBiasReluDag({}))), "51fef8ac695e3360");
}

TEST(SimilarityTagTest, KindsAndMagnitude) {
  EXPECT_EQ(SimilarityTag(MatmulReluDag(64, 64, 64)), "sum2x1:27");
  EXPECT_EQ(SimilarityTag(MatmulReluDag(64, 65, 64)), "sum2x1:27");
  EXPECT_EQ(SimilarityTag(MatmulReluDag(256, 64, 64)), "sum2x1:30");
  EXPECT_EQ(SimilarityTag(MaxPoolDag(9, 8)), "max3x2:14");
  std::vector<Stage> copy = MatmulReluDag(4, 8, 16).stages();
  copy.resize(1);
  copy.push_back({.name = "copy",
                  .shape = {4},
                  .axes = {{.name = "x", .extent = 4}},
                  .reads = {},
                  .is_output = true});
  EXPECT_EQ(SimilarityTag(*ComputeDag::Create(copy)), "");
}

}  // namespace
}  // namespace pruner
