#include "pruner/analysis/program_symbols.h"

#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/program/resolve.h"
#include "pruner/schedule/schedule_text.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

ProgramSymbols Symbols(const ComputeDag& dag, const char* steps) {
  ProgramSymbols symbols;
  ExtractSymbols(*Resolve(dag, *ParseSchedule(steps), SampleCpuTarget()),
                 symbols);
  return symbols;
}

TEST(ProgramSymbolsTest, RegisterTileOfAFusedMatrixProduct) {
  const ComputeDag dag = MatmulReluDag(64, 128, 32);
  const ProgramSymbols symbols = Symbols(
      dag,
      "split stage=2 iterator=0 lengths=2,2,4 tail=guard\n"
      "split stage=2 iterator=4 lengths=2,1,32 tail=guard\n"
      "split stage=2 iterator=8 lengths=8 tail=guard\n"
      "reorder stage=2 order=0,4,1,5,8,2,6,9,3,7\n"
      "follow_split stage=3 iterator=0 source_step=0 levels=3 tail=guard\n"
      "follow_split stage=3 iterator=3 source_step=1 levels=3 tail=guard\n"
      "reorder stage=3 order=0,3,1,4,2,5\n"
      "compute_at stage=2 target_stage=3 target_iterator=3\n"
      "fuse stage=3 iterator=0 count=2\n"
      "annotate stage=3 iterator=0 annotation=parallel\n"
      "annotate stage=2 iterator=8 annotation=unroll\n"
      "annotate stage=2 iterator=9 annotation=vectorize\n");
  EXPECT_TRUE(symbols.stages[0].is_absent);
  EXPECT_EQ(symbols.stages[3].parallel_extent, 4 * 2);
  EXPECT_FALSE(symbols.stages[3].is_nested_parallel);
  EXPECT_EQ(symbols.stages[2].parallel_extent, 1);
  EXPECT_EQ(symbols.stages[2].vector_elements, 16);
  // Four rows of two vectors each.
  EXPECT_EQ(symbols.stages[2].unrolled_statements, 4 * 2);
  EXPECT_EQ(symbols.stages[2].accumulators, 4 * 2);
  EXPECT_EQ(symbols.stages[3].accumulators, 0);
}

// 30 columns are two vectors of 16, the last of which is masked.
TEST(ProgramSymbolsTest, MaskedVectorsAreMoreCode) {
  const auto statements = [](int columns) {
    return Symbols(MatmulReluDag(64, columns, 32),
                   "split stage=2 iterator=1 lengths=16 tail=guard\n"
                   "split stage=2 iterator=3 lengths=4 tail=guard\n"
                   "reorder stage=2 order=0,1,3,4,2\n"
                   "annotate stage=2 iterator=3 annotation=unroll\n"
                   "annotate stage=2 iterator=4 annotation=vectorize\n")
        .stages[2]
        .unrolled_statements;
  };
  EXPECT_EQ(statements(32), 4);
  EXPECT_EQ(statements(30), 4 * 8);
}

TEST(ProgramSymbolsTest, ParallelLoopsInsideOneAnotherAreSeen) {
  const ComputeDag dag = MatmulReluDag(64, 128, 32);
  const ProgramSymbols symbols =
      Symbols(dag,
              "compute_at stage=2 target_stage=3 target_iterator=0\n"
              "annotate stage=3 iterator=0 annotation=parallel\n"
              "annotate stage=2 iterator=1 annotation=parallel\n");
  EXPECT_TRUE(symbols.stages[2].is_nested_parallel);
  EXPECT_FALSE(symbols.stages[3].is_nested_parallel);
}

TEST(ProgramSymbolsTest, LongVectorLoopsOfUntiledStagesAreNoRegisterTile) {
  const ProgramSymbols symbols =
      Symbols(MaxPoolDag(9, 2048),
              "reorder stage=1 order=0,1,3,4,2\n"
              "annotate stage=1 iterator=4 annotation=vectorize\n");
  EXPECT_EQ(symbols.stages[1].unrolled_statements, 1);
  EXPECT_EQ(symbols.stages[1].accumulators, 0);
}

TEST(ProgramSymbolsTest, InlinedStagesAreAbsent) {
  const ProgramSymbols symbols =
      Symbols(ConvBiasReluDag({}), "compute_inline stage=3\n");
  EXPECT_TRUE(symbols.stages[3].is_absent);
  EXPECT_FALSE(symbols.stages[4].is_absent);
}

}  // namespace
}  // namespace pruner
