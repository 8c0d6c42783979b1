// From genes to schedules and programs: the phenotype of a candidate, which is
// what is judged, measured and stored.
#ifndef PRUNER_SAMPLE_INSTANTIATE_H_
#define PRUNER_SAMPLE_INSTANTIATE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/program/loop_values.h"
#include "pruner/program/program.h"
#include "pruner/program/resolver.h"
#include "pruner/sample/annotation.h"
#include "pruner/sample/program_template.h"
#include "pruner/schedule/loop_state.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/sketch/candidate.h"
#include "pruner/sketch/sketch.h"
#include "pruner/sketch/sketch_rule.h"

namespace pruner {

// A schedule with the loops that it makes.
struct Instance {
  Schedule schedule = {};
  LoopState state = {};
};

// A sketch's steps with the values of their decisions in them, and then its
// stages where the values say. Errors: they do not fit the DAG.
absl::StatusOr<Instance> WithoutLocations(const ComputeDag& dag,
                                          const Sketch& sketch,
                                          absl::Span<const int32_t> values);
absl::StatusOr<Instance> WithLocations(const ComputeDag& dag,
                                       const Sketch& sketch,
                                       absl::Span<const int32_t> values);

// Makes schedules and programs of candidates, one after another, and keeps what
// many of them have in common: of candidates whose stages are placed alike the
// structure of their loops, and again of those whose loops are annotated alike.
// Where both are known a program takes no more than filling in numbers, and
// nothing is allocated once memory is large enough. Not thread-safe.
class Instantiator {
 public:
  // What the context refers to must outlive it.
  explicit Instantiator(const SketchContext& context)
      : context_(context), resolver_(context.target) {}

  // Turns to a candidate, given the sketch, whose number stands for it, and its
  // values, if stages were placed so before. All that follows is about it.
  bool Find(int number, const Sketch& sketch, absl::Span<const int32_t> values);
  // Otherwise: makes it known how they are placed (WithLocations). Error: a
  // stage is computed where not all of its readers are.
  absl::Status Add(int number, const Sketch& sketch,
                   absl::Span<const int32_t> values, Instance placed);

  // Of the candidate's loops as rules left them.
  PlacedLoops loops() const {
    return {.target = context_.target,
            .structure = placement_->loops.structure,
            .values = loop_values_};
  }

  // The candidate with other values of what does not say where stages are
  // computed; values must be repaired ones (SearchSpace::Repair). Error: the
  // steps do not fit.
  absl::Status Resolve(const Sketch& sketch, absl::Span<const int32_t> values,
                       Program& program);
  Schedule MakeSchedule(const Sketch& sketch, absl::Span<const int32_t> values);

  // How many programs were made of structures that were known, and how many
  // needed a new one.
  struct Counts {
    int64_t hits = 0;
    int64_t misses = 0;
  };
  const Counts& counts() const { return counts_; }
  void Forget();

 private:
  // What the placement of stages depends on.
  struct Key {
    int sketch = 0;
    Values values = {};

    bool operator==(const Key&) const = default;
    template <typename H>
    friend H AbslHashValue(H hash, const Key& key) {
      return H::combine(std::move(hash), key.sketch, key.values);
    }
  };
  using Annotations = std::vector<StageAnnotation>;  // by stage
  struct Placement {
    Schedule schedule = {};
    ProgramTemplate loops = {};  // not annotated
    absl::flat_hash_map<Annotations, std::unique_ptr<ProgramTemplate>>
        annotated = {};
  };

  void TurnTo(Placement* placement, absl::Span<const int32_t> values);
  absl::StatusOr<ProgramTemplate*> Annotated(const Sketch& sketch,
                                             absl::Span<const int32_t> values);
  // Counts what is kept, and forgets it if it became too much.
  void KeepBounded(const Structure& added);

  const SketchContext context_;
  absl::flat_hash_map<Key, std::unique_ptr<Placement>> placements_;
  size_t kept_loops_ = 0;
  Counts counts_;
  bool is_new_ = false;  // the placement
  // Of the candidate.
  Key key_;
  Placement* placement_ = nullptr;
  Annotations annotations_;
  Program loops_program_;
  LoopValues loop_values_;
  Resolver resolver_;
};

// The schedule alone. Error: as Instantiator.
absl::StatusOr<Schedule> Instantiate(const SketchContext& context,
                                     const Sketch& sketch,
                                     absl::Span<const int32_t> values);

}  // namespace pruner

#endif  // PRUNER_SAMPLE_INSTANTIATE_H_
