// tune for a Halide pipeline from a file.
#include <cstdint>
#include <string>
#include <vector>

#include "Halide.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "halide_ext/analyze/sample_pipelines.h"
#include "pruner/base/os/files.h"
#include "pruner/record/record_log.h"
#include "pruner/target/device_available.h"
#include "pruner/target/required_part.h"
#include "pruner/target/sample_targets.h"
#include "pruner/target/target_spec.h"
#include "tools/tests/tool_test.h"

namespace pruner {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class PipelineTest : public testing::Test {
 protected:
  void SetUp() override {
    std::vector<uint8_t> bytes;
    Halide::serialize_pipeline(MatmulReluPipeline(32, 48, 64), bytes);
    bytes_.assign(bytes.begin(), bytes.end());
    Write("matmul.hlpipe", bytes_);
  }

  void Write(const std::string& name, absl::string_view contents) const {
    ASSERT_EQ(WriteFileAtomically(user_.File(name), contents),
              absl::OkStatus());
  }

  CommandResult Tune(const std::string& file, int trials = 6) const {
    return user_.Run("tune", {"--pipeline=" + file, "--output_dir=out",
                              absl::StrCat("--trials=", trials)});
  }

  Workplace user_;
  std::string bytes_;
};

TEST_F(PipelineTest, IsTunedAndGoneOnWith) {
  const CommandResult result = Tune("matmul.hlpipe");
  ASSERT_EQ(result.exit_code, 0) << result.stderr_text;
  const proto::Summary summary = ReadSummaryOrDie(user_.File("out"));
  ASSERT_EQ(summary.tasks_size(), 1);
  EXPECT_EQ(summary.tasks(0).name(), "matmul");
  EXPECT_EQ(summary.tasks(0).trials(), 6);
  EXPECT_GT(summary.tasks(0).best_ms(), 0);
  EXPECT_NEAR(summary.tasks(0).gflop(), 32 * 48 * (2 * 64 + 1) * 1e-9, 1e-12);
  EXPECT_THAT(ReadFileOrDie(user_.File("out/schedules/matmul/matmul.h")),
              HasSubstr("inline void schedule_matmul("));
  // Whatever the file is called, the records are of the computation.
  Write("renamed.hlpipe", bytes_);
  const CommandResult again = Tune("renamed.hlpipe", 8);
  EXPECT_EQ(again.exit_code, 0) << again.stderr_text;
  EXPECT_THAT(again.stdout_text, HasSubstr("\ngoing on after 6 trials\n"));
  const LogContents log = ReadLogOrDie(user_.File("out/records.log"));
  EXPECT_EQ(log.workloads.size(), 1u);
  EXPECT_EQ(TrialsOf(log).size(), 8u);
}

// No device is needed for that, as nothing is timed.
TEST_F(PipelineTest, IsDraftedForAnyTarget) {
  for (const std::string target : {"host", "a100"}) {
    const CommandResult result =
        user_.Run("tune", {"--pipeline=matmul.hlpipe", "--output_dir=" + target,
                           "--trials=0", "--target=" + target});
    ASSERT_EQ(result.exit_code, 0) << result.stderr_text;
    EXPECT_THAT(result.stdout_text, HasSubstr("not timed; "));
    const proto::Summary summary = ReadSummaryOrDie(user_.File(target));
    ASSERT_EQ(summary.tasks_size(), 1);
    EXPECT_EQ(summary.tasks(0).trials(), 0);
    EXPECT_EQ(summary.tasks(0).best_ms(), 0);
    EXPECT_GT(summary.tasks(0).estimated_ms(), 0);
    const std::string schedule = ReadFileOrDie(
        user_.File(absl::StrCat(target, "/schedules/matmul/matmul.h")));
    EXPECT_EQ(absl::StrContains(schedule, ".gpu_blocks("), target == "a100");
  }
}

// The same path as CUDA's: what a GPU runs is searched and timed.
TEST_F(PipelineTest, IsTunedOnAnOpenClDevice) {
  const TargetSpec target = SampleOpenClTarget();
  if (EndsWithout("opencl", DeviceAvailable(target))) return;
  Write("gpu.txtpb", TargetSpecToText(target));
  const CommandResult result =
      user_.Run("tune", {"--pipeline=matmul.hlpipe", "--output_dir=out",
                         "--trials=8", "--target=gpu.txtpb"});
  ASSERT_EQ(result.exit_code, 0) << result.stderr_text;
  const proto::Summary summary = ReadSummaryOrDie(user_.File("out"));
  EXPECT_EQ(summary.tasks(0).trials(), 8);
  EXPECT_GT(summary.tasks(0).best_ms(), 0);
  EXPECT_THAT(ReadFileOrDie(user_.File("out/schedules/matmul/matmul.h")),
              HasSubstr(".gpu_blocks("));
}

TEST_F(PipelineTest, SharesAFolderWithANetwork) {
  EXPECT_EQ(Tune("matmul.hlpipe").exit_code, 0);
  const CommandResult network =
      user_.Run("tune", {"--model=tiny", "--output_dir=out", "--trials=9"});
  EXPECT_EQ(network.exit_code, 0) << network.stderr_text;
  EXPECT_TRUE(FileExists(user_.File("out/schedules/matmul/matmul.h")));
  EXPECT_TRUE(FileExists(user_.File("out/tiny.tuned")));
}

TEST_F(PipelineTest, OfAnotherVersionOrCutOffItIsRefused) {
  Write("old.hlpipe", absl::StrReplaceAll(bytes_, {{"21.0.0", "19.0.0"}}));
  const CommandResult old = Tune("old.hlpipe");
  EXPECT_EQ(old.exit_code, 2);
  EXPECT_THAT(old.stderr_text, AllOf(HasSubstr(user_.File("old.hlpipe")),
                                     HasSubstr("19.0.0"), HasSubstr("21.0.0")));
  for (size_t sixteenth = 0; sixteenth < 16; ++sixteenth) {
    Write("cut.hlpipe", bytes_.substr(0, bytes_.size() * sixteenth / 16));
    const CommandResult cut = Tune("cut.hlpipe");
    EXPECT_EQ(cut.exit_code, 2) << sixteenth;
    EXPECT_EQ(cut.signal, 0) << sixteenth;
    EXPECT_THAT(cut.stderr_text, HasSubstr(user_.File("cut.hlpipe")));
    EXPECT_EQ(cut.stderr_text.find('\n'), cut.stderr_text.size() - 1);
  }
  EXPECT_FALSE(FileExists(user_.File("out")));
}

}  // namespace
}  // namespace pruner
