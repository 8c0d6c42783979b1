// The search space of the schedules of a DAG on a target: sketches that rules
// derive, tile sizes, and what is decided in the end.
#ifndef PRUNER_SAMPLE_SCHEDULE_SPACE_H_
#define PRUNER_SAMPLE_SCHEDULE_SPACE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "pruner/analysis/program_symbols.h"
#include "pruner/base/rng.h"
#include "pruner/program/program.h"
#include "pruner/program/resolver.h"
#include "pruner/sample/instantiate.h"
#include "pruner/sample/length_sampler.h"
#include "pruner/sample/sampling.h"
#include "pruner/sample/search_space.h"
#include "pruner/sketch/candidate.h"
#include "pruner/sketch/sketch.h"
#include "pruner/sketch/sketch_rule.h"
#include "pruner/sketch/sketch_source.h"

namespace pruner {

struct ScheduleSpaceOptions {
  Sampling sampling = Sampling::kHardware;
  // Instead of the target's BuiltInRules, unless there are none; see
  // user_rules.h.
  absl::Span<const SketchRule* const> rules = {};
};

class ScheduleSpace : public SearchSpace {
 public:
  // Sketches are derived when they are drawn, or all of them now where they are
  // few, and then equally likely. What `context` refers to, and the rules, must
  // outlive the space. Error: a rule whose steps do not fit.
  static absl::StatusOr<std::unique_ptr<ScheduleSpace>> Create(
      const SketchContext& context, const ScheduleSpaceOptions& options = {});

  // Of these sketches alone, each equally likely; at least one. Error: one that
  // does not fit the DAG.
  static absl::StatusOr<std::unique_ptr<ScheduleSpace>> CreateOf(
      const SketchContext& context, std::vector<Sketch> sketches,
      Sampling sampling = Sampling::kHardware);

  // SearchSpace:
  absl::StatusOr<int> DrawSketch(Rng& rng) override;
  absl::StatusOr<int> DrawNeighbourSketch(int sketch, Rng& rng) override;
  absl::Span<const Decision> Decisions(int sketch) const override;
  absl::Span<const int> Groups(int sketch) const override;
  const MutationWeights& weights() const override {
    return lengths_->weights();
  }
  bool IsActive(const Candidate& candidate, size_t decision) const override;
  absl::StatusOr<std::optional<Rejection>> Redraw(
      size_t decision, Rng& rng, Candidate& candidate) override;
  absl::StatusOr<std::vector<int32_t>> ChoicesOf(
      size_t decision, const Candidate& candidate) override;
  Candidate Carry(const Candidate& candidate, int sketch) const override;
  absl::StatusOr<std::optional<Rejection>> Repair(
      Rng* rng, Candidate& candidate) override;
  absl::StatusOr<std::optional<Rejection>> Check(
      const Candidate& candidate) override;

  const Sketch& sketch(int sketch) const { return parts_[sketch]->sketch; }
  // So far.
  int num_sketches() const { return static_cast<int>(parts_.size()); }

  // The schedule of a repaired candidate, and its loops.
  absl::StatusOr<Instance> InstanceOf(const Candidate& candidate);

  // The genes as a line (CandidateText), and back. Errors: NotFound, no sketch
  // of this derivation; FailedPrecondition, another version of it;
  // InvalidArgument, no genes or values that do not fit.
  std::string GenesOf(const Candidate& candidate) const;
  absl::StatusOr<Candidate> Parse(absl::string_view genes);

 private:
  // A sketch and what is found out about it once.
  struct Part {
    Sketch sketch;
    LengthSpace lengths;
    std::vector<int> groups = {};  // by decision
    // By stage: the decision where it is computed; -1 if it is not open.
    std::vector<int> location_of = {};
    std::map<std::string, int> stage_of_name = {};
    std::vector<std::string> stage_names = {};
    // What decisions of several sketches are the same, by the decision and by
    // what it is.
    std::vector<std::string> labels = {};
    std::map<std::string, int> decision_of_label = {};
  };

  ScheduleSpace(const SketchContext& context,
                const ScheduleSpaceOptions& options);
  static Part MakePart(Sketch sketch, const LoopState& structure);

  // The number of the sketch, which is added if it is not known.
  absl::StatusOr<int> Add(Sketch sketch);
  const Part& PartOf(const Candidate& candidate) const {
    return *parts_[candidate.sketch];
  }
  // The candidate, of whose locations those before decision `end` are said.
  absl::StatusOr<Instance> PlaceUpTo(const Candidate& candidate,
                                     size_t end) const;
  // Whether all values, but for locations, are in the domains of their
  // decisions.
  static bool FitDomains(const Part& part, const Candidate& candidate);
  // Opens lengths that are not, as those of another sketch may be.
  static void OpenMisfits(const Part& part, Candidate& candidate);
  // The location of the carried decision, stages being numbered anew; kOpen
  // where that stage is not there.
  static int32_t CarryLocation(int32_t location, const Part& from,
                               const Part& to);
  // Of lengths that make no difference; whether any were not.
  bool MakeInactiveTilesWhole(const Part& part, Candidate& candidate) const;
  int32_t DrawLocation(const LoopState& state, int stage, Rng& rng) const;
  absl::StatusOr<std::optional<Rejection>> RepairLocations(const Part& part,
                                                           Rng* rng,
                                                           Candidate& candidate,
                                                           Instance& instance);
  void RepairParallel(const Part& part, const Instance& instance,
                      Candidate& candidate) const;
  static std::optional<Rejection> RepairChoices(const Part& part, Rng* rng,
                                                Candidate& candidate);
  // Of the sketches that are listed, those that are most like it.
  std::vector<int> NearestListed(int sketch) const;

  const SketchContext context_;
  const SketchSource source_;
  const Sampling sampling_;
  const std::unique_ptr<LengthSampler> lengths_;
  // All sketches that there are are in parts_.
  bool is_listed_ = false;
  // Otherwise the number of those that are drawn without another one to start
  // from, by which draw of them it is. They do not depend on what was drawn
  // before.
  std::map<uint64_t, int> drawn_;
  std::vector<std::unique_ptr<const Part>> parts_;  // by sketch
  std::map<std::string, int> number_of_;            // by derivation
  // What was instantiated last: who draws a candidate asks for its schedule.
  Candidate last_candidate_ = {.sketch = -1};
  Instance last_;
  Resolver resolver_;
  // Of what was checked last; their memory is used again.
  Program program_;
  ProgramSymbols symbols_;
};

}  // namespace pruner

#endif  // PRUNER_SAMPLE_SCHEDULE_SPACE_H_
