// Networks of users' own, several of them in one folder, and what stands beside
// them there.
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/os/files.h"
#include "pruner/base/os/process.h"
#include "pruner/record/record_log.h"
#include "tools/tests/tool_test.h"

namespace pruner {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;

// Two outputs: batch norms of one shape, with different epsilons.
constexpr char kTwoEpsilons[] = R"(
  name: "two_epsilons"
  inputs { name: "x" shape: [1, 8, 8, 16] }
  constants { name: "p" shape: [16] random { seed: 1 low: 0.5 high: 1 } }
  nodes {
    name: "a" inputs: ["x", "p", "p", "p", "p"] batch_norm { epsilon: 1e-5 }
  }
  nodes {
    name: "b" inputs: ["x", "p", "p", "p", "p"] batch_norm { epsilon: 1e-1 }
  }
  outputs: ["a", "b"])";

// The same operators in another order.
constexpr char kTwoOrders[] = R"(
  name: "two_orders"
  inputs { name: "x" shape: [1, 8, 8, 16] }
  constants { name: "p" shape: [16] random { seed: 1 low: -1 high: 1 } }
  nodes { name: "r" inputs: "x" relu {} }
  nodes { name: "a" inputs: ["r", "p"] bias_add {} }
  nodes { name: "c" inputs: ["x", "p"] bias_add {} }
  nodes { name: "b" inputs: "c" relu {} }
  outputs: ["a", "b"])";

// Half of the variances are negative, so that half of the output is no number.
constexpr char kNegativeVariances[] = R"(
  name: "negative"
  inputs { name: "x" shape: [1, 8, 8, 16] }
  constants { name: "p" shape: [16] random { seed: 1 low: 0.5 high: 1 } }
  constants { name: "v" shape: [16] random { seed: 2 low: -1 high: 1 } }
  nodes {
    name: "y" inputs: ["x", "p", "p", "p", "v"] batch_norm { epsilon: 1e-5 }
  }
  outputs: "y")";

// A matrix product whose weights are in the file.
constexpr char kGivenWeights[] = R"(
  name: "given"
  inputs { name: "x" shape: [1, 4] }
  constants { name: "w" shape: [4, 2] values { value: [1,2,3,4,5,6,7,8] } }
  nodes { name: "y" inputs: ["x", "w"] dense {} }
  outputs: "y")";

class NetworksTest : public testing::Test {
 protected:
  void Write(const std::string& name, absl::string_view contents) const {
    const std::string path = user_.File(name);
    ASSERT_EQ(MakeDirectories(DirectoryOf(path)), absl::OkStatus());
    ASSERT_EQ(WriteFileAtomically(path, contents), absl::OkStatus());
  }

  CommandResult Tune(std::vector<std::string> args, int trials = 6) const {
    args.push_back(absl::StrCat("--trials=", trials));
    args.push_back("--output_dir=out");
    return user_.Run("tune", args);
  }

  void ExpectTunes(const std::vector<std::string>& args) const {
    const CommandResult result = Tune(args);
    EXPECT_EQ(result.exit_code, 0) << result.stderr_text;
  }

  CommandResult Run(std::vector<std::string> args) const {
    args.insert(args.end(), {"--dir=out", "--seconds=0.05"});
    return user_.Run("run", args);
  }

  void ExpectRuns(const std::vector<std::string>& args,
                  const std::string& says) const {
    const CommandResult result = Run(args);
    EXPECT_EQ(result.exit_code, 0) << result.stderr_text;
    EXPECT_THAT(result.stdout_text, HasSubstr(says));
  }

  Workplace user_;
};

TEST_F(NetworksTest, ComputationsThatDifferInAConstantOrTheOrderTune) {
  Write("epsilons.txtpb", kTwoEpsilons);
  Write("orders.txtpb", kTwoOrders);
  ExpectTunes({"--model=epsilons.txtpb"});
  ExpectTunes({"--model=orders.txtpb"});
  const LogContents log = ReadLogOrDie(user_.File("out/records.log"));
  EXPECT_EQ(log.workloads.size(), 4u);
}

TEST_F(NetworksTest, OutputsThatAreNoNumbersAreNotWrong) {
  Write("negative.txtpb", kNegativeVariances);
  ExpectTunes({"--model=negative.txtpb"});
  const proto::Summary summary = ReadSummaryOrDie(user_.File("out"));
  EXPECT_GT(summary.network_latency_ms(), 0);
  EXPECT_LT(summary.max_rel_error(), 1e-5);
  ExpectRuns({}, "verified: 1 kernels");
}

