// Complete schedules at random: from a sketch (Ansor's random annotation,
// docs/algorithms.md A5), from another schedule (its mutations, A9) or from two
// (their children).
#ifndef PRUNER_SAMPLE_SCHEDULE_SAMPLER_H_
#define PRUNER_SAMPLE_SCHEDULE_SAMPLER_H_

#include <cstddef>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "pruner/base/rng.h"
#include "pruner/sample/choices.h"
#include "pruner/sample/crossover.h"
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
  static absl::StatusOr<ScheduleSampler> Create(
      const SketchContext& context, const std::vector<Sketch>& sketches);

  // A schedule within the target's limits, of a sketch drawn uniformly. Same
  // generator state, same schedule.
  absl::StatusOr<Draw> Sample(Rng& rng);

  // `schedule` with one thing drawn anew, and what depends on it made to fit: a
  // tile size, the unrolling of a reduction, where a stage is computed or how
  // many loops are parallel, with the weights of mutation_weights.h. It must
  // come from a sampler of the same sketches: CanMutate.
  absl::StatusOr<Draw> Mutate(const Schedule& schedule, Rng& rng);

  // A child of two schedules: stage by stage it has the tile sizes and choices
  // of one or the other (crossover.h), and a location drawn anew where that one
  // does not fit. A child of equal parents is that parent. CanMutate is
  // required of both.
  absl::StatusOr<Draw> Cross(const Schedule& a, const Schedule& b,
                             Rng& rng) const;

  // Whether `schedule`, which perhaps an older version made, fills one of the
  // sketches.
  bool CanMutate(const Schedule& schedule) const {
    return SpaceOf(schedule) != nullptr;
  }

  // Parallel and vectorized (with threads: in blocks of threads, on the device)
  // and nothing more: what one would write without tuning. Every tuning run
  // measures it first.
  absl::StatusOr<Schedule> DefaultSchedule() const;

 private:
  // A sketch and what is found out about it once.
  struct Space {
    Schedule sketch;
    TileSpace tiles;
    size_t num_stages = 0;
    std::vector<int> groups;  // StageGroups
  };

  ScheduleSampler(const SketchContext& context, std::vector<Space> spaces);

  // Appends the locations to a schedule whose tiles are filled.
  absl::StatusOr<LoopState> Place(const Choices& choices, Rng& rng,
                                  Schedule& schedule) const;
  // Appends the annotations to what Place made of it, and checks the limits.
  absl::StatusOr<Draw> Annotate(const Choices& choices, Rng& rng,
                                Schedule schedule, LoopState state) const;
  absl::StatusOr<Draw> Complete(Genes genes, Rng& rng) const;

  absl::StatusOr<Draw> MutateTileSize(const Space& space, Genes genes,
                                      Rng& rng);
  absl::StatusOr<Draw> MutateUnrolling(const Space& space, Genes genes,
                                       Rng& rng);
  absl::StatusOr<Draw> MutateLocation(const Space& space, Genes genes,
                                      Rng& rng);
  absl::StatusOr<Draw> MutateParallel(const Space& space, Genes genes,
                                      Rng& rng);

  // Of the sketch that `schedule` fills; nullptr if there is none.
  const Space* SpaceOf(const Schedule& schedule) const;
  static Genes GenesOf(const Space& space, const Schedule& schedule);

  SketchContext context_;
  std::vector<Space> spaces_;
  TileSizeSampler tile_sizes_;
};

}  // namespace pruner

#endif  // PRUNER_SAMPLE_SCHEDULE_SAMPLER_H_
