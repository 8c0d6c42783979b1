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

constexpr int32_t kNotParallel = -1;
constexpr int kMaxUnrolled = 64;  // bits of StageAnnotation::unrolled

// A loop, as far as it matters here.
struct Loop {
  int64_t extent = 1;
  bool is_reduction = false;
  bool is_annotated = false;
  bool is_occupied = false;   // a stage is computed in it
  bool is_slid_over = false;  // and has to find it serial
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

// Along which the stage is stored.
int VectorAxis(const Structure& structure, int stage) {
  const std::vector<int64_t>& order = structure.facts->storage_orders[stage];
  return order.empty() ? structure.stages[stage].rank - 1
                       : static_cast<int>(order.back());
}

Nest NestOf(const LoopValues& values, int stage) {
  const Structure& structure = values.structure();
  const StageStructure& s = structure.stages[stage];
  const int vector_axis = VectorAxis(structure, stage);
  Nest nest(s.num_order);
  for (int i = 0; i < s.num_order; ++i) {
    const int value = structure.order[s.first_order + i];
    const LoopValue& of = structure.loops[value];
    const LoopNumbers& numbers = values.loop(value);
    nest[i] = {.extent = numbers.extent,
               .is_reduction = of.is_reduction,
               .is_annotated = numbers.annotation != Annotation::kNone,
               .is_occupied = structure.is_occupied[s.first_order + i] != 0,
               .is_slid_over = structure.is_slid_over[s.first_order + i] != 0};
    if (of.num_shares != 1) continue;
    const LoopShare& share =
        values.share(structure.loop_shares[of.first_share]);
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
        loop.is_vector_loop || loop.is_slid_over) {
      break;
    }
    iterations *= loop.extent;
    ++count;
    if (loop.is_occupied) break;
  }
  return count;
}

ParallelCounts CountsOf(const TargetSpec& target, const Nest& nest) {
  ParallelCounts counts = {
      .automatic = CountParallel(nest, kParallelPerCore * target.units.cores)};
  const int max = CountParallel(nest, std::numeric_limits<int64_t>::max());
  int64_t iterations = 1;
  for (int count = 1; count <= std::min(max, 31); ++count) {
    iterations *= nest[count - 1].extent;
    if (iterations > 1) counts.possible |= uint32_t{1} << count;
  }
  return counts;
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
  int64_t iterations = 1;
  for (int i = 0; i < count; ++i) iterations *= nest[i].extent;
  nest[0] = {.extent = iterations, .is_occupied = nest[count - 1].is_occupied};
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

void AppendInnermost(int stage, const StageAnnotation& annotation,
                     std::vector<TransformStep>& steps) {
  if (annotation.vector < 0) return;
  int vector = annotation.vector;
  if (annotation.moves_vector) {
    const int count = annotation.num_loops;
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
    if (outside >= kMaxUnrolled || (annotation.unrolled >> outside & 1) == 0)
      continue;
    steps.emplace_back(AnnotateStep{
        .stage = stage, .iterator = i, .annotation = Annotation::kUnroll});
  }
  steps.emplace_back(AnnotateStep{.stage = stage,
                                  .iterator = vector,
                                  .annotation = Annotation::kVectorize});
}

// The steps that say it, taken.
void Take(const StageAnnotation& annotation, LoopValues& values) {
  const int count = annotation.parallel_loops;
  if (annotation.saved_vector > 0)
    values.CutOff(count - 1, annotation.saved_vector);
  if (count > 1) values.FuseOutermost(count);
  if (annotation.is_parallel) values.Annotate(0, Annotation::kParallel);
  if (annotation.vector < 0) return;
  int vector = annotation.vector;
  if (annotation.moves_vector) {
    values.MoveInnermost(vector);
    vector = annotation.num_loops - 1;
  }
  for (int i = std::max(0, vector - kMaxUnrolled); i < vector; ++i) {
    if ((annotation.unrolled >> (vector - 1 - i) & 1) != 0)
      values.Annotate(i, Annotation::kUnroll);
  }
  values.Annotate(vector, Annotation::kVectorize);
}

}  // namespace

std::vector<int32_t> ParallelCounts::Choices() const {
  std::vector<int32_t> choices;
  if (automatic == 0) choices.push_back(kAutomatic);
  for (int count = 1; count < 32; ++count) {
    if (count == automatic) {
      choices.push_back(kAutomatic);
    } else if ((possible >> count & 1) != 0) {
      choices.push_back(count);
    }
  }
  return choices;
}

void Annotator::Begin(const Sketch& sketch, absl::Span<const int32_t> values,
                      int num_stages) {
  annotates_innermost_ = sketch.annotates_innermost;
  annotations_.assign(num_stages, StageAnnotation());
  parallel_counts_.assign(num_stages, ParallelCounts());
  wanted_.assign(num_stages, kNotParallel);
  for (const Decision& decision : sketch.decisions) {
    if (decision.kind == DecisionKind::kParallel)
      wanted_[decision.stage] = std::max(kAutomatic, values[decision.first]);
  }
}

void Annotator::Decide(int stage, LoopValues& values) {
  const bool is_parallel = wanted_[stage] != kNotParallel &&
                           values.structure().stages[stage].at_stage < 0;
  if (!is_parallel && !annotates_innermost_) return;
  StageAnnotation& annotation = annotations_[stage];
  Nest nest = NestOf(values, stage);
  if (is_parallel) {
    const ParallelCounts counts = CountsOf(target_, nest);
    parallel_counts_[stage] = counts;
    const int32_t wanted = counts.Normalized(wanted_[stage]);
    MakeParallel(target_, wanted == kAutomatic ? counts.automatic : wanted,
                 nest, annotation);
  }
  if (annotates_innermost_) ChooseInnermost(nest, annotation);
  annotation.num_loops = static_cast<int16_t>(nest.size());
  Take(annotation, values);
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
    AppendInnermost(static_cast<int>(stage), annotations[stage],
                    schedule.steps);
  }
}

}  // namespace pruner
