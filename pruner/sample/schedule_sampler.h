// File: schedule_sampler.h
//
// Complete schedules at random: from a sketch (Ansor's random annotation,
// ALGORITHMS A5) or from another schedule (its mutations, A9).
#ifndef PRUNER_SAMPLE_SCHEDULE_SAMPLER_H_
#define PRUNER_SAMPLE_SCHEDULE_SAMPLER_H_

#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "pruner/base/rng.h"
#include "pruner/sample/rejection.h"
#include "pruner/sample/split_info.h"
#include "pruner/sample/tile_sizes.h"
#include "pruner/sketch/sketch_generator.h"

namespace pruner {

// A candidate, or why the draw is none.
using Draw = std::variant<Schedule, Rejection>;

class ScheduleSampler {
 public:
  // What `context` refers to must outlive the sampler. Error: a sketch that
  // does not fit the DAG.
  static absl::StatusOr<ScheduleSampler> Create(const SketchContext& context,
                                                std::vector<Sketch> sketches);

  const std::vector<Sketch>& sketches() const { return sketches_; }

  // A schedule within the target's limits, of a sketch drawn uniformly. Same
  // generator state, same schedule.
  absl::StatusOr<Draw> Sample(Rng& rng);

  // `schedule` with one thing drawn anew: a tile size (in nine of ten cases),
  // the unrolling of a reduction, or where stages are computed. It must come
  // from Sample or Mutate of a sampler of the same sketches: CanMutate.
  absl::StatusOr<Draw> Mutate(const Schedule& schedule, Rng& rng);

  // Whether `schedule`, which perhaps an older version made, fills one of the
  // sketches.
  bool CanMutate(const Schedule& schedule) const {
    return SketchOf(schedule) >= 0;
  }

  // Parallel and vectorized and nothing more: what one would write without
  // tuning. Every tuning run measures it first.
  absl::StatusOr<Schedule> DefaultSchedule() const;

 private:
  ScheduleSampler(const SketchContext& context, std::vector<Sketch> sketches,
                  std::vector<std::vector<SplitInfo>> splits);

  // Locations, annotations and limits for a schedule whose tiles are filled.
  absl::StatusOr<Draw> Complete(Schedule schedule, Rng& rng) const;
  absl::StatusOr<Draw> Checked(Schedule schedule) const;
  absl::StatusOr<Draw> MutateTileSize(Schedule schedule, size_t sketch,
                                      Rng& rng);
  absl::StatusOr<Draw> MutateUnrolling(Schedule schedule, Rng& rng) const;
  // The index of the sketch that `schedule` fills; -1 if none.
  int SketchOf(const Schedule& schedule) const;

  SketchContext context_;
  std::vector<Sketch> sketches_;
  std::vector<std::vector<SplitInfo>> splits_;  // by sketch
  TileSizeSampler tile_sizes_;
};

}  // namespace pruner

#endif  // PRUNER_SAMPLE_SCHEDULE_SAMPLER_H_
