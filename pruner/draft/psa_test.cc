#include "pruner/draft/psa.h"

#include <memory>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/draft/draft_model_conformance.h"
#include "pruner/features/psa_symbols.h"
#include "pruner/program/program.h"
#include "pruner/program/resolve.h"
#include "pruner/schedule/sample_schedules.h"
#include "pruner/schedule/schedule_text.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

class PsaTest : public testing::Test {
 protected:
  PsaTest() {
    // The 40 GB one, as in the authors' table.
    target_.peaks.dram_gb_per_s = 1555;
  }
  const ComputeDag dag_ = MatmulReluDag(1024, 1024, 1024);
  TargetSpec target_ = SampleGpuTarget();
  const Program gemm_ =
      *Resolve(dag_, *ParseSchedule(kSampleStagedMatmul), target_);
};

// The worked example of docs/algorithms.md B2.
TEST_F(PsaTest, AMatrixProductByHand) {
  PsaExtractor extractor;
  const std::vector<PsaSymbols> symbols = extractor.Extract(gemm_);
  ASSERT_EQ(symbols.size(), 4u) << gemm_.ToString();
  for (const PsaSymbols& s : symbols) {
    EXPECT_EQ(s.threads, 256);
    EXPECT_EQ(s.blocks, 64);
  }
  const Psa psa;
  // Two fills of shared memory, the product, what is written.
  for (const int fill : {0, 1}) {
    EXPECT_EQ(symbols[fill].thread_ops, 0);
    EXPECT_EQ(symbols[fill].footprint, 8388608);
    EXPECT_EQ(symbols[fill].shared_elements, 1024);
    EXPECT_NEAR(psa.Latency(symbols[fill], target_), 0.0050241, 1e-7);
  }
  const PsaSymbols& product = symbols[2];
  EXPECT_EQ(product.thread_ops, 131072);
  EXPECT_EQ(product.registers, 80);
  EXPECT_EQ(product.thread_reads, 16448);
  EXPECT_NEAR(psa.Latency(product, target_), 0.2066665, 1e-7);
  EXPECT_EQ(symbols[3].footprint, 1048576);
  EXPECT_NEAR(psa.Latency(symbols[3], target_), 0.0006280, 1e-7);
  EXPECT_NEAR(1e3 / psa.Score(gemm_, target_), 0.2173427, 1e-7);
  EXPECT_NEAR(psa.Score(gemm_, target_), 4601.0, 0.1);
}

TEST_F(PsaTest, FusedVirtualThreadsAreChargedWhole) {
  const PsaOptions options = {.symbols = {.compat_fused_vthread = true}};
  PsaExtractor extractor(options.symbols);
  const PsaSymbols product = extractor.Extract(gemm_)[2];
  EXPECT_EQ(product.thread_reads, 32832);
  EXPECT_EQ(product.registers, 96);
  EXPECT_NEAR(Psa(options).Latency(product, target_), 0.2231804, 1e-7);
  EXPECT_NEAR(1e3 / Psa(options).Score(gemm_, target_), 0.2338567, 1e-7);
  EXPECT_NEAR(Psa(options).Score(gemm_, target_), 4276.1, 0.1);
}

// A statement of integers is no copy of its first operand.
TEST_F(PsaTest, OperationsOnIntegersCount) {
  PsaExtractor extractor;
  const PsaSymbols floats = extractor.Extract(gemm_)[3];
  EXPECT_EQ(floats.thread_ops, 0);
  Program integers = gemm_;
  integers.statements[floats.statement].integer_work = {.operations = 3,
                                                        .bytes = 6};
  const PsaSymbols counted = extractor.Extract(integers)[3];
  EXPECT_EQ(counted.total_ops, 3 * floats.footprint);
  EXPECT_EQ(counted.footprint, 0);
}

