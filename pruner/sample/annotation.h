// Parallel, unrolled and vectorized loops (docs/algorithms.md A5.3 to A5.5):
// what becomes of the loops that rules left alone, once it is known how long
// they are.
#ifndef PRUNER_SAMPLE_ANNOTATION_H_
#define PRUNER_SAMPLE_ANNOTATION_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "pruner/program/loop_values.h"
#include "pruner/program/structure.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/sketch/decision.h"
#include "pruner/sketch/sketch.h"
#include "pruner/target/target_spec.h"

namespace pruner {

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
  // Of the rules' loops and a vector that was saved, what is left when those
  // are fused.
  int16_t num_loops = 0;
  // The length of a vector that is first cut off the last of the loops that
  // become parallel, for it would be part of it; 0: none is.
  int32_t saved_vector = 0;
  // Bit k: the loop k + 1 positions outside of the vector is unrolled.
  uint64_t unrolled = 0;
};

// How many of a stage's outermost loops can become one parallel loop.
struct ParallelCounts {
  // If it is not said: as many as make enough iterations for all cores many
  // times over.
  int automatic = 0;
  // Bit k: k loops, which are not one iteration, can. Up to 31.
  uint32_t possible = 0;

  // What is wanted, kAutomatic or a number, so that the same program has the
  // same values.
  int32_t Normalized(int32_t wanted) const {
    const bool counts = wanted > 0 && wanted < 32 && wanted != automatic &&
                        (possible >> wanted & 1) != 0;
    return counts ? wanted : kAutomatic;
  }
  // The values that can be wanted, ascending, kAutomatic in the place of the
  // number that it comes to.
  std::vector<int32_t> Choices() const;
};

// Takes the steps while loops are computed. Loops of the register tile: the
// innermost is a vector, those between it and the innermost reduction loop are
// unrolled. Of untiled stages the innermost spatial loop is a vector, inside
// the reduction.
class Annotator : public LateSteps {
 public:
  // The target must outlive it.
  explicit Annotator(const TargetSpec& target) : target_(target) {}

  // Turns to a candidate of the sketch, whose DAG has so many stages.
  void Begin(const Sketch& sketch, absl::Span<const int32_t> values,
             int num_stages);
  void Decide(int stage, LoopValues& values) override;

  // By stage: what was decided, and what could have been. These hold of stages
  // at the root about whose parallel loops there is a decision.
  absl::Span<const StageAnnotation> annotations() const { return annotations_; }
  const ParallelCounts& parallel_counts(int stage) const {
    return parallel_counts_[stage];
  }

 private:
  const TargetSpec& target_;
  bool annotates_innermost_ = false;
  std::vector<int32_t> wanted_;  // by stage; kNotParallel
  std::vector<StageAnnotation> annotations_;
  std::vector<ParallelCounts> parallel_counts_;
};

// The steps that say what was decided, and how far loops are unrolled.
void AppendAnnotations(const Structure& structure, const Sketch& sketch,
                       absl::Span<const int32_t> values,
                       absl::Span<const StageAnnotation> annotations,
                       Schedule& schedule);

}  // namespace pruner

#endif  // PRUNER_SAMPLE_ANNOTATION_H_
