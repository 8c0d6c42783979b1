#include "pruner/sample/instantiate.h"

#include <utility>

#include "pruner/base/status_macros.h"
#include "pruner/sample/compute_location.h"
#include "pruner/schedule/replay.h"
#include "pruner/sketch/decision.h"

namespace pruner {
namespace {

// So many loops are kept in structures, some 200 bytes each.
constexpr size_t kMaxKeptLoops = size_t{1} << 19;

// Its values say how loops are nested, and not how long they are alone.
bool IsOfPlacement(DecisionKind kind) {
  switch (kind) {
    case DecisionKind::kFactor:
    case DecisionKind::kLocation:
    case DecisionKind::kStorageOrder:
      return true;
    case DecisionKind::kTile:
    case DecisionKind::kVector:
    case DecisionKind::kThreads:
    case DecisionKind::kParallel:
    case DecisionKind::kUnroll:
      return false;
  }
  return true;
}

}  // namespace

absl::StatusOr<Instance> WithoutLocations(const ComputeDag& dag,
                                          const Sketch& sketch,
                                          absl::Span<const int32_t> values) {
  Instance instance = {.schedule = sketch.schedule};
  FillHoles(sketch, values, instance.schedule);
  ASSIGN_OR_RETURN(instance.state, ReplayStructure(dag, instance.schedule));
  return instance;
}

absl::StatusOr<Instance> WithLocations(const ComputeDag& dag,
                                       const Sketch& sketch,
                                       absl::Span<const int32_t> values) {
  ASSIGN_OR_RETURN(Instance instance, WithoutLocations(dag, sketch, values));
  for (const Decision& decision : sketch.decisions) {
    if (decision.kind != DecisionKind::kLocation) continue;
    RETURN_IF_ERROR(Place(decision.stage, values[decision.first],
                          instance.schedule, instance.state));
  }
  return instance;
}

bool Instantiator::Find(int number, const Sketch& sketch,
                        absl::Span<const int32_t> values) {
  key_.sketch = number;
  key_.values.clear();
  for (const Decision& decision : sketch.decisions) {
    if (IsOfPlacement(decision.kind))
      key_.values.push_back(values[decision.first]);
  }
  const auto known = placements_.find(key_);
  if (known == placements_.end()) return false;
  is_new_ = false;
  TurnTo(known->second.get(), values);
  return true;
}

absl::Status Instantiator::Add(int number, const Sketch& sketch,
                               absl::Span<const int32_t> values,
                               Instance placed) {
  if (Find(number, sketch, values)) return absl::OkStatus();
  auto placement = std::make_unique<Placement>();
  ASSIGN_OR_RETURN(placement->loops,
                   MakeTemplate(sketch, placed.schedule, placed.state));
  placement->schedule = std::move(placed.schedule);
  KeepBounded(placement->loops.structure);
  is_new_ = true;
  TurnTo(placements_.emplace(key_, std::move(placement)).first->second.get(),
         values);
  return absl::OkStatus();
}

void Instantiator::TurnTo(Placement* placement,
                          absl::Span<const int32_t> values) {
  placement_ = placement;
  ProgramTemplate& loops = placement->loops;
  loops.Fill(values);
  loops_program_.Clear();
  loops_program_.stages.resize(loops.structure.stages.size());
  loop_values_.Compute(loops.structure, loops.numbers, loops_program_);
}

void Instantiator::Forget() {
  placements_.clear();
  placement_ = nullptr;
  kept_loops_ = 0;
}

void Instantiator::KeepBounded(const Structure& added) {
  if (kept_loops_ > kMaxKeptLoops) Forget();
  kept_loops_ += added.loops.size();
}

absl::StatusOr<ProgramTemplate*> Instantiator::Annotated(
    const Sketch& sketch, absl::Span<const int32_t> values) {
  ChooseAnnotations(loops(), sketch, values, annotations_);
  const auto known = placement_->annotated.find(annotations_);
  if (known != placement_->annotated.end()) {
    ++(is_new_ ? counts_.misses : counts_.hits);
    return known->second.get();
  }
  ++counts_.misses;
  const Schedule schedule = MakeSchedule(sketch, values);
  ASSIGN_OR_RETURN(const LoopState state,
                   ReplayStructure(context_.dag, schedule));
  auto annotated = std::make_unique<ProgramTemplate>();
  ASSIGN_OR_RETURN(*annotated, MakeTemplate(sketch, schedule, state));
  kept_loops_ += annotated->structure.loops.size();
  return placement_->annotated.emplace(annotations_, std::move(annotated))
      .first->second.get();
}

absl::Status Instantiator::Resolve(const Sketch& sketch,
                                   absl::Span<const int32_t> values,
                                   Program& program) {
  ASSIGN_OR_RETURN(ProgramTemplate* const annotated, Annotated(sketch, values));
  annotated->Fill(values);
  resolver_.Resolve(annotated->structure, annotated->numbers, program);
  return absl::OkStatus();
}

Schedule Instantiator::MakeSchedule(const Sketch& sketch,
                                    absl::Span<const int32_t> values) {
  ChooseAnnotations(loops(), sketch, values, annotations_);
  Schedule schedule = placement_->schedule;
  FillHoles(sketch, values, schedule);
  AppendAnnotations(placement_->loops.structure, sketch, values, annotations_,
                    schedule);
  return schedule;
}

absl::StatusOr<Schedule> Instantiate(const SketchContext& context,
                                     const Sketch& sketch,
                                     absl::Span<const int32_t> values) {
  Instantiator instantiator(context);
  ASSIGN_OR_RETURN(Instance placed, WithLocations(context.dag, sketch, values));
  RETURN_IF_ERROR(
      instantiator.Add(/*number=*/0, sketch, values, std::move(placed)));
  return instantiator.MakeSchedule(sketch, values);
}

}  // namespace pruner