// Each term and penalty makes its difference, and no other.
TEST_F(PsaTest, WhatIsSwitchedOffIsLeftOut) {
  const double all = 1e3 / Psa().Score(gemm_, target_);
  const auto without = [&](const PsaOptions& options) {
    return 1e3 / Psa(options).Score(gemm_, target_);
  };
  EXPECT_NEAR(without({.memory = false}), 0.2066665, 1e-7);
  EXPECT_NEAR(without({.compute = false}), all - 0.2066665, 1e-7);
  EXPECT_NEAR(without({.intensity = false}),
              all - 0.2066665 + 0.2066665 / 1.1114967, 1e-7);
  EXPECT_NEAR(without({.parallelism = false}),
              all - 0.2066665 + 0.2066665 * 256 / 432, 1e-7);
  // Warps are full, registers and shared memory suffice.
  EXPECT_EQ(without({.warps = false}), all);
  EXPECT_EQ(without({.register_limit = false}), all);
  EXPECT_EQ(without({.shared_limit = true}), all);
  EXPECT_NEAR(without({.memory_bytes = true}),
              all + 3 * (2 * 0.0050241 + 0.0006280), 1e-6);
}

TEST_F(PsaTest, PenaltiesByHand) {
  const PsaSymbols full = {.thread_ops = 1000,
                           .registers = 64,
                           .thread_reads = 100,
                           .threads = 64,
                           .blocks = 108,
                           .total_ops = 1e9};
  const Psa psa;
  const double time = psa.Latency(full, target_);
  EXPECT_NEAR(time, 1e9 / 19490e6 * (1 + 1.0 / 11), 1e-9);
  PsaSymbols symbols = full;
  symbols.registers = 256;
  EXPECT_NEAR(psa.Latency(symbols, target_), 2 * time, 1e-9);
  symbols = full;
  symbols.threads = 48;  // of two warps
  EXPECT_NEAR(psa.Latency(symbols, target_), time * 64 / 48, 1e-9);
  symbols = full;
  symbols.blocks = 109;  // of 216
  EXPECT_NEAR(psa.Latency(symbols, target_), time * 216 / 109, 1e-9);
  symbols = full;
  symbols.blocks = 54;  // two warps each: 108 of 432 schedulers
  EXPECT_NEAR(psa.Latency(symbols, target_), time * 4, 1e-9);
}

// Of one stencil over 1024 x 1024 elements, in blocks of so many threads.
TEST_F(PsaTest, BlocksAndThreadsTakeTimeToStart) {
  const ComputeDag dag = StencilsDag(1, 1024);
  const auto starts = [&](int threads) {
    const Program program =
        *Resolve(dag,
                 *ParseSchedule(absl::StrCat(
                     "fuse stage=1 iterator=0 count=2\n"
                     "split stage=1 iterator=0 lengths=",
                     threads,
                     " tail=guard\n"
                     "annotate stage=1 iterator=0 annotation=block\n"
                     "annotate stage=1 iterator=1 annotation=thread\n")),
                 target_);
    return 1e3 / Psa({.starts = true}).Score(program, target_) -
           1e3 / Psa().Score(program, target_);
  };
  const auto of_instructions = [](double count) { return 2 * count / 19490e6; };
  const double threads = 1024.0 * 1024 * 80;
  // On cores of 2 x 32 lanes.
  EXPECT_NEAR(starts(32), of_instructions(32768 * 128 * 64 + threads), 1e-7);
  EXPECT_NEAR(starts(256), of_instructions(4096 * 128 * 64 + threads), 1e-7);
  EXPECT_NEAR(starts(1024), starts(256), 1e-7);
  // What a product's blocks do takes longer.
  EXPECT_EQ(Psa({.starts = true}).Score(gemm_, target_),
            Psa().Score(gemm_, target_));
}

INSTANTIATE_TEST_SUITE_P(Psa, DraftModelConformanceTest,
                         testing::Values(DraftModelUnderTest{
                             .name = "psa",
                             .make = [] { return std::make_unique<Psa>(); }}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace pruner
