#include "pruner/program/streams.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/program/resolve.h"
#include "pruner/schedule/schedule_text.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

// A product of 64 x 512 with 512 x 256 numbers, in panels of 32 columns.
constexpr char kPanels[] =
    "split stage=2 iterator=0 lengths=16,4 tail=guard\n"
    "split stage=2 iterator=3 lengths=1,32 tail=guard\n"
    "split stage=2 iterator=6 lengths=64 tail=guard\n"
    "reorder stage=2 order=0,3,6,1,4,7,2,5\n"
    "follow_split stage=3 iterator=0 source_step=0 levels=2 tail=guard\n"
    "follow_split stage=3 iterator=2 source_step=1 levels=2 tail=guard\n"
    "reorder stage=3 order=2,0,1,3\n"
    "compute_at stage=2 target_stage=3 target_iterator=1\n"
    "annotate stage=3 iterator=0 annotation=parallel\n"
    "annotate stage=2 iterator=6 annotation=unroll\n"
    "annotate stage=2 iterator=7 annotation=vectorize\n";

class StreamsTest : public testing::Test {
 protected:
  Program Resolved(const std::string& steps) const {
    return *Resolve(dag_, *ParseSchedule(steps), SampleCpuTarget());
  }
  Program Streamed(int64_t max_bytes, const char* input = "1") const {
    return Resolved(absl::StrCat(kPanels, "stream stage=2 source=", input,
                                 " max_bytes=", max_bytes, "\n"));
  }
  // The line about the stream, and the loop in which it stands.
  static std::string Line(const Program& program) {
    const std::string text = program.ToString();
    const size_t begin = text.find("stream ");
    if (begin == std::string::npos) return "";
    return text.substr(begin, text.find('\n', begin) - begin);
  }
  static std::string LoopOf(const Program& program) {
    for (const Statement& statement : program.statements) {
      if (statement.stream < 0) continue;
      const ProgramLoop& loop = program.loops[statement.loop];
      return absl::StrCat(program.dag->stage(loop.stage)
                              .axes[program.shares[loop.first_share].axis]
                              .name,
                          " of ", loop.extent);
    }
    return "";
  }

  const ComputeDag dag_ = MatmulReluDag(64, 256, 512);
};

TEST_F(StreamsTest, TheLargestPanelThatFitsIsSpreadOverAllThatIsDoneMeanwhile) {
  // 512 rows of 32 columns: while 16 x 512 / 64 x 64 iterations run, of which
  // each asks for two numbers.
  const Program panels = Streamed(64 << 10);
  EXPECT_EQ(Line(panels), "stream B for the next j*32: 2 of 512 by 256 x 32");
  EXPECT_EQ(LoopOf(panels), "k of 64");
  EXPECT_EQ(StreamedBytes(panels, 2), 64 << 10);
  // 64 rows of them.
  const Program rows = Streamed((64 << 10) - 1);
  EXPECT_EQ(Line(rows), "stream B for the next k*64: 2 of 64 by 256 x 32");
  EXPECT_EQ(StreamedBytes(rows, 2), 8 << 10);
}

TEST_F(StreamsTest, WhatDoesNotMoveOrFitOrSpreadIsNotStreamed) {
  const Program without = Resolved(kPanels);
  EXPECT_EQ(Line(without), "");
  EXPECT_EQ(StreamedBytes(without, 2), 0);
  EXPECT_EQ(Streamed(0), without);
  EXPECT_EQ(Streamed(127), without);
  // Numbers of a column are no lines.
  EXPECT_EQ(Streamed(256, "0"), without);
}

TEST_F(StreamsTest, StatementsStandAtTheEndOfTheirLoop) {
  const Program program = Streamed(64 << 10);
  ASSERT_EQ(program.streams.size(), 1U);
  const Statement& body = program.statements[program.stages[2].body];
  const Statement& stream = program.statements[program.stages[2].body + 1];
  EXPECT_EQ(stream.stream, 0);
  EXPECT_EQ(stream.stage, 2);
  // Around the unrolled and vectorized ones.
  EXPECT_EQ(stream.loop,
            program.loops[program.loops[program.loops[body.loop].parent].parent]
                .parent);
  EXPECT_EQ(stream.executions, ExecutionsInside(program, stream.loop));
  EXPECT_EQ(stream.num_accesses, 0);
}

}  // namespace
}  // namespace pruner
