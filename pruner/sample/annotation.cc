#include "pruner/sample/annotation.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "pruner/base/factors.h"
#include "pruner/program/vector_length.h"
#include "pruner/sketch/candidate.h"
#include "pruner/sketch/decision.h"

namespace pruner {
namespace {

// So many iterations of the parallel loop for each core are enough to balance
// them.
constexpr int64_t kParallelPerCore = 16;

// A loop, as far as it matters here.
struct Loop {
  int64_t extent = 1;
  bool is_reduction = false;
  bool is_annotated = false;
  bool is_occupied = false;  // a stage is computed in it
  // All of the stage's vector axis.
  bool is_vector_axis = false;
  // What is left of that axis for vectors: the inner part of a split.
  bool is_vector_loop = false;
};

// Outermost first. So many are a stage's without an allocation.
using Nest = absl::InlinedVector<Loop, 24>;

bool IsComputed(const Structure& structure, int stage) {
  return !structure.stages[stage].is_absent &&
         !structure.dag->stage(stage).opaque;
}

bool IsAtRoot(const Structure& structure, int stage) {
  return !structure.stages[stage].is_absent &&
         structure.stages[stage].at_stage < 0;
}

// Along which the stage is stored.
int VectorAxis(const Structure& structure, int stage) {
  const std::vector<int64_t>& order = structure.storage_orders[stage];
  return order.empty() ? structure.stages[stage].rank - 1
                       : static_cast<int>(order.back());
}

Nest NestOf(const PlacedLoops& loops, int stage) {
  const Structure& structure = loops.structure;
  const StageStructure& s = structure.stages[stage];
  const int vector_axis = VectorAxis(structure, stage);
  Nest nest(s.num_order);
  for (int i = 0; i < s.num_order; ++i) {
    const int value = structure.order[s.first_order + i];
    const LoopValue& of = structure.loops[value];
    const LoopNumbers& numbers = loops.values.loop(value);
    nest[i] = {.extent = numbers.extent,
               .is_reduction = of.is_reduction,
               .is_annotated = numbers.annotation != Annotation::kNone,
               .is_occupied = structure.is_occupied[s.first_order + i]};
    if (of.num_shares != 1) continue;
    const LoopShare& share =
        loops.values.share(structure.loop_shares[of.first_share]);
    if (share.axis != vector_axis) continue;
    const bool is_whole =
        value >= s.first_loop && value < s.first_loop + s.num_axes;
    nest[i].is_vector_axis = is_whole;
    nest[i].is_vector_loop = !is_whole && share.stride == 1;
  }
  return nest;
}

// How many outermost loops to fuse for the parallel one.
int CountParallel(const Nest& nest, int64_t enough) {
  int64_t iterations = 1;
  int count = 0;
  for (const Loop& loop : nest) {
    if (iterations >= enough || loop.is_reduction || loop.is_annotated ||
        loop.is_vector_loop) {
      break;
    }
    iterations *= loop.extent;
    ++count;
    if (loop.is_occupied) break;
  }
  return count;
}

int MaxParallel(const Nest& nest) {
  return CountParallel(nest, std::numeric_limits<int64_t>::max());
}

int64_t Iterations(const Nest& nest, int count) {
  int64_t iterations = 1;
  for (int i = 0; i < count; ++i) iterations *= nest[i].extent;
  return iterations;
}

int ParallelOf(const TargetSpec& target, const Nest& nest, int32_t wanted) {
  const bool fits = wanted != kAutomatic && wanted <= MaxParallel(nest) &&
                    Iterations(nest, wanted) > 1;
  return fits ? wanted
              : CountParallel(nest, kParallelPerCore * target.units.cores);
}

// Makes the `count` outermost loops one, and that parallel.
void MakeParallel(const TargetSpec& target, int count, Nest& nest,
                  StageAnnotation& annotation) {
  if (count == 0) return;
  annotation.parallel_loops = static_cast<int16_t>(count);
  Loop& last = nest[count - 1];
  if (last.is_vector_axis && !last.is_occupied) {
    const int64_t width = VectorWidth(last.extent, target);
    if (width > 1 && width < last.extent) {
      annotation.saved_vector = static_cast<int32_t>(width);
      last.extent = CeilDiv(last.extent, width);
      nest.insert(nest.begin() + count, Loop{.extent = width});
    }
  }
  nest[0] = {.extent = Iterations(nest, count),
             .is_occupied = nest[count - 1].is_occupied};
  nest.erase(nest.begin() + 1, nest.begin() + count);
  annotation.is_parallel = nest[0].extent > 1;
  nest[0].is_annotated = annotation.is_parallel;
}

// Position of the innermost loop of this kind that is longer than 1; -1 if
// none.
int InnermostOf(const Nest& nest, bool is_reduction) {
  for (int i = static_cast<int>(nest.size()) - 1; i >= 0; --i) {
    if (nest[i].is_reduction == is_reduction && nest[i].extent > 1) return i;
  }
  return -1;
}

void ChooseInnermost(const Nest& nest, StageAnnotation& annotation) {
  const int vector = InnermostOf(nest, /*is_reduction=*/false);
  if (vector < 0 || nest[vector].is_annotated) return;
  // Nothing is computed inside a vector, not even in a loop of one iteration.
  const bool is_occupied = std::any_of(
      nest.begin() + vector, nest.end(),
      [](const Loop& loop) { return !loop.is_reduction && loop.is_occupied; });
  if (is_occupied) return;
  annotation.vector = static_cast<int16_t>(vector);
  const int reduction = InnermostOf(nest, /*is_reduction=*/true);
  annotation.moves_vector = vector < reduction;
  if (annotation.moves_vector || reduction < 0) return;
  constexpr int kMaxUnrolled = 64;  // bits
  for (int i = std::max(reduction + 1, vector - kMaxUnrolled); i < vector;
       ++i) {
    if (nest[i].extent > 1)
      annotation.unrolled |= uint64_t{1} << (vector - 1 - i);
  }
}

void AppendParallel(int stage, const StageAnnotation& annotation,
                    std::vector<TransformStep>& steps) {
  const int count = annotation.parallel_loops;
  if (annotation.saved_vector > 0) {
    steps.emplace_back(SplitStep{.stage = stage,
                                 .iterator = count - 1,
                                 .lengths = {annotation.saved_vector}});
  }
  if (count > 1) {
    steps.emplace_back(FuseStep{.stage = stage, .iterator = 0, .count = count});
  }
  if (annotation.is_parallel) {
    steps.emplace_back(AnnotateStep{
        .stage = stage, .iterator = 0, .annotation = Annotation::kParallel});
  }
}

void AppendInnermost(const Structure& structure, int stage,
                     const StageAnnotation& annotation,
                     std::vector<TransformStep>& steps) {
  if (annotation.vector < 0) return;
  int vector = annotation.vector;
  if (annotation.moves_vector) {
    const int fused = std::max<int>(0, annotation.parallel_loops - 1);
    const int count = structure.stages[stage].num_order +
                      (annotation.saved_vector > 0 ? 1 : 0) - fused;
    ReorderStep reorder = {.stage = stage, .order = {}};
    for (int i = 0; i < count; ++i) {
      if (i != vector) reorder.order.push_back(i);
    }
    reorder.order.push_back(vector);
    steps.emplace_back(std::move(reorder));
    vector = count - 1;
  }
  for (int i = 0; i < vector; ++i) {
    const int outside = vector - 1 - i;
    if (outside >= 64 || (annotation.unrolled >> outside & 1) == 0) continue;
    steps.emplace_back(AnnotateStep{
        .stage = stage, .iterator = i, .annotation = Annotation::kUnroll});
  }
  steps.emplace_back(AnnotateStep{.stage = stage,
                                  .iterator = vector,
                                  .annotation = Annotation::kVectorize});
}

}  // namespace

int ParallelLoops(const PlacedLoops& loops, int stage, int32_t wanted) {
  return IsAtRoot(loops.structure, stage)
             ? ParallelOf(loops.target, NestOf(loops, stage), wanted)
             : 0;
}

std::vector<int32_t> ParallelChoices(const PlacedLoops& loops, int stage) {
  const Nest nest = NestOf(loops, stage);
  const int automatic = ParallelOf(loops.target, nest, kAutomatic);
  const int max = MaxParallel(nest);
  std::vector<int32_t> choices;
  if (automatic == 0) choices.push_back(kAutomatic);
  for (int count = 1; count <= max; ++count) {
    if (count == automatic) {
      choices.push_back(kAutomatic);
    } else if (Iterations(nest, count) > 1) {
      choices.push_back(count);
    }
  }
  return choices;
}

void ChooseAnnotations(const PlacedLoops& loops, const Sketch& sketch,
                       absl::Span<const int32_t> values,
                       std::vector<StageAnnotation>& annotations) {
  const Structure& structure = loops.structure;
  const int size = static_cast<int>(structure.stages.size());
  annotations.assign(size, StageAnnotation());
  constexpr int32_t kNotParallel = -1;
  absl::InlinedVector<int32_t, 32> wanted(size, kNotParallel);
  for (const Decision& decision : sketch.decisions) {
    if (decision.kind == DecisionKind::kParallel)
      wanted[decision.stage] = values[decision.first];
  }
  for (int stage = 0; stage < size; ++stage) {
    const bool is_parallel =
        wanted[stage] != kNotParallel && IsAtRoot(structure, stage);
    const bool has_vector =
        sketch.annotates_innermost && IsComputed(structure, stage);
    if (!is_parallel && !has_vector) continue;
    Nest nest = NestOf(loops, stage);
    if (is_parallel) {
      MakeParallel(loops.target, ParallelOf(loops.target, nest, wanted[stage]),
                   nest, annotations[stage]);
    }
    if (has_vector) ChooseInnermost(nest, annotations[stage]);
  }
}

void AppendAnnotations(const Structure& structure, const Sketch& sketch,
                       absl::Span<const int32_t> values,
                       absl::Span<const StageAnnotation> annotations,
                       Schedule& schedule) {
  for (const Decision& decision : sketch.decisions) {
    const int stage = decision.stage;
    if (decision.kind == DecisionKind::kParallel) {
      AppendParallel(stage, annotations[stage], schedule.steps);
    } else if (decision.kind == DecisionKind::kUnroll &&
               IsComputed(structure, stage)) {
      schedule.steps.emplace_back(
          AutoUnrollStep{.stage = stage, .max_step = values[decision.first]});
    }
  }
  for (size_t stage = 0; stage < annotations.size(); ++stage) {
    AppendInnermost(structure, static_cast<int>(stage), annotations[stage],
                    schedule.steps);
  }
}

}  // namespace pruner
