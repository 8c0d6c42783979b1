// Going through candidates of known templates allocates nothing.
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "gtest/gtest.h"
#include "pruner/analysis/program_symbols.h"
#include "pruner/base/allocation_counter.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/sample/sample.h"
#include "pruner/sample/schedule_space.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

struct AllocationsCase {
  std::string name;
  std::function<ComputeDag()> make;
  TargetSpec (*target)();
};

class AllocationsTest : public testing::TestWithParam<AllocationsCase> {
 protected:
  std::vector<Candidate> Pool() {
    Rng rng(1);
    std::vector<Candidate> pool;
    for (int draws = 0; draws < 300; ++draws) {
      const CandidateDraw draw = Sample(*space_, rng).value();
      const auto* candidate = std::get_if<Candidate>(&draw);
      // Of what was looked at last nothing needs to be found.
      if (candidate != nullptr && (pool.empty() || *candidate != pool.back()))
        pool.push_back(*candidate);
    }
    return pool;
  }

  // What is judged of all of them.
  void Judge(const std::vector<Candidate>& pool) {
    for (const Candidate& candidate : pool) {
      ASSERT_EQ(space_->Check(candidate).value(), std::nullopt);
      ExtractSymbols(*space_->ProgramOf(candidate).value(), symbols_);
    }
  }

  const ComputeDag dag_ = GetParam().make();
  const TargetSpec target_ = GetParam().target();
  const SketchContext context_ = {.dag = dag_, .target = target_};
  const std::unique_ptr<ScheduleSpace> space_ =
      ScheduleSpace::Create(context_).value();
  ProgramSymbols symbols_;
};

TEST_P(AllocationsTest, NoneOnceTemplatesAreKnown) {
  const std::vector<Candidate> pool = Pool();
  ASSERT_GE(pool.size(), 100u);
  Judge(pool);
  const Instantiator::Counts counts = space_->template_counts();
  const size_t before = CountAllocations();
  Judge(pool);
  EXPECT_EQ(CountAllocations(), before);
  EXPECT_EQ(space_->template_counts().misses, counts.misses);
  EXPECT_GE(space_->template_counts().hits,
            counts.hits + static_cast<int64_t>(pool.size()) - 1);
  // What was forgotten is made again.
  space_->ForgetTemplates();
  Judge(pool);
  EXPECT_GT(CountAllocations(), before);
  EXPECT_GT(space_->template_counts().misses, counts.misses);
}

// There are no more templates than sketches where stages are inlined alike.
TEST_P(AllocationsTest, FewTemplatesAreNeeded) {
  const std::vector<Candidate> pool = Pool();
  EXPECT_LE(space_->template_counts().misses, 40);
}

INSTANTIATE_TEST_SUITE_P(
    All, AllocationsTest,
    testing::Values(
        AllocationsCase{"ProductCpu", [] { return MatmulReluDag(64, 64, 64); },
                        SampleCpuTarget},
        AllocationsCase{"ConvolutionCpu", [] { return ConvBiasReluDag({}); },
                        SampleCpuTarget},
        AllocationsCase{"StencilsCpu", [] { return DiamondsDag(3, 64, 3); },
                        SampleCpuTarget},
        AllocationsCase{"ProductGpu",
                        [] { return MatmulReluDag(512, 512, 512); },
                        SampleGpuTarget}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace pruner
