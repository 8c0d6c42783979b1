#include "pruner/pacm/lambda_rank.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include "gtest/gtest.h"
#include "pruner/base/rng.h"
#include "torch/types.h"

namespace pruner {
namespace {

torch::Tensor Tensor(const std::vector<float>& values) {
  return torch::tensor(values, torch::kFloat32);
}

// Of a single list.
torch::Tensor ListLoss(const torch::Tensor& scores,
                       const torch::Tensor& labels) {
  return LambdaRankLoss(scores, labels, {scores.size(0)});
}

double Loss(const std::vector<float>& scores,
            const std::vector<float>& labels) {
  return ListLoss(Tensor(scores), Tensor(labels)).item<double>();
}

// The formula, read aloud.
double PlainLoss(const std::vector<float>& scores,
                 const std::vector<float>& labels) {
  std::vector<size_t> order(scores.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return scores[a] > scores[b]; });
  std::vector<double> discounts(scores.size());
  for (size_t rank = 0; rank < order.size(); ++rank)
    discounts[order[rank]] = std::log2(2.0 + static_cast<double>(rank));
  std::vector<float> best = labels;
  std::sort(best.begin(), best.end(), std::greater<>());
  double max_dcg = 0;
  for (size_t i = 0; i < best.size(); ++i)
    max_dcg +=
        (std::exp2(best[i]) - 1) / std::log2(2.0 + static_cast<double>(i));
  double loss = 0;
  for (size_t a = 0; a < scores.size(); ++a) {
    for (size_t b = 0; b < scores.size(); ++b) {
      if (labels[a] <= labels[b]) continue;
      const double weight =
          std::abs(1 / discounts[a] - 1 / discounts[b]) *
          std::abs(std::exp2(labels[a]) - std::exp2(labels[b])) / max_dcg;
      const double difference = static_cast<double>(scores[a]) - scores[b];
      const double probability =
          std::max(1 / (1 + std::exp(-difference)), 1e-10);
      loss -= weight * std::log2(probability);
    }
  }
  return loss;
}

TEST(LambdaRankTest, ThePapersFormula) {
  EXPECT_NEAR(Loss({0.2f, 1.0f, 0.5f}, {1.0f, 0.5f, 0.25f}), 0.5033387, 1e-6);
  EXPECT_NEAR(PlainLoss({0.2f, 1.0f, 0.5f}, {1.0f, 0.5f, 0.25f}), 0.5033387,
              1e-6);
}

TEST(LambdaRankTest, IsThePlainSumOverPairs) {
  Rng rng(1);
  for (const size_t size : {2, 3, 17, 130}) {
    std::vector<float> scores, labels;
    for (size_t i = 0; i < size; ++i) {
      // Multiples, so that some of both are equal.
      scores.push_back(static_cast<float>(rng.Uniform(-8, 8)) / 4);
      labels.push_back(static_cast<float>(rng.Uniform(0, 10)) / 10);
    }
    labels[0] = 1;  // not all are equal
    labels[1] = 0;
    const double expected = PlainLoss(scores, labels);
    EXPECT_GT(expected, 0);
    EXPECT_NEAR(Loss(scores, labels), expected, 2e-5 * expected) << size;
  }
}

// Of different lengths, with scores and labels below 0 and at it, as where a
// list has no more programs.
TEST(LambdaRankTest, ListsAreRankedByThemselves) {
  const std::vector<float> scores = {-0.2f, -1.0f, -0.5f, 0.3f, -0.1f,
                                     0.0f,  2.0f,  -3.0f, 0.0f};
  const std::vector<float> labels = {0.0f, 1.0f, 0.5f, 0.2f, 0.0f,
                                     0.9f, 0.0f, 0.0f, 1.0f};
  const std::vector<int64_t> ends = {2, 3, 7, 9};
  const torch::Tensor together = Tensor(scores).requires_grad_();
  const torch::Tensor alone = Tensor(scores).requires_grad_();
  const torch::Tensor loss = LambdaRankLoss(together, Tensor(labels), ends);
  loss.backward();
  double sum = 0;
  int64_t begin = 0;
  for (const int64_t end : ends) {
    const torch::Tensor list = ListLoss(alone.slice(0, begin, end),
                                        Tensor(labels).slice(0, begin, end));
    sum += list.item<double>();
    list.backward();
    begin = end;
  }
  EXPECT_GT(sum, 1);
  EXPECT_NEAR(loss.item<double>(), sum, 1e-5);
  EXPECT_TRUE(torch::allclose(together.grad(), alone.grad(), 1e-4, 1e-6));
}

TEST(LambdaRankTest, ABetterOrderCostsLess) {
  const std::vector<float> labels = {1.0f, 0.6f, 0.3f, 0.0f};
  const double best = Loss({3, 2, 1, 0}, labels);
  EXPECT_LT(best, Loss({2, 3, 1, 0}, labels));
  EXPECT_LT(Loss({2, 3, 1, 0}, labels), Loss({0, 1, 2, 3}, labels));
  // A mistake among the first costs more than one among the last.
  EXPECT_LT(Loss({3, 2, 0, 1}, labels), Loss({2, 3, 1, 0}, labels));
}

// Finite differences of the plain formula, of scores far enough apart that the
// ranks stay.
TEST(LambdaRankTest, WeightsAreConstantsToTheGradient) {
  const std::vector<float> scores = {0.2f, 1.0f, 0.5f, -0.7f};
  const std::vector<float> labels = {1.0f, 0.5f, 0.25f, 0.0f};
  const torch::Tensor tensor = Tensor(scores).requires_grad_();
  ListLoss(tensor, Tensor(labels)).backward();
  for (size_t i = 0; i < scores.size(); ++i) {
    const float step = 1e-2f;
    std::vector<float> more = scores, less = scores;
    more[i] += step;
    less[i] -= step;
    const double slope =
        (PlainLoss(more, labels) - PlainLoss(less, labels)) / (2 * step);
    EXPECT_NEAR(tensor.grad()[static_cast<int64_t>(i)].item<double>(), slope,
                1e-4);
  }
}

TEST(LambdaRankTest, NothingToRankCostsNothing) {
  for (const std::vector<float>& labels : std::vector<std::vector<float>>{
           {1.0f}, {0.0f}, {0.5f, 0.5f, 0.5f}, {0.0f, 0.0f}}) {
    std::vector<float> scores(labels.size());
    std::iota(scores.begin(), scores.end(), 0.0f);
    const torch::Tensor tensor = Tensor(scores).requires_grad_();
    const torch::Tensor loss = ListLoss(tensor, Tensor(labels));
    EXPECT_EQ(loss.item<double>(), 0);
    loss.backward();
    EXPECT_TRUE(torch::equal(tensor.grad(), torch::zeros_like(tensor)));
  }
}

TEST(LambdaRankTest, EqualScoresAreStillPulledApart) {
  const torch::Tensor scores = torch::zeros({3}).requires_grad_();
  const torch::Tensor loss = ListLoss(scores, Tensor({0.1f, 1.0f, 0.5f}));
  EXPECT_NEAR(loss.item<double>(), PlainLoss({0, 0, 0}, {0.1f, 1.0f, 0.5f}),
              1e-6);
  loss.backward();
  EXPECT_GT(scores.grad()[0].item<double>(), 0);
  EXPECT_LT(scores.grad()[1].item<double>(), 0);
}

TEST(LambdaRankTest, LossAndGradientStayFinite) {
  for (const float far : {50.0f, 1e4f, 1e20f, 3e38f}) {
    const torch::Tensor scores = Tensor({-far, 0, far, 1}).requires_grad_();
    const torch::Tensor loss =
        ListLoss(scores, Tensor({1.0f, 0.5f, 0.0f, 0.7f}));
    EXPECT_TRUE(std::isfinite(loss.item<double>())) << far;
    loss.backward();
    EXPECT_TRUE(torch::isfinite(scores.grad()).all().item<bool>()) << far;
  }
}

}  // namespace
}  // namespace pruner
