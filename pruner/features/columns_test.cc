#include "pruner/features/columns.h"

#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/features/column_writer.h"
#include "pruner/features/cpu_costs.h"
#include "pruner/features/cpu_symbols.h"
#include "pruner/features/dataflow_blocks.h"
#include "pruner/features/feature_rows.h"
#include "pruner/features/task_flags.h"
#include "pruner/program/program.h"
#include "pruner/program/resolve.h"
#include "pruner/schedule/sample_schedules.h"
#include "pruner/schedule/schedule_text.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

using Row = std::map<std::string, float>;

// By name, the rows of a program.
std::vector<Row> Rows(const Program& program, ColumnSet columns) {
  ColumnExtractor extractor(columns);
  FeatureRows rows = extractor.NoRows();
  extractor.Append(program, SampleCpuTarget(), rows);
  std::vector<Row> named(rows.num_rows());
  const std::vector<std::string>& names = ColumnNames(columns);
  for (size_t r = 0; r < named.size(); ++r) {
    for (size_t c = 0; c < names.size(); ++c)
      named[r][names[c]] = rows.values[r * names.size() + c];
  }
  return named;
}

TEST(ColumnsTest, AnsorsAreTheFirst164) {
  const std::vector<std::string>& ansors = ColumnNames(ColumnSet::kAnsor);
  EXPECT_EQ(ansors.size(), static_cast<size_t>(kAnsorColumns));
  EXPECT_EQ(ColumnNames(ColumnSet::kTenset).size(),
            static_cast<size_t>(kAnsorColumns + kTaskFlags));
  for (const ColumnSet more : {ColumnSet::kTenset, ColumnSet::kAll}) {
    const std::vector<std::string>& names = ColumnNames(more);
    ASSERT_GT(names.size(), ansors.size());
    EXPECT_TRUE(std::equal(ansors.begin(), ansors.end(), names.begin()));
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(),
              names.size());
    EXPECT_NE(ColumnSetName(more), ColumnSetName(ColumnSet::kAnsor));
  }
}

TEST(ColumnsTest, FlagsAreOfTheTaskWhateverStepsInsert) {
  const ComputeDag dag = MatmulReluDag(64, 64, 64);
  for (const char* schedule :
       {"", kSampleTiledMatmul,
        "rfactor stage=2 axis=2 factor=8 part=inner\n"}) {
    const Program program =
        *Resolve(dag, *ParseSchedule(schedule), SampleCpuTarget());
    for (const Row& row : Rows(program, ColumnSet::kTenset)) {
      EXPECT_EQ(row.at("task.dense"), 1) << schedule;
      EXPECT_EQ(row.at("task.conv2d"), 0) << schedule;
    }
  }
}

TEST(ColumnsTest, DataflowIsTheProgramsOwn) {
  const ComputeDag dag = MatmulReluDag(64, 64, 64);
  const TargetSpec target = SampleCpuTarget();
  const Program program =
      *Resolve(dag, *ParseSchedule(kSampleTiledMatmul), target);
  for (const auto& [with, without] :
       {std::pair(ColumnSet::kAllAndDataflow, ColumnSet::kAll),
        std::pair(ColumnSet::kPacm, ColumnSet::kTenset)}) {
    ColumnExtractor extractor(with), rows_only(without);
    FeatureRows both = extractor.NoRows(), rows = rows_only.NoRows();
    extractor.Append(program, target, both);
    rows_only.Append(program, target, rows);
    EXPECT_EQ(rows.program_columns, 0);
    EXPECT_EQ(both.values, rows.values);
    ASSERT_EQ(both.program_columns, kDataflowBlocks * kDataflowColumns);
    const DataflowBlocks blocks =
        DataflowExtractor({.compat_operations = with == ColumnSet::kPacm})
            .Extract(program);
    EXPECT_NE(blocks[7][0], 0);
    for (int b = 0; b < kDataflowBlocks; ++b) {
      for (int c = 0; c < kDataflowColumns; ++c) {
        EXPECT_EQ(both.program_row(0)[b * kDataflowColumns + c], blocks[b][c]);
      }
    }
    EXPECT_EQ(ColumnNames(with), ColumnNames(without));
    EXPECT_EQ(ColumnSetName(with),
              ColumnSetName(without) + ", " + DataflowName());
  }
}

