#include "models/job/checked_network.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/ops/formulation.h"
#include "models/zoo/tiny.h"
#include "pruner/base/os/files.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

NetworkJob TinyJob() {
  return *MakeNetworkJob("tiny", /*batch=*/1, *Tiny({}), SampleCpuTarget(),
                         {.names = {"direct", "winograd_f2"}});
}

class CheckedNetworkTest : public testing::Test {
 protected:
  // Runs that are checked by a process that finds what it is told.
  TuneOptions Options(const std::vector<std::string>& finds) const {
    TuneOptions options;
    options.checker_command = {"models/job/test_checker"};
    options.checker_command.insert(options.checker_command.end(), finds.begin(),
                                   finds.end());
    return options;
  }

  absl::Status CheckFormulationsOf(NetworkJob& job,
                                   const std::vector<WorkloadKey>& wrong) {
    std::vector<std::string> finds = {"formulations"};
    for (const WorkloadKey key : wrong)
      finds.push_back(absl::StrCat(absl::Hex(key.value)));
    return CheckFormulations(Options(finds), callbacks_, folder_, job);
  }

  absl::StatusOr<NetworkOutcome> Check(const std::string& finds) {
    return CheckedOutcome(Options({finds}), callbacks_, folder_, job_, outcome_,
                          found_, summary_);
  }

  const TempDirectory directory_ = TempDirectory::Create().value();
  OutputFolder folder_ = *OutputFolder::Open(directory_.File("out"));
  std::vector<std::string> said_;
  const TuneCallbacks callbacks_ = {
      .say = [this](const std::string& text) { said_.push_back(text); },
      .show = [](absl::string_view) {},
      .interrupted = [] { return false; }};
  const NetworkJob job_ = TinyJob();
  const std::vector<TaskOutcome> found_ =
      std::vector<TaskOutcome>(job_.tasks.size());
  const NetworkOutcome outcome_ = *OutcomeOf(job_, found_);
  proto::Summary summary_;
};

TEST_F(CheckedNetworkTest, AWrongFormulationTakesNoPart) {
  NetworkJob job = TinyJob();
  const size_t tasks = job.tasks.size();
  const auto winograd = std::find_if(
      job.tasks.begin(), job.tasks.end(),
      [](const NetworkTask& task) { return task.formulation == kWinogradF2; });
  const std::string name = winograd->workload.name;
  const WorkloadKey wrong = winograd->workload.key;
  ASSERT_EQ(CheckFormulationsOf(job, {wrong}), absl::OkStatus());
  EXPECT_EQ(job.tasks.size(), tasks - 1);
  for (const NetworkTask& task : job.tasks) EXPECT_NE(task.workload.key, wrong);
  EXPECT_THAT(said_,
              ElementsAre(absl::StrCat("the formulation winograd_f2 of ", name,
                                       " takes no part: it differs")));
}

TEST_F(CheckedNetworkTest, WithoutAnyFormulationThereIsNoNetwork) {
  NetworkJob job = TinyJob();
  const absl::Status status =
      CheckFormulationsOf(job, {job.tasks[0].workload.key});
  EXPECT_TRUE(absl::IsInternal(status)) << status;
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("no formulation of kernel 0 of tiny can be used"));
}

TEST_F(CheckedNetworkTest, TheFasterNetworkIsKept) {
  const absl::StatusOr<NetworkOutcome> kept = Check("slower");
  ASSERT_TRUE(kept.ok()) << kept.status();
  for (const NetworkTask& task : kept->winners)
    EXPECT_EQ(task.formulation, kDirect);
  EXPECT_EQ(kept->best, outcome_.defaults);
  EXPECT_TRUE(summary_.kept_default());
  EXPECT_DOUBLE_EQ(summary_.network_latency_ms(), 2);
  EXPECT_DOUBLE_EQ(summary_.baseline_latency_ms(), 1);
}

TEST_F(CheckedNetworkTest, AWrongNetworkIsAnErrorInTheSummary) {
  EXPECT_EQ(Check("wrong").status(), absl::InternalError("a kernel is wrong"));
  EXPECT_EQ(summary_.wrong_kernel(), "conv");
  EXPECT_FALSE(summary_.kept_default());
  // Nothing of the question is left.
  EXPECT_THAT(*ListDirectory(*folder_.scratch()), IsEmpty());
}

}  // namespace
}  // namespace pruner
