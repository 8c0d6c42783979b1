// From genes to schedules and programs: the phenotype of a candidate, which is
// what is judged, measured and stored.
#ifndef PRUNER_SAMPLE_INSTANTIATE_H_
#define PRUNER_SAMPLE_INSTANTIATE_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/program/attachments.h"
#include "pruner/program/program.h"
#include "pruner/program/resolver.h"
#include "pruner/program/structure.h"
#include "pruner/sample/annotation.h"
#include "pruner/schedule/loop_state.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/sketch/candidate.h"
#include "pruner/sketch/sketch.h"
#include "pruner/sketch/sketch_rule.h"

namespace pruner {

// A schedule with the loops that it makes.
struct Instance {
  Schedule schedule = {};
  LoopState state = {};
};

// A sketch's steps with the values of their decisions in them; not yet where
// stages are computed that the values say. Error: they do not fit the DAG.
absl::StatusOr<Instance> WithoutLocations(const ComputeDag& dag,
                                          const Sketch& sketch,
                                          absl::Span<const int32_t> values);

// Makes schedules and programs of candidates, one after another. What the
// candidates of a sketch have in common is found once: a template, which
// placing the stages and filling in numbers makes a program of. Where the
// template is known, and what is read if the same stages are inlined, nothing
// is allocated once memory is large enough. Not thread-safe.
class Instantiator {
 public:
  // What the context refers to must outlive it.
  explicit Instantiator(const SketchContext& context)
      : context_(context),
        annotator_(context.target),
        resolver_(context.target) {}

  // Turns to a candidate, given its values and the sketch, which `number`
  // stands for. Values must be repaired ones (SearchSpace::Repair), but for
  // parallel loops that do not fit, which count as kAutomatic. Error: steps
  // that do not fit; a stage is computed where not all of its readers are.
  absl::Status TurnTo(int number, const Sketch& sketch,
                      absl::Span<const int32_t> values);

  // Of the candidate; of that stage, if it is at the root and about its
  // parallel loops there is a decision.
  const ParallelCounts& parallel_counts(int stage) const {
    return annotator_.parallel_counts(stage);
  }
  // Of a loop of a stage as rules left it, by its position.
  int64_t ExtentOf(int stage, int loop) const {
    const Structure& structure = template_->structure;
    return resolver_
        .loop(structure.order[structure.stages[stage].first_order + loop])
        .extent;
  }
  // Of the candidate, as of the program.
  const LoopValues& loops() const { return resolver_.loops(); }
  // The program is as it is until the next call of TurnTo.
  const Program& GetProgram();
  Schedule MakeSchedule(const Sketch& sketch,
                        absl::Span<const int32_t> values) const;

  // How often one turned to a candidate all of whose template was known, and
  // how often not.
  struct Counts {
    int64_t hits = 0;
    int64_t misses = 0;
  };
  const Counts& counts() const { return counts_; }
  // Templates.
  void Forget() { templates_.clear(); }

 private:
  // The sketch, and values that change its DAG.
  struct Key {
    int sketch = 0;
    Values values = {};

    bool operator==(const Key&) const = default;
    template <typename H>
    friend H AbslHashValue(H hash, const Key& key) {
      return H::combine(std::move(hash), key.sketch, key.values);
    }
  };
  // numbers[number] is the value `value` of a candidate.
  struct Source {
    int number = 0;
    int value = 0;
  };
  using Reads = std::shared_ptr<const std::vector<FoldedReads>>;
  using StageSet = absl::InlinedVector<uint64_t, 4>;  // a bit for each
  struct Template {
    Structure structure = {};  // nothing is placed of what is open
    std::vector<int64_t> numbers = {};
    std::vector<Source> sources = {};
    absl::flat_hash_map<StageSet, Reads> reads = {};  // by what is inlined
  };

  absl::StatusOr<Template> MakeTemplate(const Sketch& sketch,
                                        absl::Span<const int32_t> values) const;
  // Whether the template was known.
  absl::StatusOr<bool> FindTemplate(int number, const Sketch& sketch,
                                    absl::Span<const int32_t> values);
  void PlaceStages(const Sketch& sketch, absl::Span<const int32_t> values);
  // Whether they were known.
  bool FindReads();

  const SketchContext context_;
  absl::flat_hash_map<Key, std::unique_ptr<Template>> templates_;
  Counts counts_;
  // Of the candidate; their memory is used again.
  Key key_;
  Template* template_ = nullptr;
  StageSet inlined_;
  Structure structure_;
  AttachmentFinder attachments_;
  Annotator annotator_;
  Resolver resolver_;
  Program program_;
  bool is_emitted_ = false;
};

// The schedule alone. Error: as Instantiator.
absl::StatusOr<Schedule> Instantiate(const SketchContext& context,
                                     const Sketch& sketch,
                                     absl::Span<const int32_t> values);

}  // namespace pruner

#endif  // PRUNER_SAMPLE_INSTANTIATE_H_
