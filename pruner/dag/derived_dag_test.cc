#include "pruner/dag/derived_dag.h"

#include <vector>

#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"

namespace pruner {
namespace {

TEST(DerivedDagTest, CacheWriteComputesApartAndCopies) {
  const ComputeDag dag = MatmulReluDag(4, 8, 16);
  const auto derived = WithCacheWrite(dag, 2);
  ASSERT_TRUE(derived.ok()) << derived.status();
  EXPECT_EQ(
      (*derived)->ToString(),
      "A[4,16] input f32\n"
      "B[16,8] input f32\n"
      "C.local[i:4,j:8,k:r16] f32 cached sum (float_add:1 float_mul:1) A[i,k] "
      "B[k,j]\n"
      "C[i:4,j:8] f32 C.local[i,j]\n"
      "out[i:4,j:8] f32 output (float_compare:1) C[i,j]\n");
  EXPECT_EQ((*derived)->Flops(), dag.Flops());
}

TEST(DerivedDagTest, CacheWriteOfAnOutputAddsTheWholeOnce) {
  std::vector<Stage> stages = MatmulReluDag(4, 8, 16).stages();
  stages.pop_back();
  stages[2].is_output = true;
  Access initial = stages[2].reads[0];
  initial.indices.pop_back();
  initial.by_initialization = true;
  stages.insert(stages.begin(), {.name = "bias",
                                 .kind = StageKind::kPlaceholder,
                                 .shape = {4},
                                 .axes = {},
                                 .reads = {},
                                 .ops = {}});
  for (Access& read : stages[3].reads) ++read.stage;
  stages[3].reads.push_back(initial);
  const ComputeDag dag = *ComputeDag::Create(stages);
  const auto derived = WithCacheWrite(dag, 3);
  ASSERT_TRUE(derived.ok()) << derived.status();
  EXPECT_EQ(
      (*derived)->ToString(),
      "bias[4] input f32\n"
      "A[4,16] input f32\n"
      "B[16,8] input f32\n"
      "C.local[i:4,j:8,k:r16] f32 cached sum (float_add:1 float_mul:1) A[i,k] "
      "B[k,j]\n"
      "C[i:4,j:8] f32 output accumulates (float_add:1) C.local[i,j] "
      "init:bias[i]\n");
}

TEST(DerivedDagTest, CacheReadCopiesForItsReaders) {
  const ComputeDag dag = MatmulReluDag(4, 8, 16);
  const auto derived = WithCacheRead(dag, 1, {2});
  ASSERT_TRUE(derived.ok()) << derived.status();
  EXPECT_EQ((*derived)->ToString(),
            "A[4,16] input f32\n"
            "B[16,8] input f32\n"
            "B.shared[i0:16,i1:8] f32 B[i0,i1]\n"
            "C[i:4,j:8,k:r16] f32 sum (float_add:1 float_mul:1) A[i,k] "
            "B.shared[k,j]\n"
            "out[i:4,j:8] f32 output (float_compare:1) C[i,j]\n");
}

TEST(DerivedDagTest, RfactorKeepsPartialResults) {
  const ComputeDag dag = MatmulReluDag(4, 8, 16);
  const auto outer = WithRfactor(dag, 2, 2, 4, RfactorPart::kOuter);
  ASSERT_TRUE(outer.ok()) << outer.status();
  EXPECT_EQ((*outer)->ToString(),
            "A[4,16] input f32\n"
            "B[16,8] input f32\n"
            "C.rf[k_rf:4,i:4,j:8,k:r4] f32 sum (float_add:1 float_mul:1) "
            "A[i,4*k_rf+k] "
            "B[4*k_rf+k,j]\n"
            "C[i:4,j:8,k_rf:r4] f32 sum (float_add:1) C.rf[k_rf,i,j]\n"
            "out[i:4,j:8] f32 output (float_compare:1) C[i,j]\n");
  const auto inner = WithRfactor(dag, 2, 2, 2, RfactorPart::kInner);
  ASSERT_TRUE(inner.ok()) << inner.status();
  EXPECT_EQ((*inner)->ToString(),
            "A[4,16] input f32\n"
            "B[16,8] input f32\n"
            "C.rf[i:4,j:8,k_rf:2,k:r8] f32 sum (float_add:1 float_mul:1) "
            "A[i,k_rf+2*k] "
            "B[k_rf+2*k,j]\n"
            "C[i:4,j:8,k_rf:r2] f32 sum (float_add:1) C.rf[i,j,k_rf]\n"
            "out[i:4,j:8] f32 output (float_compare:1) C[i,j]\n");
}

TEST(DerivedDagTest, WhatIsCopiedWholeIsNotReadInPart) {
  std::vector<Stage> stages = MatmulReluDag(4, 8, 16).stages();
  stages[2].read_in_part = {false, true};
  const ComputeDag dag = *ComputeDag::Create(stages);
  const ComputeDag& written = **WithCacheWrite(dag, 2);
  EXPECT_TRUE(written.stage(2).read_in_part.empty());
  EXPECT_EQ(written.stage(3).read_in_part, stages[2].read_in_part);
  const ComputeDag& read = **WithCacheRead(dag, 2, {3});
  EXPECT_TRUE(read.stage(2).read_in_part.empty());
  EXPECT_EQ(read.stage(3).read_in_part, stages[2].read_in_part);
  const ComputeDag& apart = **WithRfactor(dag, 2, 2, 4, RfactorPart::kOuter);
  EXPECT_TRUE(apart.stage(2).read_in_part.empty());
  EXPECT_EQ(apart.stage(3).read_in_part, stages[2].read_in_part);
}

TEST(DerivedDagTest, EachIsMadeOnce) {
  // Copies of a DAG share what is derived of it.
  const std::vector<ComputeDag> dags(2, MatmulReluDag(4, 8, 16));
  EXPECT_EQ(*WithCacheWrite(dags[0], 2), *WithCacheWrite(dags[1], 2));
  EXPECT_NE(*WithCacheWrite(dags[0], 2), *WithCacheRead(dags[0], 0, {2}));
}

TEST(DerivedDagTest, WhatCannotBeTakenApartIsRefused) {
  const ComputeDag dag = MatmulReluDag(4, 8, 16);
  EXPECT_EQ(WithCacheWrite(dag, 3).status().message(),
            "stage 'out' cannot be computed apart from its storage");
  EXPECT_EQ(WithCacheRead(dag, 0, {3}).status().message(),
            "stage 'A' is not read by stage 3");
  EXPECT_EQ(WithRfactor(dag, 2, 2, 3, RfactorPart::kInner).status().message(),
            "stage 'C' has axis 'k' of extent 16, which 3 does not divide");
  EXPECT_EQ(WithRfactor(dag, 2, 1, 2, RfactorPart::kInner).status().message(),
            "stage 'C' has no reduction axis 1");
  std::vector<Stage> stages = dag.stages();
  stages[2].ordered = true;
  const ComputeDag ordered = *ComputeDag::Create(stages);
  EXPECT_EQ(
      WithRfactor(ordered, 2, 2, 2, RfactorPart::kInner).status().message(),
      "stage 'C' is no reduction that can be taken apart");
}

}  // namespace
}  // namespace pruner
