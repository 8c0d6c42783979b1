#include "pruner/draft/cpu_psa_fit.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/draft/cpu_psa.h"
#include "pruner/program/program.h"
#include "pruner/program/resolve.h"
#include "pruner/schedule/schedule_text.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

int Index(CpuCost cost) { return static_cast<int>(cost); }

// Of a matrix product: tiles of so many rows and columns, in which the
// reduction is inside of all loops or around the tile.
Program Tiled(const ComputeDag& dag, int rows, int columns, bool is_inside) {
  const std::string order = is_inside ? "0,2,1,3,5,4" : "0,2,5,1,3,4";
  return *Resolve(
      dag,
      *ParseSchedule(absl::StrCat(
          "split stage=2 iterator=0 lengths=", rows,
          " tail=guard\nsplit stage=2 iterator=2 lengths=", columns,
          " tail=guard\nsplit stage=2 iterator=3 lengths=16 tail=guard\n"
          "reorder stage=2 order=",
          order,
          "\nannotate stage=2 iterator=5 annotation=vectorize\n"
          "annotate stage=2 iterator=0 annotation=parallel\n")),
      SampleCpuTarget());
}

// Programs of two tasks that take what a model with other weights says.
class CpuPsaFitTest : public testing::Test {
 protected:
  CpuPsaFitTest() {
    weights_[Index(CpuCost::kL2)] /= 3;
    weights_[Index(CpuCost::kIterations)] *= 5;
    for (const ComputeDag& dag : dags_) {
      std::vector<Program>& programs = programs_.emplace_back();
      for (const int rows : {1, 2, 4, 8, 16, 32}) {
        for (const int columns : {16, 32, 64, 128}) {
          for (const bool is_inside : {false, true})
            programs.push_back(Tiled(dag, rows, columns, is_inside));
        }
      }
    }
  }

  // As they are timed; `by` is what the second task's tell too much.
  CpuPsaFit Timed(double by = 1) const {
    const CpuPsa truth({}, weights_);
    CpuPsaFit fit;
    for (size_t t = 0; t < programs_.size(); ++t) {
      for (const Program& program : programs_[t]) {
        fit.Add(static_cast<int>(t), program, target_,
                (t == 1 ? by : 1) / truth.Score(program, target_));
      }
    }
    return fit;
  }

  // Of the estimates of the second task, the largest.
  double LargestError(const CpuWeights& weights) const {
    const CpuPsa truth({}, weights_), model({}, weights);
    double largest = 0;
    for (const Program& program : programs_[1]) {
      largest =
          std::max(largest, std::abs(std::log(truth.Score(program, target_) /
                                              model.Score(program, target_))));
    }
    return largest;
  }

  const TargetSpec target_ = SampleCpuTarget();
  CpuWeights weights_ = kCpuWeights;
  const std::vector<ComputeDag> dags_ = {MatmulReluDag(256, 256, 256),
                                         MatmulReluDag(64, 1024, 2048)};
  std::vector<std::vector<Program>> programs_;
};

TEST_F(CpuPsaFitTest, FindsTheWeightsThatTimesWereMadeWith) {
  const CpuPsaFit fit = Timed();
  EXPECT_NEAR(fit.Loss(weights_, weights_), 0, 1e-9);
  const CpuWeights found = fit.Fit(kCpuWeights);
  EXPECT_LT(fit.Loss(found, kCpuWeights),
            0.1 * fit.Loss(kCpuWeights, kCpuWeights));
  EXPECT_LT(LargestError(found), 0.3 * LargestError(kCpuWeights));
}

TEST_F(CpuPsaFitTest, SeesNothingOfTheTaskThatIsLeftOut) {
  const CpuWeights found = Timed().Fit(kCpuWeights, 1);
  EXPECT_EQ(Timed(/*by=*/100).Fit(kCpuWeights, 1), found);
  EXPECT_NE(Timed(/*by=*/100).Fit(kCpuWeights), Timed().Fit(kCpuWeights));
  EXPECT_LT(LargestError(found), LargestError(kCpuWeights));
}

TEST_F(CpuPsaFitTest, WhatIsOffStaysOff) {
  CpuWeights start = kCpuWeights;
  start[Index(CpuCost::kMemory)] = 0;
  EXPECT_EQ(Timed().Fit(start)[Index(CpuCost::kMemory)], 0);
}

TEST_F(CpuPsaFitTest, WhatNothingIsSaidOfStays) {
  EXPECT_EQ(CpuPsaFit().Fit(kCpuWeights), kCpuWeights);
}

}  // namespace
}  // namespace pruner
