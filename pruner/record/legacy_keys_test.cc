#include "pruner/record/legacy_keys.h"

#include <vector>

#include "gtest/gtest.h"
#include "pruner/dag/compute_dag.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/target/target_spec.h"

namespace pruner {
namespace {

// Every hash here is what programs that wrote format 1 computed.

// A DAG with everything that such a program printed.
ComputeDag StrangeDag() {
  std::vector<Stage> stages = MatmulReluDag(4, 8, 16).stages();
  Stage& product = stages[2];
  product.ordered = true;
  product.accumulates = true;
  product.cached = true;
  product.opaque = true;
  product.axes[1].selects = true;
  product.ops = {.float_add = 1,
                 .float_mul = 2,
                 .float_div = 3,
                 .float_compare = 4,
                 .float_math = 5,
                 .int_add = 1,
                 .int_mul = 1,
                 .int_div = 1,
                 .int_compare = 3,
                 .select = 7};
  product.types = {{TypeCode::kInt, 64}};
  product.reads[0].by_initialization = true;
  product.reads[1].indices[0] = {.terms = {{2, 3}, {0, -1}},
                                 .constant = -2,
                                 .divisor = 2,
                                 .modulus = 5,
                                 .clamped = true};
  product.reads[1].indices[1] = {
      .terms = {{1, 1}}, .constant = 3, .opaque = true};
  stages[3].reads[0].indices[0] = {.terms = {}, .constant = 0};
  return *ComputeDag::Create(stages);
}

TEST(LegacyWorkloadHashTest, IsAsEver) {
  EXPECT_EQ(LegacyWorkloadHash(MatmulReluDag(4, 8, 16)), 0xf215dee3ae83a328u);
  EXPECT_EQ(LegacyWorkloadHash(TransposedMatmulReluDag(4, 8, 16)),
            0x760b7215822d3f46u);
  EXPECT_EQ(LegacyWorkloadHash(ConvBiasReluDag({.stride = 2})),
            0x33e6c2d20a89cfa9u);
  EXPECT_EQ(LegacyWorkloadHash(MaxPoolDag(9, 8)), 0x6257b81dc59c84d2u);
  EXPECT_EQ(LegacyWorkloadHash(StrangeDag()), 0xe357a8e62d057239u);
}

TEST(LegacyWorkloadHashTest, IgnoresNames) {
  std::vector<Stage> renamed = MatmulReluDag(4, 8, 16).stages();
  renamed[2].name = "other";
  renamed[2].axes[0].name = "row";
  EXPECT_EQ(LegacyWorkloadHash(*ComputeDag::Create(renamed)),
            LegacyWorkloadHash(MatmulReluDag(4, 8, 16)));
}

TEST(LegacyTargetFingerprintTest, IsAsEver) {
  TargetSpec target = {
      .name = "odd \"name\"\t\xc3\xa9",
      .backend = Backend::kOpenCl,
      .halide_target = "host-opencl",
      .registers = {.count = 1, .bytes = 2},
      .l1 = {.size_bytes = 3, .gb_per_s = 4, .line_bytes = 5},
      .l2 = {.size_bytes = 6, .gb_per_s = 7, .line_bytes = 8},
      .llc = {.size_bytes = 9, .gb_per_s = 10, .line_bytes = 11},
      .units = {.cores = 12,
                .simd_lanes = 13,
                .fma_pipes = 14,
                .sub_partitions = 15},
      .peaks = {.fp32_gflops_per_core = 16,
                .fp32_gflops = 17,
                .dram_gb_per_s = 18},
      .limits = {.threads_per_block = 19,
                 .shared_bytes_per_block = 20,
                 .registers_per_thread = 21,
                 .vthreads = 22,
                 .unrolled_statements = 23,
                 .vectorize_elements = 24,
                 .innermost_split_factor = 25},
      .tiling = {.levels = {{TileAxis::kSpatial, Binding::kParallel},
                            {TileAxis::kSpatial, Binding::kBlock},
                            {TileAxis::kReduction, Binding::kVThread},
                            {TileAxis::kSpatial, Binding::kThread},
                            {TileAxis::kReduction, Binding::kSerial},
                            {TileAxis::kSpatial, Binding::kRegister}},
                 .fusion_levels = {},
                 .auto_unroll_steps = {0, 26}}};
  EXPECT_EQ(LegacyTargetFingerprint(target), 0x2819af9dad20ed11u);
  target.tiling.fusion_levels = {1, 2};
  target.tiling.auto_unroll_steps = {};
  target.backend = Backend::kHost;
  EXPECT_EQ(LegacyTargetFingerprint(target), 0x98efcbd414c1e297u);
  target.backend = Backend::kCuda;
  target.tiling.levels = {};
  EXPECT_EQ(LegacyTargetFingerprint(target), 0x193c216a3773d303u);
  // The measured rates do not count.
  target.units.fma_pipes = 0;
  target.peaks = {};
  target.l2.gb_per_s = 1;
  EXPECT_EQ(LegacyTargetFingerprint(target), 0x193c216a3773d303u);
}

}  // namespace
}  // namespace pruner