TEST_F(NetworksTest, TwoNetworksShareAFolderThroughAKill) {
  Write("given.txtpb", kGivenWeights);
  Process tune = user_.Start(
      "tune", {"--model=tiny", "--output_dir=out", "--trials=4000"});
  const auto records = [&] {
    const auto log = ReadRecordLog(user_.File("out/records.log"));
    return log.ok() ? log->records.size() : 0;
  };
  EXPECT_TRUE(WaitUntil([&] { return records() >= 3; }));
  ASSERT_EQ(kill(tune.pid(), SIGKILL), 0);
  EXPECT_EQ(tune.Wait().signal, SIGKILL);
  const size_t before = records();
  // Whatever was tuned in between, each network finds its own records again.
  ExpectTunes({"--model=given.txtpb"});
  const CommandResult again =
      Tune({"--model=tiny"}, static_cast<int>(before) + 2);
  EXPECT_EQ(again.exit_code, 0) << again.stderr_text;
  EXPECT_THAT(again.stdout_text,
              HasSubstr(absl::StrCat("\ngoing on after ", before, " trials")));
  EXPECT_EQ(ReadSummaryOrDie(user_.File("out")).new_trials(), 2);

  const CommandResult which = Run({});
  EXPECT_EQ(which.exit_code, 2);
  EXPECT_THAT(which.stderr_text,
              AllOf(HasSubstr("--model="), HasSubstr("there are given, tiny")));
  const CommandResult none = Run({"--model=resnet50"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.stderr_text, HasSubstr("given, tiny"));
  ExpectRuns({"--model=tiny"}, "tiny, batch 1");
  ExpectRuns({"--model=given.txtpb"}, "given.txtpb, batch 1");
}

TEST_F(NetworksTest, NetworksOfOneRunShareWhatIsEqual) {
  Write("one.txtpb", kTwoEpsilons);
  // A batch norm of the other's, and one of its own.
  Write("two.txtpb", absl::StrReplaceAll(kTwoEpsilons, {{"1e-1", "1e-2"}}));
  ExpectTunes({"--model=one.txtpb,two.txtpb"});
  const LogContents log = ReadLogOrDie(user_.File("out/records.log"));
  EXPECT_EQ(log.workloads.size(), 3u);
  EXPECT_EQ(TrialsOf(log).size(), 6u);
  EXPECT_TRUE(FileExists(user_.File("out/summary_one.json")));
  EXPECT_TRUE(FileExists(user_.File("out/summary_two.json")));
  ExpectRuns({"--model=one"}, "one.txtpb, batch 1");
  ExpectRuns({"--model=two"}, "two.txtpb, batch 1");
}

TEST_F(NetworksTest, WeightsAreFoundOrWhereTheyWereLookedForIsSaid) {
  Write("model/given.txtpb", kGivenWeights);
  ExpectTunes({"--model=model/given.txtpb"});
  ExpectRuns({}, "given.txtpb, batch 1");
  ASSERT_EQ(RenameFile(user_.File("model/given.txtpb"),
                       user_.File("model/moved.txtpb")),
            absl::OkStatus());
  const CommandResult lost = Run({});
  EXPECT_EQ(lost.exit_code, 2);
  EXPECT_THAT(lost.stderr_text,
              AllOf(HasSubstr("the weights of"),
                    HasSubstr(user_.File("model/given.txtpb")),
                    HasSubstr("out/given.txtpb"), HasSubstr("--weights=")));
  ExpectRuns({"--weights=model/moved.txtpb"}, "given.txtpb, batch 1");
  // Beside the tuned network, and others than before.
  Write("out/given.txtpb", absl::StrReplaceAll(kGivenWeights, {{"8]", "9]"}}));
  const CommandResult other = Run({});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.stderr_text, HasSubstr("are not those of before"));
}

TEST_F(NetworksTest, EmbeddedWeightsNeedNoFile) {
  Write("given.txtpb", kGivenWeights);
  ExpectTunes({"--model=given.txtpb", "--embed_weights"});
  ASSERT_EQ(RemoveFile(user_.File("given.txtpb")), absl::OkStatus());
  ExpectRuns({}, "given.txtpb, batch 1");
}

TEST_F(NetworksTest, FilesOfTheUserStayAsTheyAre) {
  Write("out/scratch/thesis.txt", "years");
  Write("real/notes", "months");
  ASSERT_EQ(symlink("../real", user_.File("out/linked").c_str()), 0);
  Write("out/schedules/mine.h", "mine");
  Write("given.txtpb", kGivenWeights);
  ExpectTunes({"--model=given.txtpb"});
  EXPECT_EQ(ReadFileOrDie(user_.File("out/scratch/thesis.txt")), "years");
  EXPECT_EQ(ReadFileOrDie(user_.File("out/linked/notes")), "months");
  EXPECT_EQ(ReadFileOrDie(user_.File("out/schedules/mine.h")), "mine");
}

