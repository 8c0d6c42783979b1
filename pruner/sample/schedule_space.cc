#include "pruner/sample/schedule_space.h"

#include <algorithm>
#include <utility>

#include "absl/memory/memory.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "pruner/base/status_macros.h"
#include "pruner/program/check_regions.h"
#include "pruner/sample/annotation.h"
#include "pruner/sample/compute_location.h"
#include "pruner/sample/limits.h"
#include "pruner/sample/stage_groups.h"
#include "pruner/schedule/replay.h"

namespace pruner {
namespace {

// So many sketches are listed at most; of more, so many are drawn to begin
// with, and mutations lead to the others.
constexpr size_t kMaxListed = 256;
constexpr size_t kStarts = 256;
constexpr uint64_t kStartSeed = 1;

// Equal for decisions of several sketches about the same thing.
std::string LabelOf(const Decision& decision, const std::string& stage) {
  std::string label = absl::StrCat(DecisionKindName(decision.kind), " ", stage,
                                   " ", decision.axis, " ", decision.count);
  if (decision.HasLengths())
    absl::StrAppend(&label, " ", decision.lengths().extent);
  return label;
}

size_t CountDifferences(absl::string_view a, absl::string_view b) {
  const std::vector<absl::string_view> words_a = absl::StrSplit(a, ' ');
  const std::vector<absl::string_view> words_b = absl::StrSplit(b, ' ');
  const size_t common = std::min(words_a.size(), words_b.size());
  size_t differences = std::max(words_a.size(), words_b.size()) - common;
  for (size_t i = 0; i < common; ++i) differences += words_a[i] != words_b[i];
  return differences;
}

}  // namespace

ScheduleSpace::ScheduleSpace(const SketchContext& context,
                             const ScheduleSpaceOptions& options)
    : context_(context),
      source_(context, options.rules),
      sampling_(options.sampling),
      lengths_(MakeLengthSampler(context.target, options.sampling)),
      instantiator_(context) {}

absl::StatusOr<std::unique_ptr<ScheduleSpace>> ScheduleSpace::Create(
    const SketchContext& context, const ScheduleSpaceOptions& options) {
  auto space = absl::WrapUnique(new ScheduleSpace(context, options));
  ASSIGN_OR_RETURN(std::optional<std::vector<Sketch>> all,
                   space->source_.All(kMaxListed));
  space->is_listed_ = all.has_value();
  for (Sketch& sketch : all.value_or(std::vector<Sketch>())) {
    RETURN_IF_ERROR(space->Add(std::move(sketch)).status());
  }
  return space;
}

absl::StatusOr<std::unique_ptr<ScheduleSpace>> ScheduleSpace::CreateOf(
    const SketchContext& context, std::vector<Sketch> sketches,
    Sampling sampling) {
  if (sketches.empty())
    return absl::InvalidArgumentError("there are no sketches to draw from");
  auto space =
      absl::WrapUnique(new ScheduleSpace(context, {.sampling = sampling}));
  space->is_listed_ = true;
  for (Sketch& sketch : sketches) {
    RETURN_IF_ERROR(space->Add(std::move(sketch)).status());
  }
  return space;
}

ScheduleSpace::Part ScheduleSpace::MakePart(Sketch sketch,
                                            const LoopState& structure) {
  Part part = {.sketch = std::move(sketch),
               .lengths = {.copies = SharedCopies(structure)}};
  part.lengths.decisions = part.sketch.decisions;
  const std::vector<int> groups = StageGroups(part.sketch.schedule, structure);
  for (int stage = 0; stage < structure.dag->size(); ++stage) {
    part.stage_names.push_back(structure.dag->stage(stage).name);
    part.stage_of_name.emplace(part.stage_names.back(), stage);
  }
  part.location_of.assign(part.stage_names.size(), -1);
  for (const Decision& decision : part.sketch.decisions) {
    const int number = static_cast<int>(part.groups.size());
    part.groups.push_back(groups[decision.stage]);
    if (decision.kind == DecisionKind::kLocation)
      part.location_of[decision.stage] = number;
    // The second of a kind that a stage has is another one.
    std::string label = LabelOf(decision, part.stage_names[decision.stage]);
    while (!part.decision_of_label.emplace(label, number).second) label += '\'';
    part.labels.push_back(std::move(label));
  }
  return part;
}

absl::StatusOr<int> ScheduleSpace::Add(Sketch sketch) {
  const auto known = number_of_.find(sketch.derivation);
  if (!is_listed_ && known != number_of_.end()) return known->second;
  ASSIGN_OR_RETURN(const LoopState structure,
                   ReplayStructure(context_.dag, sketch.schedule));
  number_of_.emplace(sketch.derivation, num_sketches());
  parts_.push_back(
      std::make_unique<const Part>(MakePart(std::move(sketch), structure)));
  return num_sketches() - 1;
}

absl::StatusOr<int> ScheduleSpace::DrawSketch(Rng& rng) {
  if (is_listed_) return static_cast<int>(rng.Index(parts_.size()));
  const uint64_t start = rng.Index(kStarts);
  const auto known = drawn_.find(start);
  if (known != drawn_.end()) return known->second;
  Rng own = Rng(kStartSeed).Fork(start);
  ASSIGN_OR_RETURN(Sketch sketch, source_.Draw(own));
  ASSIGN_OR_RETURN(const int number, Add(std::move(sketch)));
  drawn_[start] = number;
  return number;
}

std::vector<int> ScheduleSpace::NearestListed(int sketch) const {
  std::vector<int> nearest;
  size_t fewest = 0;
  for (int other = 0; other < num_sketches(); ++other) {
    if (other == sketch) continue;
    const size_t differences = CountDifferences(
        parts_[sketch]->sketch.derivation, parts_[other]->sketch.derivation);
    if (nearest.empty() || differences < fewest) {
      nearest.clear();
      fewest = differences;
    }
    if (differences == fewest) nearest.push_back(other);
  }
  return nearest;
}

absl::StatusOr<int> ScheduleSpace::DrawNeighbourSketch(int sketch, Rng& rng) {
  if (is_listed_) {
    const std::vector<int> nearest = NearestListed(sketch);
    return nearest.empty() ? sketch : rng.Pick(nearest);
  }
  ASSIGN_OR_RETURN(Sketch next,
                   source_.DrawNeighbour(parts_[sketch]->sketch, rng));
  return Add(std::move(next));
}

absl::Span<const Decision> ScheduleSpace::Decisions(int sketch) const {
  return parts_[sketch]->sketch.decisions;
}

absl::Span<const int> ScheduleSpace::Groups(int sketch) const {
  return parts_[sketch]->groups;
}

bool ScheduleSpace::IsActive(const Candidate& candidate,
                             size_t decision) const {
  const Part& part = PartOf(candidate);
  const Decision& d = part.sketch.decisions[decision];
  const bool is_at_root = d.HasLengths() && d.lengths().is_at_root;
  if (d.kind != DecisionKind::kParallel && !is_at_root) return true;
  const int location = part.location_of[d.stage];
  return location < 0 ||
         candidate.values[part.sketch.decisions[location].first] ==
             Location::kRoot;
}

absl::StatusOr<std::optional<Rejection>> ScheduleSpace::Redraw(
    size_t decision, Rng& rng, Candidate& candidate) {
  const Part& part = PartOf(candidate);
  const Decision& d = part.sketch.decisions[decision];
  const absl::Span<int32_t> values = absl::MakeSpan(candidate.values);
  if (d.HasLengths())
    return lengths_->Redraw(part.lengths, decision, rng, values);
  ASSIGN_OR_RETURN(const std::vector<int32_t> choices,
                   ChoicesOf(decision, candidate));
  values[d.first] = rng.Pick(choices);
  return std::nullopt;
}

absl::StatusOr<std::vector<int32_t>> ScheduleSpace::LocationsOfDecision(
    size_t decision, const Candidate& candidate) const {
  const Sketch& sketch = PartOf(candidate).sketch;
  ASSIGN_OR_RETURN(Instance instance,
                   WithoutLocations(context_.dag, sketch, candidate.values));
  Placement placement(instance.schedule, instance.state, context_.timed);
  for (size_t i = 0; i < decision; ++i) {
    const Decision& before = sketch.decisions[i];
    if (before.kind != DecisionKind::kLocation) continue;
    RETURN_IF_ERROR(
        placement.Place(before.stage, candidate.values[before.first]));
  }
  ASSIGN_OR_RETURN(const std::vector<PossiblePlace> places,
                   placement.PlacesOf(sketch.decisions[decision].stage));
  std::vector<int32_t> locations;
  for (const PossiblePlace& place : places) locations.push_back(place.location);
  return locations;
}

absl::StatusOr<std::vector<int32_t>> ScheduleSpace::ChoicesOf(
    size_t decision, const Candidate& candidate) {
  const Decision& d = PartOf(candidate).sketch.decisions[decision];
  if (const auto* list = std::get_if<ChoiceDomain>(&d.domain))
    return std::vector<int32_t>(list->choices.begin(), list->choices.end());
  if (d.kind == DecisionKind::kLocation)
    return LocationsOfDecision(decision, candidate);
  RETURN_IF_ERROR(TurnTo(candidate));
  return instantiator_.parallel_counts(d.stage).Choices();
}

int32_t ScheduleSpace::CarryLocation(int32_t location, const Part& from,
                                     const Part& to) {
  if (!Location::IsAt(location)) return location;
  const auto stage =
      to.stage_of_name.find(from.stage_names[Location::StageOf(location)]);
  if (stage == to.stage_of_name.end()) return kOpen;
  const int32_t carried =
      Location::At(stage->second, Location::LoopOf(location));
  return Location::Slides(location) ? Location::WithSliding(carried) : carried;
}

Candidate ScheduleSpace::Carry(const Candidate& candidate, int sketch) const {
  const Part& from = PartOf(candidate);
  const Part& to = *parts_[sketch];
  Candidate carried = {.sketch = sketch};
  carried.values.assign(to.sketch.NumValues(), kOpen);
  for (size_t i = 0; i < to.labels.size(); ++i) {
    const auto same = from.decision_of_label.find(to.labels[i]);
    if (same == from.decision_of_label.end()) continue;
    const Decision& source = from.sketch.decisions[same->second];
    const Decision& target = to.sketch.decisions[i];
    const auto values = candidate.values.begin() + source.first;
    std::copy(values, values + source.count,
              carried.values.begin() + target.first);
    if (target.kind == DecisionKind::kLocation) {
      int32_t& location = carried.values[target.first];
      location = CarryLocation(location, from, to);
    }
  }
  return carried;
}

absl::Status ScheduleSpace::TurnTo(const Candidate& candidate) {
  if (candidate == last_candidate_) return absl::OkStatus();
  last_candidate_.sketch = -1;
  RETURN_IF_ERROR(instantiator_.TurnTo(
      candidate.sketch, PartOf(candidate).sketch, candidate.values));
  last_candidate_ = candidate;
  return absl::OkStatus();
}

void ScheduleSpace::ForgetTemplates() {
  last_candidate_.sketch = -1;
  instantiator_.Forget();
}

absl::StatusOr<const Program*> ScheduleSpace::ProgramOf(
    const Candidate& candidate) {
  RETURN_IF_ERROR(TurnTo(candidate));
  return &instantiator_.GetProgram();
}

absl::StatusOr<Schedule> ScheduleSpace::ScheduleOf(const Candidate& candidate) {
  RETURN_IF_ERROR(TurnTo(candidate));
  return instantiator_.MakeSchedule(PartOf(candidate).sketch, candidate.values);
}

absl::StatusOr<std::optional<Rejection>> ScheduleSpace::Check(
    const Candidate& candidate) {
  ASSIGN_OR_RETURN(const Program* const program, ProgramOf(candidate));
  // What threads copy together is in fused loops, of which Resolve refuses
  // some.
  if (context_.target.HasThreads() && !CheckRegions(instantiator_.loops()).ok())
    return Rejection::kUnfit;
  ExtractSymbols(*program, symbols_);
  return CheckLimits(*program, symbols_, context_.target);
}

std::string ScheduleSpace::GenesOf(const Candidate& candidate) const {
  return CandidateText(PartOf(candidate).sketch, candidate.values);
}

absl::StatusOr<Candidate> ScheduleSpace::Parse(absl::string_view genes) {
  ASSIGN_OR_RETURN(Genes parsed, ParseGenes(genes));
  const auto known = number_of_.find(parsed.derivation);
  Candidate candidate = {.values = std::move(parsed.values)};
  if (known != number_of_.end()) {
    candidate.sketch = known->second;
  } else if (is_listed_) {
    return absl::NotFoundError(
        absl::StrCat("there is no sketch '", parsed.derivation, "'"));
  } else {
    ASSIGN_OR_RETURN(Sketch sketch, source_.Find(parsed.derivation));
    ASSIGN_OR_RETURN(candidate.sketch, Add(std::move(sketch)));
  }
  parsed.values = candidate.values;
  RETURN_IF_ERROR(CheckGenes(parsed, PartOf(candidate).sketch));
  const auto rejection = Repair(/*rng=*/nullptr, candidate);
  if (!rejection.ok() || *rejection || candidate.values != parsed.values) {
    return absl::InvalidArgumentError(
        absl::StrCat("the values of '", genes, "' do not fit each other"));
  }
  return candidate;
}

}  // namespace pruner
