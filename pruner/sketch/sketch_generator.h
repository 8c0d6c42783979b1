// The sketches of a DAG on a target as a list: for DAGs that have few, for
// tests and for tools. A search derives them one by one (sketch_source.h).
#ifndef PRUNER_SKETCH_SKETCH_GENERATOR_H_
#define PRUNER_SKETCH_SKETCH_GENERATOR_H_

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/sketch/built_in_rules.h"
#include "pruner/sketch/sketch.h"
#include "pruner/sketch/sketch_rule.h"

namespace pruner {

// So many sketches are listed at most.
inline constexpr size_t kMaxListedSketches = 256;

// All in the order of derivation, without duplicates; at least one. Where they
// are more than kMaxListedSketches, so many that are drawn, the same every
// time. `rules` instead of the target's BuiltInRules, unless there are none.
absl::StatusOr<std::vector<Sketch>> GenerateSketches(
    const SketchContext& context,
    absl::Span<const SketchRule* const> rules = {});

}  // namespace pruner

#endif  // PRUNER_SKETCH_SKETCH_GENERATOR_H_
