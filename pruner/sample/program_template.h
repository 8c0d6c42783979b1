// What the programs of candidates have in common that differ in numbers only,
// and which of its numbers are values of which decisions.
#ifndef PRUNER_SAMPLE_PROGRAM_TEMPLATE_H_
#define PRUNER_SAMPLE_PROGRAM_TEMPLATE_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/dag/compute_dag.h"
#include "pruner/program/structure.h"
#include "pruner/schedule/loop_state.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/sketch/sketch.h"

namespace pruner {

struct ProgramTemplate {
  // numbers[number] is the value `value` of a candidate.
  struct Source {
    int number = 0;
    int value = 0;
  };

  Structure structure = {};
  std::vector<int64_t> numbers = {};  // NumbersOf a schedule
  std::vector<Source> sources = {};

  // Sets the numbers that a candidate's values are.
  void Fill(absl::Span<const int32_t> values) {
    for (const Source& source : sources)
      numbers[source.number] = values[source.value];
  }
};

// Of a schedule that stands for a candidate of the sketch, and the loops that
// it makes (ReplayStructure). Error: as MakeStructure.
absl::StatusOr<ProgramTemplate> MakeTemplate(const Sketch& sketch,
                                             const Schedule& schedule,
                                             const LoopState& state);

// Fills the holes of the sketch's steps, which the schedule begins with.
void FillHoles(const Sketch& sketch, absl::Span<const int32_t> values,
               Schedule& schedule);

}  // namespace pruner

#endif  // PRUNER_SAMPLE_PROGRAM_TEMPLATE_H_
