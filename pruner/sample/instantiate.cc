#include "pruner/sample/instantiate.h"

#include <cstddef>
#include <variant>

#include "pruner/base/status_macros.h"
#include "pruner/sample/compute_location.h"
#include "pruner/schedule/replay.h"
#include "pruner/sketch/decision.h"

namespace pruner {
namespace {

// Beyond that they are forgotten.
constexpr size_t kMaxTemplates = 4096;
constexpr size_t kMaxReads = 512;  // of a template

// Puts the values of the decision into the step that waits for them.
void Fill(const Decision& decision, absl::Span<const int32_t> values,
          TransformStep& step) {
  const absl::Span<const int32_t> own = ValuesOf(decision, values);
  if (auto* split = std::get_if<SplitStep>(&step)) {
    split->lengths.assign(own.begin(), own.end());
  } else if (auto* rfactor = std::get_if<RfactorStep>(&step)) {
    rfactor->factor = own[0];
  } else if (auto* order = std::get_if<StorageOrderStep>(&step)) {
    order->order = UnpackOrder(own[0], order->order.size());
  } else if (auto* stream = std::get_if<StreamStep>(&step)) {
    stream->max_bytes = own[0];
  }
}

Schedule FillHoles(const Sketch& sketch, absl::Span<const int32_t> values) {
  Schedule schedule = sketch.schedule;
  for (const Decision& decision : sketch.decisions) {
    if (decision.step < 0) break;
    Fill(decision, values, schedule.steps[decision.step]);
  }
  return schedule;
}

// Its values say more than how long loops are.
bool IsOfTemplate(const Decision& decision) {
  return decision.kind == DecisionKind::kFactor ||
         decision.kind == DecisionKind::kStorageOrder;
}

}  // namespace

absl::StatusOr<Instance> WithoutLocations(const ComputeDag& dag,
                                          const Sketch& sketch,
                                          absl::Span<const int32_t> values) {
  Instance instance = {.schedule = FillHoles(sketch, values)};
  ASSIGN_OR_RETURN(instance.state, ReplayStructure(dag, instance.schedule));
  return instance;
}

absl::StatusOr<Instantiator::Template> Instantiator::MakeTemplate(
    const Sketch& sketch, absl::Span<const int32_t> values) const {
  ASSIGN_OR_RETURN(const Instance instance,
                   WithoutLocations(context_.dag, sketch, values));
  Template result = {
      .structure = MakeUnattached(instance.schedule, instance.state),
      .numbers = NumbersOf(instance.schedule)};
  const std::vector<int> first_numbers = FirstNumbers(instance.schedule);
  for (const Decision& decision : sketch.decisions) {
    if (decision.kind == DecisionKind::kUnroll) {
      const int number = static_cast<int>(result.numbers.size());
      result.numbers.push_back(0);
      result.structure.stages[decision.stage].unroll_number = number;
      result.sources.push_back({.number = number, .value = decision.first});
    } else if (decision.step >= 0 && !IsOfTemplate(decision)) {
      for (int k = 0; k < decision.count; ++k) {
        result.sources.push_back({.number = first_numbers[decision.step] + k,
                                  .value = decision.first + k});
      }
    }
  }
  return result;
}

absl::StatusOr<bool> Instantiator::FindTemplate(
    int number, const Sketch& sketch, absl::Span<const int32_t> values) {
  key_.sketch = number;
  key_.values.clear();
  for (const Decision& decision : sketch.decisions) {
    if (IsOfTemplate(decision)) key_.values.push_back(values[decision.first]);
  }
  const auto known = templates_.find(key_);
  if (known != templates_.end()) {
    template_ = known->second.get();
    return true;
  }
  ASSIGN_OR_RETURN(Template made, MakeTemplate(sketch, values));
  if (templates_.size() >= kMaxTemplates) Forget();
  auto kept = std::make_unique<Template>(std::move(made));
  template_ = kept.get();
  templates_.emplace(key_, std::move(kept));
  return false;
}

void Instantiator::PlaceStages(const Sketch& sketch,
                               absl::Span<const int32_t> values) {
  for (const Decision& decision : sketch.decisions) {
    if (decision.kind != DecisionKind::kLocation) continue;
    StageStructure& stage = structure_.stages[decision.stage];
    const int32_t location = values[decision.first];
    if (location == Location::kInlined) {
      stage.is_inlined = stage.is_absent = true;
    } else if (Location::IsAt(location)) {
      stage.at_stage = Location::StageOf(location);
      stage.at_position = Location::LoopOf(location);
      stage.slides = Location::Slides(location);
    }
  }
}

bool Instantiator::FindReads() {
  constexpr size_t kBits = 64;
  const size_t size = structure_.stages.size();
  inlined_.assign((size + kBits - 1) / kBits, 0);
  for (size_t i = 0; i < size; ++i) {
    if (structure_.stages[i].is_inlined)
      inlined_[i / kBits] |= uint64_t{1} << i % kBits;
  }
  const auto known = template_->reads.find(inlined_);
  if (known != template_->reads.end()) {
    structure_.reads = known->second;
    return true;
  }
  structure_.reads = ReadsOf(structure_);
  if (template_->reads.size() >= kMaxReads) template_->reads.clear();
  template_->reads.emplace(inlined_, structure_.reads);
  return false;
}

absl::Status Instantiator::TurnTo(int number, const Sketch& sketch,
                                  absl::Span<const int32_t> values) {
  ASSIGN_OR_RETURN(const bool is_known, FindTemplate(number, sketch, values));
  structure_ = template_->structure;
  PlaceStages(sketch, values);
  const bool are_reads_known = FindReads();
  ++(is_known && are_reads_known ? counts_.hits : counts_.misses);
  RETURN_IF_ERROR(attachments_.Find(structure_));
  for (const Source& source : template_->sources)
    template_->numbers[source.number] = values[source.value];
  annotator_.Begin(sketch, values, static_cast<int>(structure_.stages.size()));
  resolver_.ComputeLoops(structure_, template_->numbers, annotator_, program_);
  is_emitted_ = false;
  return absl::OkStatus();
}

const Program& Instantiator::GetProgram() {
  if (!is_emitted_) resolver_.Emit(structure_, template_->numbers, program_);
  is_emitted_ = true;
  return program_;
}

Schedule Instantiator::MakeSchedule(const Sketch& sketch,
                                    absl::Span<const int32_t> values) const {
  Schedule schedule = FillHoles(sketch, values);
  for (const Decision& decision : sketch.decisions) {
    if (decision.kind == DecisionKind::kLocation) {
      AppendPlacing(decision.stage, values[decision.first], schedule.steps);
    }
  }
  AppendAnnotations(structure_, sketch, values, annotator_.annotations(),
                    schedule);
  return schedule;
}

absl::StatusOr<Schedule> Instantiate(const SketchContext& context,
                                     const Sketch& sketch,
                                     absl::Span<const int32_t> values) {
  Instantiator instantiator(context);
  RETURN_IF_ERROR(instantiator.TurnTo(/*number=*/0, sketch, values));
  return instantiator.MakeSchedule(sketch, values);
}

}  // namespace pruner
