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

// Whether a pair is of the kind, by the lower of its labels.
bool IsOf(PairKind kind, double lower) {
  switch (kind) {
    case PairKind::kAll:
      return true;
    case PairKind::kBothValid:
      return lower > 0;
    case PairKind::kOneFailed:
      return lower == 0;
  }
  return false;
}

double PairsInOrder(const TaskRanking& task, PairKind kind, double& pairs) {
  double right = 0;
  pairs = 0;
  for (size_t i = 0; i < task.labels.size(); ++i) {
    for (size_t j = 0; j < task.labels.size(); ++j) {
      if (task.labels[i] <= task.labels[j] || !IsOf(kind, task.labels[j]))
        continue;
      pairs += 1;
      if (task.scores[i] > task.scores[j]) right += 1;
      if (task.scores[i] == task.scores[j]) right += 0.5;
    }
  }
  return right;
}

// The values in the order of descending scores; where scores are equal, what is
// expected of each rank.
std::vector<double> ByRank(absl::Span<const double> scores,
                           absl::Span<const double> values) {
  std::vector<size_t> order(scores.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return scores[a] > scores[b]; });
  std::vector<double> ranked;
  for (size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    double sum = 0;
    for (; end < order.size() && scores[order[end]] == scores[order[begin]];
         ++end) {
      sum += values[order[end]];
    }
    ranked.resize(end, sum / static_cast<double>(end - begin));
  }
  return ranked;
}

double Gain(absl::Span<const double> ranked, int k) {
  double gain = 0;
  for (size_t i = 0; i < std::min(ranked.size(), static_cast<size_t>(k)); ++i)
    gain += ranked[i] / std::log2(static_cast<double>(i) + 2);
  return gain;
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

double PairwiseAccuracy(absl::Span<const TaskRanking> tasks, PairKind kind) {
  double sum = 0, counted = 0;
  for (const TaskRanking& task : tasks) {
    double pairs = 0;
    const double right = PairsInOrder(task, kind, pairs);
    if (pairs == 0) continue;
    sum += right / pairs;
    counted += 1;
  }
  return counted == 0 ? 0.5 : sum / counted;
}

double PrecisionAtK(absl::Span<const TaskRanking> tasks, int k) {
  double sum = 0;
  for (const TaskRanking& task : tasks) {
    std::vector<double> valid;
    for (const double label : task.labels) valid.push_back(label > 0 ? 1 : 0);
    std::vector<double> found = ByRank(task.scores, valid);
    found.resize(std::min(found.size(), static_cast<size_t>(k)));
    sum += std::accumulate(found.begin(), found.end(), 0.0) /
           static_cast<double>(found.size());
  }
  return sum / static_cast<double>(tasks.size());
}

double NdcgAtK(absl::Span<const TaskRanking> tasks, int k) {
  double sum = 0;
  for (const TaskRanking& task : tasks) {
    const double ideal = Gain(ByRank(task.labels, task.labels), k);
    sum += ideal == 0 ? 1 : Gain(ByRank(task.scores, task.labels), k) / ideal;
  }
  return sum / static_cast<double>(tasks.size());
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
