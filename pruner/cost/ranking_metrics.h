// How well scores rank programs (docs/algorithms.md A8, B6).
#ifndef PRUNER_COST_RANKING_METRICS_H_
#define PRUNER_COST_RANKING_METRICS_H_

#include <vector>

#include "absl/types/span.h"

namespace pruner {

// The programs of one task with what a model says and what was measured. At
// least one of them.
struct TaskRanking {
  // How often the task occurs in its network.
  double weight = 1;
  // Least seconds of all the task's programs, whichever are listed here.
  double best_seconds = 0;
  // By program: higher is faster. Where equal scores leave an order open, the
  // metrics are the expectation over all orders, so that a model that tells
  // nothing apart does as well as a random one.
  std::vector<double> scores = {};
  // By program: best_seconds over its seconds, so in [0, 1]; 0: it failed.
  std::vector<double> labels = {};
};

// The seconds that a label stands for. A failed program takes 100,000 times as
// long as the best, as in Pruner's code.
double SecondsOf(double best_seconds, double label);

// All pairs of programs; those of two that did not fail; those of which one
// failed.
enum class PairKind { kAll, kBothValid, kOneFailed };

// The share of the pairs of programs with different labels that the scores put
// into the right order; a pair of equal scores counts half. The mean over the
// tasks that have such pairs; 0.5 if none has.
double PairwiseAccuracy(absl::Span<const TaskRanking> tasks,
                        PairKind kind = PairKind::kAll);

// The share of programs that did not fail among the k with the highest scores,
// or among all of a task with fewer: the mean over the tasks. k >= 1. (HW-init,
// section V-A.)
double PrecisionAtK(absl::Span<const TaskRanking> tasks, int k);

// Normalized discounted cumulative gain: the labels of the k programs with the
// highest scores, each over log2 of its rank and one, beside those of the k
// highest labels; 1 where all failed. The mean over the tasks. k >= 1.
double NdcgAtK(absl::Span<const TaskRanking> tasks, int k);

// Of predicted labels: root mean square error, and the share of the labels'
// variance that is explained (below 0: worse than their mean; 0 where they do
// not vary). Both over all tasks' programs together, none of them weighted.
double Rmse(absl::Span<const TaskRanking> tasks);
double RSquared(absl::Span<const TaskRanking> tasks);

// How many of the k programs with the highest labels are among the k with the
// highest scores, as a share of k: the mean over the tasks. Of a task with
// fewer programs all are meant. k >= 1. Equal labels: the first listed is
// higher.
double RecallAtK(absl::Span<const TaskRanking> tasks, int k);

// Latency of the network with each task's best program over its latency with
// the best of the k that have the highest scores. k >= 1; of a task with fewer
// programs all are meant. (Pruner-1 Eq. 5.)
double TopK(absl::Span<const TaskRanking> tasks, int k);

// How good the space is that a draft of the `size` highest scores leaves: the
// latency of the network with each task's best program over its latency with
// the k-th fastest of each draft. 1 <= k <= size; of a task with fewer programs
// all are drafted, and its slowest counts if there are fewer than k. (Pruner-1
// Eq. 6.)
double BestK(absl::Span<const TaskRanking> tasks, int size, int k);

// BestK of drafts drawn at random: the expected latency of each task's k-th
// fastest, exactly, where Pruner takes the mean over 5,000 draws.
double RandomBestK(absl::Span<const TaskRanking> tasks, int size, int k);

}  // namespace pruner

#endif  // PRUNER_COST_RANKING_METRICS_H_