// By hand: C[i,j] += A[i,k] * B[k,j] of 64, 256 and 512, as it is written, and
// max(C, 0).
TEST(ColumnsTest, OfAMatrixProduct) {
  const ComputeDag dag = MatmulReluDag(64, 256, 512);
  const std::vector<Row> rows =
      Rows(*Resolve(dag, {}, SampleCpuTarget()), ColumnSet::kAll);
  ASSERT_EQ(rows.size(), 2u);
  const Row& product = rows[0];
  const auto log = [](double value) {
    return static_cast<float>(std::log2(value + 1));
  };
  const double executions = 64.0 * 256 * 512;
  EXPECT_EQ(product.at("ops.float_mul"), log(executions));
  EXPECT_EQ(product.at("ops.float_add"), log(executions));
  EXPECT_EQ(product.at("ops.float_compare"), 0);
  EXPECT_EQ(rows[1].at("ops.float_compare"), log(64 * 256));
  EXPECT_EQ(product.at("nest.loops"), log(3));
  EXPECT_EQ(product.at("nest.outer"), log(executions));
  EXPECT_EQ(product.at("vectorized.loops"), 0);
  EXPECT_EQ(product.at("vectorized.nowhere"), 1);
  EXPECT_EQ(product.at("vectorized.mixed"), 0);

  // C is repeated at once, by k; A after a row of it and a column of B, by j;
  // B when all of it was read, by i.
  EXPECT_EQ(product.at("buffer0.read_write"), 1);
  EXPECT_EQ(product.at("buffer0.reuse_loop"), 1);
  EXPECT_EQ(product.at("buffer0.reuse_count"), log(512));
  EXPECT_EQ(product.at("buffer0.reuse_distance_bytes"), log(3 * 4));
  EXPECT_EQ(product.at("buffer0.unique_bytes"), log(64 * 256 * 4));
  EXPECT_EQ(product.at("buffer1.read"), 1);
  EXPECT_EQ(product.at("buffer1.unique_bytes"), log(64 * 512 * 4));
  EXPECT_EQ(product.at("buffer1.reuse_count"), log(256));
  EXPECT_EQ(product.at("buffer1.reuse_distance_iterations"), log(512));
  EXPECT_EQ(product.at("buffer1.reuse_distance_bytes"),
            log(4 * (512 + 512 + 1)));
  EXPECT_EQ(product.at("buffer1.stride"), log(1));
  EXPECT_EQ(product.at("buffer2.unique_bytes"), log(512 * 256 * 4));
  EXPECT_EQ(product.at("buffer2.reuse_count"), log(64));
  EXPECT_EQ(product.at("buffer2.stride"), log(256));
  EXPECT_EQ(product.at("buffer2.lines"), log(executions));
  EXPECT_EQ(product.at("buffer2.bytes"), log(executions * 4));
  EXPECT_EQ(product.at("buffer3.bytes"), 0);

  // All operations by all bytes.
  EXPECT_NEAR(product.at("intensity9.ops_per_byte"),
              log(std::log2(2 * executions /
                            (4.0 * (64 * 512 + 512 * 256 + 64 * 256)))),
              1e-5);
  EXPECT_EQ(product.at("allocation.bytes"), log(64 * 256 * 4));
  EXPECT_EQ(product.at("allocation.outer"), log(1));

  // What is read of what the product has stored.
  EXPECT_EQ(rows[1].at("buffer0.write") + rows[1].at("buffer0.read"), 1);
}

// What the abstraction of CPUs expects of all of it is in every row.
TEST(ColumnsTest, ExpectedCosts) {
  const ComputeDag dag = MatmulReluDag(64, 256, 512);
  const TargetSpec target = SampleCpuTarget();
  const Program program = *Resolve(dag, {}, target);
  const std::vector<Row> rows = Rows(program, ColumnSet::kAll);
  ASSERT_EQ(rows.size(), 2u);
  std::vector<double> stages(program.stages.size());
  double all = CyclesOf(ParallelCosts(program, target));
  CpuSymbolExtractor extractor;
  for (const CpuSymbols& symbols : extractor.Extract(program, target)) {
    CpuCosts costs = StatementCosts(symbols, target);
    for (double& cost : costs) cost /= symbols.cores;
    stages[program.statements[symbols.statement].stage] += CyclesOf(costs);
    all += CyclesOf(costs);
  }
  EXPECT_EQ(rows[0].at("cost.program"), SignedLog(all));
  EXPECT_EQ(rows[1].at("cost.program"), SignedLog(all));
  EXPECT_EQ(rows[0].at("cost.stage"), SignedLog(stages[2]));
  EXPECT_EQ(rows[1].at("cost.stage"), SignedLog(stages[3]));
  EXPECT_EQ(rows[0].at("cost.operations"),
            SignedLog(64.0 * 256 * 512 / SampleCpuTarget().units.fma_pipes));
}

// Of GPUs it knows nothing.
TEST(ColumnsTest, NoCostsOfGpus) {
  const ComputeDag dag = MatmulReluDag(64, 256, 512);
  const TargetSpec target = SampleGpuTarget();
  ColumnExtractor extractor(ColumnSet::kAll);
  FeatureRows rows = extractor.NoRows();
  extractor.Append(*Resolve(dag, {}, target), target, rows);
  const std::vector<std::string>& names = ColumnNames(ColumnSet::kAll);
  for (size_t c = 0; c < names.size(); ++c) {
    if (!absl::StartsWith(names[c], "cost.")) continue;
    EXPECT_EQ(rows.values[c], 0) << names[c];
  }
}

// Tiles of 16 by 32 numbers, the columns as vectors of 16 lanes.
TEST(ColumnsTest, RegistersAndVectors) {
  const ComputeDag dag = MatmulReluDag(64, 256, 512);
  const auto steps = [](const char* vector) {
    return std::string(
               "split stage=2 iterator=0 lengths=4 tail=guard\n"
               "split stage=2 iterator=2 lengths=32 tail=guard\n"
               "reorder stage=2 order=0,2,4,1,3\n"
               "annotate stage=2 iterator=0 annotation=parallel\n"
               "annotate stage=2 iterator=3 annotation=unroll\n") +
           vector;
  };
  const Program program =
      *Resolve(dag,
               *ParseSchedule(
                   steps("annotate stage=2 iterator=4 annotation=vectorize\n")),
               SampleCpuTarget());
  const Row row = Rows(program, ColumnSet::kAll)[0];
  const double vectors =
      32.0 * 4 / static_cast<double>(SampleCpuTarget().registers.bytes);
  EXPECT_EQ(row.at("registers.accumulators"), 4 * vectors)
      << program.ToString();
  EXPECT_EQ(row.at("registers.vector_ops"), 4 * vectors);
  EXPECT_EQ(row.at("registers.vector_loads"), vectors);
  EXPECT_EQ(row.at("registers.element_loads"), 4);
  EXPECT_EQ(row.at("registers.gathers"), 0);
  EXPECT_EQ(row.at("parallel.iterations"), std::log2(17.0F));
  EXPECT_EQ(row.at("unrolled.loops") > 0, true);
}

}  // namespace
}  // namespace pruner
