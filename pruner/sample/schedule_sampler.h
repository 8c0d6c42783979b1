// Schedules at random for whoever needs no genes: tests and benchmarks.
// Searches work on a SearchSpace.
#ifndef PRUNER_SAMPLE_SCHEDULE_SAMPLER_H_
#define PRUNER_SAMPLE_SCHEDULE_SAMPLER_H_

#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "pruner/base/rng.h"
#include "pruner/sample/rejection.h"
#include "pruner/sample/sampling.h"
#include "pruner/sample/schedule_space.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/sketch/sketch_generator.h"

namespace pruner {

// A schedule, or why the draw is none.
using Draw = std::variant<Schedule, Rejection>;

class ScheduleSampler {
 public:
  // What `context` refers to must outlive the sampler. Error: a sketch that
  // does not fit the DAG; no sketches.
  static absl::StatusOr<ScheduleSampler> Create(
      const SketchContext& context, const std::vector<Sketch>& sketches,
      Sampling sampling = Sampling::kHardware);

  // A schedule within the target's limits, of a sketch drawn uniformly. Same
  // generator state, same schedule.
  absl::StatusOr<Draw> Sample(Rng& rng);

  // A mutation of a schedule that this sampler drew. InvalidArgument if it did
  // not.
  absl::StatusOr<Draw> Mutate(const Schedule& schedule, Rng& rng);

  // See default_schedule.h.
  absl::StatusOr<Schedule> DefaultSchedule() const;

 private:
  ScheduleSampler(const SketchContext& context,
                  std::unique_ptr<ScheduleSpace> space);

  absl::StatusOr<Draw> Keep(const CandidateDraw& draw);

  SketchContext context_;
  std::unique_ptr<ScheduleSpace> space_;
  // The genes of all that were drawn, by ScheduleHash.
  absl::flat_hash_map<uint64_t, Candidate> drawn_;
};

}  // namespace pruner

#endif  // PRUNER_SAMPLE_SCHEDULE_SAMPLER_H_
