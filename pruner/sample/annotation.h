// Parallel, unrolled and vectorized loops (docs/algorithms.md A5.3 to A5.5):
// what becomes of the loops that rules left alone, once it is known how long
// they are.
#ifndef PRUNER_SAMPLE_ANNOTATION_H_
#define PRUNER_SAMPLE_ANNOTATION_H_

#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "pruner/program/loop_values.h"
#include "pruner/program/structure.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/sketch/sketch.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// Of a sketch whose stages are placed, with numbers.
struct PlacedLoops {
  const TargetSpec& target;
  const Structure& structure;
  const LoopValues& values;
};

// How many of the stage's outermost loops become one parallel loop, if it is
// `wanted`, kAutomatic or a number of loops: as many as make enough iterations
// for all cores many times over, unless `wanted` loops can, and are not one
// iteration.
int ParallelLoops(const PlacedLoops& loops, int stage, int32_t wanted);

// The numbers of loops that can be wanted, ascending, kAutomatic in the place
// of the one that it comes to.
std::vector<int32_t> ParallelChoices(const PlacedLoops& loops, int stage);

// What becomes of a stage's loops.
struct StageAnnotation {
  // So many outermost loops of a stage at the root become one, and that
  // parallel, unless it is of one iteration.
  int16_t parallel_loops = 0;
  bool is_parallel = false;
  // The loop at position `vector`, once that is done, becomes a vector; -1:
  // none does. It is moved to the innermost position before that.
  bool moves_vector = false;
  int16_t vector = -1;
  // The length of a vector that is first cut off the last of the loops that
  // become parallel, for it would be part of it; 0: none is.
  int32_t saved_vector = 0;
  // Bit k: the loop k + 1 positions outside of the vector is unrolled.
  uint64_t unrolled = 0;

  auto Members() const {
    return std::tie(parallel_loops, is_parallel, moves_vector, vector,
                    saved_vector, unrolled);
  }
  bool operator==(const StageAnnotation& other) const {
    return Members() == other.Members();
  }
  template <typename H>
  friend H AbslHashValue(H hash, const StageAnnotation& annotation) {
    return H::combine(std::move(hash), annotation.Members());
  }
};

// By stage, with the values of the sketch's decisions. Loops of the register
// tile: the innermost is a vector, those between it and the innermost reduction
// loop are unrolled. Of untiled stages the innermost spatial loop is a vector,
// inside the reduction.
void ChooseAnnotations(const PlacedLoops& loops, const Sketch& sketch,
                       absl::Span<const int32_t> values,
                       std::vector<StageAnnotation>& annotations);

// The steps that say so, and how far loops are unrolled.
void AppendAnnotations(const Structure& structure, const Sketch& sketch,
                       absl::Span<const int32_t> values,
                       absl::Span<const StageAnnotation> annotations,
                       Schedule& schedule);

}  // namespace pruner

#endif  // PRUNER_SAMPLE_ANNOTATION_H_
