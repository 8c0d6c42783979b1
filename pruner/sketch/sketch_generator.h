// All sketches of a DAG on a target: breadth-first derivation from the last
// stage to the first (Ansor, section 4.1; docs/algorithms.md A3).
#ifndef PRUNER_SKETCH_SKETCH_GENERATOR_H_
#define PRUNER_SKETCH_SKETCH_GENERATOR_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/sketch/sketch_rule.h"

namespace pruner {

// A schedule whose structure is decided; tile sizes and annotations are open.
struct Sketch {
  Schedule schedule;
  // The rules that decided it, last stage first: "skip multi_level_tiling …".
  std::string derivation;
};

// The built-in rules in the order in which they are tried.
absl::Span<const SketchRule* const> BuiltInRules();

// In the order of derivation, without duplicates; at least one. Where the
// choices for many stages multiply, a sample of a few hundred, the same every
// time.
absl::StatusOr<std::vector<Sketch>> GenerateSketches(
    const SketchContext& context,
    absl::Span<const SketchRule* const> rules = BuiltInRules());

}  // namespace pruner

#endif  // PRUNER_SKETCH_SKETCH_GENERATOR_H_