TEST_F(NetworksTest, AForeignSummaryIsNotReplaced) {
  Write("out/summary.json", "of something else");
  Write("given.txtpb", kGivenWeights);
  const CommandResult result = Tune({"--model=given.txtpb"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.stderr_text, HasSubstr("out/summary.json"));
  EXPECT_EQ(ReadFileOrDie(user_.File("out/summary.json")), "of something else");
  EXPECT_FALSE(FileExists(user_.File("out/records.log")));
}

TEST_F(NetworksTest, TheSummaryIsWrittenWhateverBecomesOfTheSchedules) {
  Write("given.txtpb", kGivenWeights);
  // A folder where a schedule's file is to be.
  ASSERT_EQ(MakeDirectories(user_.File("out/schedules/given/dense_4_2.h")),
            absl::OkStatus());
  const CommandResult result = Tune({"--model=given.txtpb"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.stderr_text,
              HasSubstr("out/schedules/given/dense_4_2.h is a folder"));
  EXPECT_EQ(ReadSummaryOrDie(user_.File("out")).trials(), 6);
  EXPECT_TRUE(FileExists(user_.File("out/given.tuned")));
}

// Its name tells all of its operators, and becomes that of a file.
TEST_F(NetworksTest, AKernelOfManyOperatorsTunes) {
  std::string chain = R"(name: "chain" inputs { name: "y0" shape: [1, 64] })";
  for (int i = 1; i <= 60; ++i) {
    absl::StrAppend(&chain, "nodes { name: \"y", i, "\" inputs: \"y", i - 1,
                    "\" relu {} }");
  }
  Write("chain.txtpb", chain + "outputs: \"y60\"");
  ExpectTunes({"--model=chain.txtpb"});
  EXPECT_TRUE(FileExists(user_.File("out/chain.tuned")));
  EXPECT_THAT(ListDirectory(user_.File("out/schedules/chain")).value(),
              SizeIs(1));
}

TEST_F(NetworksTest, ASecondTunerIsToldWhoWorksInTheFolder) {
  Process tune = user_.Start(
      "tune", {"--model=tiny", "--output_dir=out", "--trials=4000"});
  EXPECT_TRUE(WaitUntil(
      [&] { return ReadRecordLog(user_.File("out/records.log")).ok(); }));
  for (const char* flag : {"--seed=2", "--fresh"}) {
    const CommandResult second = Tune({"--model=tiny", flag});
    EXPECT_EQ(second.exit_code, 2);
    EXPECT_THAT(second.stderr_text,
                HasSubstr(absl::StrCat("process ", tune.pid())));
  }
  EXPECT_FALSE(FileExists(user_.File("out/records.log.1")));
  kill(tune.pid(), SIGKILL);
  tune.Wait();
}

TEST_F(NetworksTest, NothingValidIsNoSuccess) {
  Write("given.txtpb", kGivenWeights);
  const CommandResult result =
      Tune({"--model=given.txtpb", "--compile_timeout=1us"});
  EXPECT_EQ(result.exit_code, 3) << result.stdout_text;
  EXPECT_THAT(result.stderr_text,
              AllOf(HasSubstr("none is valid"), HasSubstr("first failures:"),
                    HasSubstr("dense")));
  EXPECT_FALSE(FileExists(user_.File("out/given.tuned")));
  const proto::Summary summary = ReadSummaryOrDie(user_.File("out"));
  EXPECT_EQ(summary.network_latency_ms(), 0);
  EXPECT_EQ(summary.trials(), 6);
}

TEST_F(NetworksTest, DamagedTunedNetworksAreRefused) {
  Write("given.txtpb", kGivenWeights);
  ExpectTunes({"--model=given.txtpb"});
  const std::string whole = ReadFileOrDie(user_.File("out/given.tuned"));
  std::string flipped = whole;
  flipped[flipped.size() / 2] ^= 1;
  for (const std::string& bytes :
       {std::string(), whole.substr(0, 30), whole.substr(0, whole.size() - 1),
        flipped, std::string("something else")}) {
    Write("out/given.tuned", bytes);
    const CommandResult result = Run({});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.stderr_text, HasSubstr("out/given.tuned is "));
  }
  Write("out/given.tuned", whole);
  ExpectRuns({}, "given.txtpb");
}

}  // namespace
}  // namespace pruner
