#include "pruner/cost/ranking_metrics.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include "absl/types/span.h"

namespace pruner {
namespace {

// The programs with the highest scores: those certainly among them, and those
// of one score of which `open` are.
struct Highest {
  std::vector<size_t> certain = {};
  std::vector<size_t> tied = {};
  size_t open = 0;
};

Highest HighestScores(const TaskRanking& task, size_t count) {
  std::vector<double> sorted = task.scores;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  const double last = sorted[std::min(count, sorted.size()) - 1];
  Highest highest;
  for (size_t i = 0; i < task.scores.size(); ++i) {
    if (task.scores[i] > last) highest.certain.push_back(i);
    if (task.scores[i] == last) highest.tied.push_back(i);
  }
  highest.open = std::min(count, sorted.size()) - highest.certain.size();
  return highest;
}

// log(n choose m); minus infinity where there is no way.
double LogChoices(double n, double m) {
  if (m < 0 || m > n) return -std::numeric_limits<double>::infinity();
  return std::lgamma(n + 1) - std::lgamma(m + 1) - std::lgamma(n - m + 1);
}

// The expected seconds of the k-th fastest of a selection.
double ExpectedKth(const TaskRanking& task, const Highest& selection,
                   size_t k) {
  struct Program {
    double seconds;
    bool tied;
  };
  std::vector<Program> programs;
  for (const size_t i : selection.certain) {
    programs.push_back({SecondsOf(task.best_seconds, task.labels[i]), false});
  }
  for (const size_t i : selection.tied) {
    programs.push_back({SecondsOf(task.best_seconds, task.labels[i]), true});
  }
  std::sort(
      programs.begin(), programs.end(),
      [](const Program& a, const Program& b) { return a.seconds < b.seconds; });
  const auto all = static_cast<double>(selection.tied.size());
  const auto open = static_cast<double>(selection.open);
  const auto rank = static_cast<double>(
      std::min(k, selection.certain.size() + selection.open));
  double expected = 0, certain_before = 0, tied_before = 0;
  for (const Program& program : programs) {
    // It is the k-th if it is drawn, and so many of those before it are.
    const double drawn_before = rank - 1 - certain_before;
    const double itself = program.tied ? 1 : 0;
    const double log_probability =
        LogChoices(tied_before, drawn_before) +
        LogChoices(all - tied_before - itself, open - drawn_before - itself) -
        LogChoices(all, open);
    expected += std::exp(log_probability) * program.seconds;
    (program.tied ? tied_before : certain_before) += 1;
  }
  return expected;
}

// The network's least latency over its latency with what `seconds_of` gives.
template <typename SecondsOfTask>
double LatencyRatio(absl::Span<const TaskRanking> tasks,
                    const SecondsOfTask& seconds_of) {
  double best = 0, reached = 0;
  for (const TaskRanking& task : tasks) {
    best += task.weight * task.best_seconds;
    reached += task.weight * seconds_of(task);
  }
  return best / reached;
}

double PairsInOrder(const TaskRanking& task, double& pairs) {
  double right = 0;
  pairs = 0;
  for (size_t i = 0; i < task.labels.size(); ++i) {
    for (size_t j = 0; j < task.labels.size(); ++j) {
      if (task.labels[i] <= task.labels[j]) continue;
      pairs += 1;
      if (task.scores[i] > task.scores[j]) right += 1;
      if (task.scores[i] == task.scores[j]) right += 0.5;
    }
  }
  return right;
}

double SquaredErrors(absl::Span<const TaskRanking> tasks) {
  double sum = 0;
  for (const TaskRanking& task : tasks) {
    for (size_t i = 0; i < task.labels.size(); ++i) {
      sum += std::pow(task.scores[i] - task.labels[i], 2);
    }
  }
  return sum;
}

std::vector<double> AllLabels(absl::Span<const TaskRanking> tasks) {
  std::vector<double> labels;
  for (const TaskRanking& task : tasks) {
    labels.insert(labels.end(), task.labels.begin(), task.labels.end());
  }
  return labels;
}

double Recall(const TaskRanking& task, size_t k) {
  std::vector<size_t> fastest(task.labels.size());
  std::iota(fastest.begin(), fastest.end(), size_t{0});
  std::stable_sort(fastest.begin(), fastest.end(), [&](size_t a, size_t b) {
    return task.labels[a] > task.labels[b];
  });
  fastest.resize(std::min(k, fastest.size()));
  const Highest highest = HighestScores(task, k);
  const auto contains = [](const std::vector<size_t>& set, size_t i) {
    return std::binary_search(set.begin(), set.end(), i);
  };
  const double chance = static_cast<double>(highest.open) /
                        static_cast<double>(highest.tied.size());
  double found = 0;
  for (const size_t i : fastest) {
    if (contains(highest.certain, i)) found += 1;
    if (contains(highest.tied, i)) found += chance;
  }
  return found / static_cast<double>(fastest.size());
}

}  // namespace

double SecondsOf(double best_seconds, double label) {
  return best_seconds / std::max(label, 1e-5);
}

double PairwiseAccuracy(absl::Span<const TaskRanking> tasks) {
  double sum = 0, counted = 0;
  for (const TaskRanking& task : tasks) {
    double pairs = 0;
    const double right = PairsInOrder(task, pairs);
    if (pairs == 0) continue;
    sum += right / pairs;
    counted += 1;
  }
  return counted == 0 ? 0.5 : sum / counted;
}

double Rmse(absl::Span<const TaskRanking> tasks) {
  return std::sqrt(SquaredErrors(tasks) /
                   static_cast<double>(AllLabels(tasks).size()));
}

double RSquared(absl::Span<const TaskRanking> tasks) {
  const std::vector<double> labels = AllLabels(tasks);
  const double mean = std::accumulate(labels.begin(), labels.end(), 0.0) /
                      static_cast<double>(labels.size());
  double variation = 0;
  for (const double label : labels) variation += std::pow(label - mean, 2);
  return variation == 0 ? 0 : 1 - SquaredErrors(tasks) / variation;
}

double RecallAtK(absl::Span<const TaskRanking> tasks, int k) {
  double sum = 0;
  for (const TaskRanking& task : tasks) {
    sum += Recall(task, static_cast<size_t>(k));
  }
  return sum / static_cast<double>(tasks.size());
}

double TopK(absl::Span<const TaskRanking> tasks, int k) {
  return BestK(tasks, k, 1);
}

double BestK(absl::Span<const TaskRanking> tasks, int size, int k) {
  return LatencyRatio(tasks, [&](const TaskRanking& task) {
    return ExpectedKth(task, HighestScores(task, static_cast<size_t>(size)),
                       static_cast<size_t>(k));
  });
}

double RandomBestK(absl::Span<const TaskRanking> tasks, int size, int k) {
  return LatencyRatio(tasks, [&](const TaskRanking& task) {
    Highest drawn = {.tied = std::vector<size_t>(task.labels.size())};
    std::iota(drawn.tied.begin(), drawn.tied.end(), size_t{0});
    drawn.open = std::min(static_cast<size_t>(size), drawn.tied.size());
    return ExpectedKth(task, drawn, static_cast<size_t>(k));
  });
}

}  // namespace pruner
