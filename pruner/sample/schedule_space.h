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

#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "pruner/analysis/program_symbols.h"
#include "pruner/base/rng.h"
#include "pruner/program/program.h"
#include "pruner/sample/instantiate.h"
#include "pruner/sample/length_sampler.h"
#include "pruner/sample/sampling.h"
#include "pruner/sample/search_space.h"
#include "pruner/sketch/candidate.h"
#include "pruner/sketch/sketch.h"
#include "pruner/sketch/sketch_rule.h"
#include "pruner/sketch/sketch_source.h"

namespace pruner {

class Placement;

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

  const TargetSpec& target() const { return context_.target; }
  const Sketch& sketch(int sketch) const { return parts_[sketch]->sketch; }
  // So far.
  int num_sketches() const { return static_cast<int>(parts_.size()); }

  // What a repaired candidate stands for. The program is as it is until the
  // next call of anything else here.
  absl::StatusOr<Schedule> ScheduleOf(const Candidate& candidate);
  absl::StatusOr<const Program*> ProgramOf(const Candidate& candidate);

  // Of templates of programs, which are made when they are needed and kept.
  const Instantiator::Counts& template_counts() const {
    return instantiator_.counts();
  }
  void ForgetTemplates();

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
  // Where the stage of the decision can be computed, as those behind it are.
  absl::StatusOr<std::vector<int32_t>> LocationsOfDecision(
      size_t decision, const Candidate& candidate) const;
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
  absl::StatusOr<int32_t> DrawLocation(Placement& placement, int stage,
                                       Rng& rng) const;
  // Draws where stages are computed that do not fit there, and turns the
  // instantiator to the candidate.
  absl::StatusOr<std::optional<Rejection>> RepairPlaces(const Part& part,
                                                        Rng* rng,
                                                        Candidate& candidate);
  // Draws where stages are computed that do not fit there.
  absl::StatusOr<std::optional<Rejection>> RepairLocations(
      const Part& part, Rng* rng, Candidate& candidate);
  // Whether the candidate's stages were seen to be placed well, as far as
  // lengths do not matter.
  bool IsWellPlaced(const Candidate& candidate);
  // Opens where stages are computed that are, as lengths are, in a loop of one
  // iteration, which says no more than the next loop outside; whether any are.
  // Of the candidate that the instantiator is turned to.
  bool OpenLoopsOfOne(Candidate& candidate) const;
  // Stages that would slide, and do not, are said not to, so that the same
  // program has the same values; whether there are any. Of the candidate that
  // the instantiator is turned to.
  bool StopIdleSlides(Candidate& candidate) const;
  // The least values that give the same streams. Of the candidate that the
  // instantiator is turned to.
  void NormalizeStreams(const Part& part, Candidate& candidate);
  // Turns the instantiator to a repaired candidate.
  absl::Status TurnTo(const Candidate& candidate);
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
  // Of candidates whose stages are placed well: the sketch, and the values that
  // say where they are.
  absl::flat_hash_set<Candidate> placements_;
  Candidate placement_;  // that is looked for
  Instantiator instantiator_;
  // To which it is turned: who draws a candidate asks for what it stands for.
  Candidate last_candidate_ = {.sketch = -1};
  ProgramSymbols symbols_;
};

}  // namespace pruner

#endif  // PRUNER_SAMPLE_SCHEDULE_SPACE_H_
