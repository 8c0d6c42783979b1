#include "pruner/program/streams.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/program/resolve.h"
#include "pruner/schedule/sample_schedules.h"
#include "pruner/schedule/schedule_text.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

class StreamsTest : public testing::Test {
 protected:
  Program Resolved(const std::string& steps) const {
    return *Resolve(dag_, *ParseSchedule(steps), SampleCpuTarget());
  }
  Program Streamed(int64_t max_bytes, const char* input = "1") const {
    return Resolved(absl::StrCat(kSamplePanels, "stream stage=2 source=", input,
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
  const Program without = Resolved(kSamplePanels);
  EXPECT_EQ(Line(without), "");
  EXPECT_EQ(StreamedBytes(without, 2), 0);
  // But for what is known of the input.
  const auto streamed = [&](int64_t max_bytes, const char* input) {
    Program program = Streamed(max_bytes, input);
    program.stages[2].cold_buffer = -1;
    return program;
  };
  EXPECT_EQ(streamed(0, "1"), without);
  EXPECT_EQ(streamed(127, "1"), without);
  // Numbers of a column are no lines.
  EXPECT_EQ(streamed(256, "0"), without);
}

TEST_F(StreamsTest, WhatMayBeStreamedIsColdAlsoIfItIsNot) {
  const Program without = Streamed(0);
  EXPECT_EQ(without.stages[2].cold_buffer, without.stages[1].buffer);
  EXPECT_EQ(Resolved(kSamplePanels).stages[2].cold_buffer, -1);
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
