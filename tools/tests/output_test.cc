// What becomes of output that nobody reads, or that cannot be written.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "pruner/base/os/process.h"
#include "tools/tests/tool_test.h"

namespace pruner {
namespace {

constexpr char kNobody[] = "nobody reads the standard output any more";
constexpr char kFull[] =
    "cannot write to the standard output: No space left on device";
constexpr int kTrials = 3;

struct Printing {
  std::string tool;
  std::vector<std::string> args;
};

class OutputTest : public testing::Test {
 protected:
  // How the tool ended that printed to the open file.
  std::string Ended(const std::string& tool,
                    const std::vector<std::string>& args,
                    const FileDescriptor& out) const {
    return user_.Start(tool, args, out).Wait().ToString();
  }

  std::string Tune(const FileDescriptor& out) const {
    return Ended("tune",
                 {"--model=tiny", "--output_dir=out", "--race=0",
                  absl::StrCat("--trials=", kTrials)},
                 out);
  }

  std::string Stderr() const { return ReadFileOrDie(user_.File("stderr")); }

  Workplace user_;
};

// What prints what a folder that tune wrote holds.
std::vector<Printing> PrintingTools() {
  return {{"records", {"--log=out"}},
          {"records", {"--log=out", "--show=all"}},
          {"records", {"--help"}},
          {"run", {"--dir=out", "--seconds=0.05"}}};
}

TEST_F(OutputTest, NobodyNeedsToReadIt) {
  EXPECT_EQ(Tune(PipeWithoutReader()), "exited with code 0");
  EXPECT_EQ(Stderr(), absl::StrCat("tune: ", kNobody, "; the run goes on\n"));
  EXPECT_EQ(ReadSummaryOrDie(user_.File("out")).trials(), kTrials);
  for (const auto& [tool, args] : PrintingTools()) {
    EXPECT_EQ(Ended(tool, args, PipeWithoutReader()), "exited with code 0");
    EXPECT_EQ(Stderr(), "");
  }
}

TEST_F(OutputTest, AFullDiskIsAnErrorAndLosesNoTrials) {
  EXPECT_EQ(Tune(FullDisk()), "exited with code 1");
  EXPECT_EQ(Stderr(), absl::StrCat("tune: ", kFull,
                                   "; the run goes on\ntune: ", kFull, "\n"));
  EXPECT_EQ(ReadSummaryOrDie(user_.File("out")).trials(), kTrials);
  EXPECT_EQ(TrialsOf(ReadLogOrDie(user_.File("out/records.log"))).size(),
            kTrials);
  for (const auto& [tool, args] : PrintingTools()) {
    EXPECT_EQ(Ended(tool, args, FullDisk()), "exited with code 1");
    EXPECT_EQ(Stderr(), absl::StrCat(tool, ": ", kFull, "\n"));
  }
}

}  // namespace
}  // namespace pruner
