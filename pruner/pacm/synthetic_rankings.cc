#include "pruner/pacm/synthetic_rankings.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "pruner/base/rng.h"
#include "pruner/cost/cost_model.h"
#include "pruner/cost/ranking_metrics.h"
#include "pruner/cost/synthetic_programs.h"
#include "pruner/features/dataflow_blocks.h"
#include "pruner/features/feature_rows.h"
#include "pruner/pacm/network_model.h"
#include "pruner/pacm/network_shape.h"

namespace pruner {

SyntheticPrograms MakeSyntheticRankings(int count, uint64_t seed, int tasks,
                                        int columns) {
  SyntheticPrograms made =
      MakeSyntheticPrograms(count, tasks, columns, Rng(seed));
  FeatureRows programs = {
      .columns = columns,
      .program_columns = kDataflowBlocks * kDataflowColumns};
  for (int i = 0; i < count; ++i) {
    const absl::Span<const float> rows = made.programs.rows(i);
    // The first row fills, the last computes.
    const absl::Span<const float> first = rows.first(kDataflowColumns);
    const absl::Span<const float> last =
        rows.last(static_cast<size_t>(columns)).first(kDataflowColumns);
    std::vector<float> blocks;
    for (int block = 0; block < kDataflowBlocks; ++block) {
      const absl::Span<const float> row = block % 2 == 0 ? last : first;
      blocks.insert(blocks.end(), row.begin(), row.end());
    }
    programs.Append(rows, blocks);
  }
  made.programs = std::move(programs);
  return made;
}

NetworkModelOptions SyntheticOptions(NetworkKind kind,
                                     const FeatureRows& programs) {
  return {.features = "synthetic columns 1",
          .shape = ShapeFor(kind, programs),
          .training = {.batch_size = 64, .threads = 1}};
}

SyntheticPrograms Slice(const SyntheticPrograms& programs, int begin, int end) {
  return {.programs = programs.programs.Slice(begin, end),
          .labels = {programs.labels.begin() + begin,
                     programs.labels.begin() + end}};
}

double PairwiseAccuracyOf(absl::Span<const double> scores,
                          absl::Span<const ProgramLabel> labels) {
  std::map<uint64_t, TaskRanking> tasks;
  for (const ProgramLabel& label : labels) {
    const double none = std::numeric_limits<double>::infinity();
    TaskRanking& task = tasks[label.task];
    if (task.best_seconds == 0) task.best_seconds = none;
    task.best_seconds =
        std::min(task.best_seconds, label.seconds.value_or(none));
  }
  for (size_t i = 0; i < labels.size(); ++i) {
    TaskRanking& task = tasks[labels[i].task];
    task.scores.push_back(scores[i]);
    task.labels.push_back(labels[i].seconds.has_value()
                              ? task.best_seconds / *labels[i].seconds
                              : 0);
  }
  std::vector<TaskRanking> rankings;
  for (const auto& [number, task] : tasks) rankings.push_back(task);
  return PairwiseAccuracy(rankings);
}

}  // namespace pruner
