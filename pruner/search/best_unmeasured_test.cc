#include "pruner/search/best_unmeasured.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "pruner/base/rng.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/draft/make_draft_model.h"
#include "pruner/program/resolve.h"
#include "pruner/sample/default_schedule.h"
#include "pruner/schedule/schedule_text.h"
#include "pruner/search/policy_inputs.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

class BestUnmeasuredTest : public testing::TestWithParam<TargetSpec> {
 protected:
  std::vector<ScoredProposal> Best(const ComputeDag& dag, size_t n,
                                   uint64_t seed = 1) {
    Rng rng(seed);
    return BestUnmeasured(
               {.context = {.dag = dag, .target = GetParam()},
                .draft = draft_.get()},
               n, rng,
               {.random_candidates = 128, .evolution = {.population = 128}})
        .value();
  }
  double ScoreOf(const ComputeDag& dag, const Schedule& schedule) {
    return draft_->Score(*Resolve(dag, schedule, GetParam()), GetParam());
  }

  const std::unique_ptr<const DraftModel> draft_ = MakeDraftModel(GetParam());
  const ComputeDag conv_ = ConvBiasReluDag({});
};

TEST_P(BestUnmeasuredTest, AreDistinctSchedulesBestFirst) {
  const std::vector<ScoredProposal> best = Best(conv_, 10);
  ASSERT_EQ(best.size(), 10u);
  std::set<std::string> texts;
  for (size_t i = 0; i < best.size(); ++i) {
    EXPECT_TRUE(texts.insert(PrintSchedule(best[i].proposal.schedule)).second);
    EXPECT_FALSE(best[i].proposal.genes.empty());
    EXPECT_EQ(best[i].score, ScoreOf(conv_, best[i].proposal.schedule));
    EXPECT_LE(best[i].score, best[i > 0 ? i - 1 : 0].score);
  }
}

TEST_P(BestUnmeasuredTest, ArePromisingAndReproducible) {
  const std::vector<ScoredProposal> best = Best(conv_, 1);
  const Schedule by_default =
      DefaultSchedule({.dag = conv_, .target = GetParam()}).value();
  EXPECT_GT(best[0].score, ScoreOf(conv_, by_default));
  EXPECT_EQ(Best(conv_, 1)[0].proposal, best[0].proposal);
}

TEST_P(BestUnmeasuredTest, SmallSpacesHaveFew) {
  const size_t few = Best(MatmulReluDag(1, 1, 1), 1000).size();
  EXPECT_GT(few, 0u);
  EXPECT_LT(few, 1000u);
}

INSTANTIATE_TEST_SUITE_P(Targets, BestUnmeasuredTest,
                         testing::Values(SampleCpuTarget(), SampleGpuTarget()),
                         [](const auto& target) {
                           return target.param.HasThreads() ? "gpu" : "cpu";
                         });

}  // namespace
}  // namespace pruner
