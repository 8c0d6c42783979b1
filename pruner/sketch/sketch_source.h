// The sketches of a DAG on a target: derivations from the last stage to the
// first (Ansor, section 4.1; docs/algorithms.md A3). The alternatives of
// different stages multiply, so that they are derived one at a time, and listed
// only where they are few.
#ifndef PRUNER_SKETCH_SKETCH_SOURCE_H_
#define PRUNER_SKETCH_SKETCH_SOURCE_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "pruner/base/rng.h"
#include "pruner/sketch/built_in_rules.h"
#include "pruner/sketch/sketch.h"
#include "pruner/sketch/sketch_rule.h"

namespace pruner {

class SketchSource {
 public:
  // With these rules instead of the target's BuiltInRules, unless there are
  // none. What `context` refers to and the rules must outlive it.
  explicit SketchSource(const SketchContext& context,
                        absl::Span<const SketchRule* const> rules = {});

  // All of functions that follow give the error of a rule whose steps do not
  // fit, which names the rule, the stage and the step; or of a stage to which
  // no rule applies.

  // Every sketch once, alternatives of later stages first; nullopt if there are
  // more than `max`.
  absl::StatusOr<std::optional<std::vector<Sketch>>> All(size_t max) const;

  // One, of which each alternative is drawn uniformly where it arises.
  absl::StatusOr<Sketch> Draw(Rng& rng) const;

  // One that differs from `sketch` in a single alternative, drawn uniformly,
  // and in those that exist for one of the two only. `sketch` itself where it
  // is the only one.
  absl::StatusOr<Sketch> DrawNeighbour(const Sketch& sketch, Rng& rng) const;

  // That of a Sketch::derivation; NotFound if the rules do not lead there.
  absl::StatusOr<Sketch> Find(absl::string_view derivation) const;

 private:
  struct Alternative {
    std::string token = {};  // empty: nothing was to be chosen
    Derivation derivation = {};
  };
  struct Pending {
    Derivation derivation = {};
    std::string names = {};  // of the alternatives so far
  };
  using Choose = absl::FunctionRef<absl::StatusOr<size_t>(
      const Derivation& from, absl::Span<const Alternative>)>;

  Derivation Start() const;
  absl::StatusOr<std::vector<Alternative>> AlternativesOf(
      const Derivation& from) const;
  absl::StatusOr<std::vector<Derivation>> Apply(const SketchRule& rule,
                                                const Derivation& from) const;
  // Goes on to a stage that rules decide; whether there is one.
  bool SkipUndecidable(Derivation& derivation) const;
  static void Take(Alternative alternative, Pending& pending);
  absl::StatusOr<Sketch> Finish(Pending pending) const;
  // The sketch to which `choose` leads.
  absl::StatusOr<Sketch> Derive(Choose choose) const;

  const SketchContext context_;
  const absl::Span<const SketchRule* const> rules_;
};

}  // namespace pruner

#endif  // PRUNER_SKETCH_SKETCH_SOURCE_H_
