#include "pruner/features/cpu_symbols.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/program/program.h"
#include "pruner/program/resolve.h"
#include "pruner/schedule/sample_schedules.h"
#include "pruner/schedule/schedule_text.h"
#include "pruner/target/sample_targets.h"
#include "pruner/target/target_spec.h"

namespace pruner {
namespace {

// Of the stage's last definition.
CpuSymbols SymbolsOf(const Program& program, int stage) {
  CpuSymbolExtractor extractor;
  for (const CpuSymbols& s : extractor.Extract(program, SampleCpuTarget())) {
    if (s.statement == program.stages[stage].body) return s;
  }
  return {};
}

Program Scheduled(const ComputeDag& dag, const std::string& schedule) {
  return *Resolve(dag, *ParseSchedule(schedule), SampleCpuTarget());
}

TEST(CpuSymbolsTest, OfTiles) {
  const ComputeDag dag = MatmulReluDag(64, 64, 64);
  const Program program = Scheduled(dag, kSampleTiledMatmul);
  const CpuSymbols s = SymbolsOf(program, 2);
  EXPECT_TRUE(s.is_update) << program.ToString();
  EXPECT_EQ(s.bodies, 16 * 2 * 64);
  EXPECT_EQ(s.operations, 8);
  EXPECT_EQ(s.accumulators, 8);
  EXPECT_EQ(s.vector_loads, 2);
  EXPECT_EQ(s.broadcasts, 4);
  EXPECT_EQ(s.gathers, 0);
  EXPECT_EQ(s.guards, 0);
  EXPECT_EQ(s.reduction_steps, 1);
  EXPECT_EQ(s.same_accumulators, 64);
  EXPECT_EQ(s.kept, 64);
  EXPECT_EQ(s.read_conflicts, 0);
  EXPECT_EQ(s.write_conflicts, 0);
  // All three matrices, once.
  for (const double lines : s.lines) EXPECT_EQ(lines, 3 * 256);
  EXPECT_EQ(s.cores, 2);
}

// out[i] = u8(u16(in[i]) + 1)
ComputeDag BytesDag() {
  const ElementType u8 = {TypeCode::kUInt, 8}, u16 = {TypeCode::kUInt, 16};
  Stage in;
  in.name = "in";
  in.kind = StageKind::kPlaceholder;
  in.shape = {1024};
  in.types = {u8};
  Stage out;
  out.name = "out";
  out.shape = {1024};
  out.types = {u8};
  out.axes = {{.name = "x", .extent = 1024}};
  out.reads = {{.stage = 0, .indices = {{.terms = {{.axis = 0}}}}}};
  out.definitions = {
      {.ops =
           {{.kind = OpKind::kAxis, .type = kInt32},
            {.kind = OpKind::kRead, .type = u8, .operands = {0}, .access = 0},
            {.kind = OpKind::kCast, .type = u16, .operands = {1}},
            {.kind = OpKind::kConstant, .type = u16, .value = 1},
            {.kind = OpKind::kAdd, .type = u16, .operands = {2, 3}},
            {.kind = OpKind::kCast, .type = u8, .operands = {4}}},
       .values = {5}}};
  out.ops = CountOps(out.definitions[0]);
  out.is_output = true;
  return *ComputeDag::Create({in, out});
}

TEST(CpuSymbolsTest, OfIntegersAsWideAsTheyAre) {
  const ComputeDag dag = BytesDag();
  const CpuSymbols one = SymbolsOf(Scheduled(dag, ""), 1);
  EXPECT_EQ(one.operations, 3);  // two casts and a sum
  EXPECT_EQ(one.guards, 0);
  const Program program =
      Scheduled(dag,
                "split stage=1 iterator=0 lengths=64 tail=guard\n"
                "annotate stage=1 iterator=1 annotation=vectorize\n");
  const CpuSymbols s = SymbolsOf(program, 1);
  const auto bytes = static_cast<double>(SampleCpuTarget().registers.bytes);
  EXPECT_EQ(s.operations, 3 * 2 * 64 / bytes) << program.ToString();
  EXPECT_EQ(s.vector_loads, 64 / bytes);
  EXPECT_EQ(s.accumulators, 64 / bytes);
}

// out[i] = in[index of i], in vectors.
CpuSymbols SymbolsOfReadsAt(const IndexExpr& index) {
  std::vector<Stage> stages = BytesDag().stages();
  stages[0].shape = {4 * 1024};
  stages[1].reads[0].indices = {index};
  const ComputeDag dag = *ComputeDag::Create(stages);
  return SymbolsOf(
      Scheduled(dag,
                "split stage=1 iterator=0 lengths=64 tail=guard\n"
                "annotate stage=1 iterator=1 annotation=vectorize\n"),
      1);
}

TEST(CpuSymbolsTest, WhatDataNamesIsGathered) {
  const CpuSymbols s =
      SymbolsOfReadsAt({.terms = {{.axis = 0}}, .opaque = true});
  EXPECT_EQ(s.gathers, 64);
  EXPECT_EQ(s.vector_loads, 0);
  EXPECT_EQ(s.strided, 0);
}

// Of dense vectors, if these are not many.
TEST(CpuSymbolsTest, StridedReadsArePickedOutOfVectors) {
  const double of_dense =
      SymbolsOfReadsAt({.terms = {{.axis = 0}}}).vector_loads;
  for (const int64_t stride : {2, 4}) {
    const CpuSymbols s =
        SymbolsOfReadsAt({.terms = {{.axis = 0, .coefficient = stride}}});
    EXPECT_EQ(s.gathers, 64);
    EXPECT_EQ(s.strided, 64);
    EXPECT_EQ(s.strided_vectors, static_cast<double>(stride) * of_dense);
  }
  EXPECT_EQ(SymbolsOfReadsAt({.terms = {{.axis = 0}}, .divisor = 2}).strided,
            0);
}

// bins[in[i]] += 1, one element after the other: of which, no loop says, so
// none stays in a register.
TEST(CpuSymbolsTest, HistogramsAreWrittenElementByElement) {
  std::vector<Stage> stages = BytesDag().stages();
  const ElementType u32 = {TypeCode::kUInt, 32};
  Stage& bins = stages[1];
  bins.shape = {256};
  bins.types = {u32};
  bins.axes = {{.name = "bin", .extent = 256}};
  bins.reads = {{.stage = 0, .indices = {{.terms = {}, .opaque = true}}}};
  bins.opaque = true;
  bins.definitions = {
      {.ops = {{.kind = OpKind::kConstant, .type = u32}},
       .values = {0},
       .independent = {true}},
      {.ops = {{.kind = OpKind::kAxis, .type = kInt32, .value = 1},
               {.kind = OpKind::kRead,
                .type = {TypeCode::kUInt, 8},
                .operands = {0},
                .access = 0},
               {.kind = OpKind::kSelf, .type = u32, .operands = {1}},
               {.kind = OpKind::kConstant, .type = u32, .value = 1},
               {.kind = OpKind::kAdd, .type = u32, .operands = {2, 3}}},
       .values = {4},
       .indices = {1},
       .extents = {1024},
       .independent = {false}}};
  bins.ops = CountOps(bins.definitions[1]);
  const absl::StatusOr<ComputeDag> dag = ComputeDag::Create(stages);
  ASSERT_TRUE(dag.ok()) << dag.status();
  const Program program = Scheduled(*dag, "");
  const CpuSymbols s = SymbolsOf(program, 1);
  EXPECT_EQ(s.accumulators, 1) << program.ToString();
  EXPECT_EQ(s.kept, 1);
  EXPECT_EQ(s.operations, 1);
  EXPECT_EQ(s.chained, 1);
  EXPECT_LE(s.broadcasts, 2);
}

TEST(CpuSymbolsTest, OfLoopsAsTheyAreWritten) {
  const ComputeDag dag = MatmulReluDag(256, 256, 256);
  const CpuSymbols s = SymbolsOf(Scheduled(dag, ""), 2);
  EXPECT_EQ(s.bodies, 256 * 256 * 256);
  EXPECT_EQ(s.operations, 1);
  EXPECT_EQ(s.accumulators, 1);
  EXPECT_EQ(s.vector_loads, 0);
  EXPECT_EQ(s.broadcasts, 2);
  EXPECT_EQ(s.kept, 256);
  // The second matrix, by columns, does not stay in L1 from row to row.
  EXPECT_EQ(s.lines[0], 256 * 4096 + 2 * 4096);
  EXPECT_EQ(s.far_lines[0], 256 * 4096);
  EXPECT_EQ(s.lines[1], 3 * 4096);
  EXPECT_EQ(s.far_lines[1], 4096);
  EXPECT_EQ(s.cores, 1);
}

TEST(CpuSymbolsTest, AVectorAcrossRowsIsGathered) {
  const ComputeDag dag = MatmulReluDag(64, 64, 64);
  const CpuSymbols s =
      SymbolsOf(Scheduled(dag,
                          "split stage=2 iterator=0 lengths=16 tail=guard\n"
                          "reorder stage=2 order=0,2,3,1\n"
                          "annotate stage=2 iterator=3 annotation=vectorize\n"),
                2);
  // Of one operand and the result; all lanes share the other one.
  EXPECT_EQ(s.gathers, 32);
  EXPECT_EQ(s.broadcasts, 1);
  EXPECT_EQ(s.vector_loads, 0);
}

TEST(CpuSymbolsTest, UnrolledReductionsAndWhatIsWrittenAnew) {
  const ComputeDag dag = MatmulReluDag(64, 64, 64);
  // The loop around the body moves what it writes.
  const CpuSymbols s =
      SymbolsOf(Scheduled(dag,
                          "split stage=2 iterator=1 lengths=16 tail=guard\n"
                          "split stage=2 iterator=3 lengths=8 tail=guard\n"
                          "reorder stage=2 order=0,3,1,4,2\n"
                          "annotate stage=2 iterator=4 annotation=vectorize\n"
                          "annotate stage=2 iterator=3 annotation=unroll\n"),
                2);
  EXPECT_EQ(s.operations, 8);
  EXPECT_EQ(s.accumulators, 1);
  EXPECT_EQ(s.reduction_steps, 8);
  EXPECT_EQ(s.vector_loads, 8);
  EXPECT_EQ(s.broadcasts, 8);
  EXPECT_EQ(s.kept, 1);
}

// A body reads the two lines of a panel in one of its 512 rows.
TEST(CpuSymbolsTest, LinesOfAColdInputAreAwaitedIfNothingStreamsThem) {
  const ComputeDag dag = MatmulReluDag(64, 256, 512);
  const auto of = [&](const char* stream) {
    return SymbolsOf(Scheduled(dag, absl::StrCat(kSamplePanels, stream)), 2);
  };
  const CpuSymbols s = of("stream stage=2 source=1 max_bytes=0\n");
  EXPECT_EQ(s.awaited_lines, 512 * 256 / 16);
  EXPECT_EQ(s.awaited_in_body, 2);
  EXPECT_EQ(of("stream stage=2 source=1 max_bytes=65536\n").awaited_lines, 0);
  EXPECT_EQ(of("").awaited_lines, 0);
}

// Rows of a page: all fall into one set, of 8 ways.
TEST(CpuSymbolsTest, RowsOfAPageConflict) {
  for (const int rows : {8, 12, 16, 32}) {
    const ComputeDag dag = MatmulReluDag(64, 64, 1024);
    const std::string schedule =
        "split stage=2 iterator=0 lengths=" + std::to_string(rows) +
        " tail=guard\n"
        "reorder stage=2 order=0,2,3,1\n"
        "annotate stage=2 iterator=3 annotation=unroll\n";
    const CpuSymbols s = SymbolsOf(Scheduled(dag, schedule), 2);
    const double expected = rows == 8 ? 0 : rows == 12 ? 6 : rows;
    EXPECT_EQ(s.read_conflicts, expected) << rows;
    EXPECT_EQ(s.write_conflicts, 0) << rows;
  }
}

}  // namespace
}  // namespace pruner
