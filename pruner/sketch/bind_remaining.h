// The loops that no rule bound, on targets with threads
// (docs/algorithms.md A5.6).
#ifndef PRUNER_SKETCH_BIND_REMAINING_H_
#define PRUNER_SKETCH_BIND_REMAINING_H_

#include "absl/status/status.h"
#include "pruner/sketch/sketch_rule.h"

namespace pruner {

// Makes the spatial loops of every stage at the root that has none bound yet
// one loop, cut into blocks and threads, of which each has a vector of the
// innermost axis where that can be cut into such; how many and how long are
// decisions. Stages without dimensions stay with the host. For targets with
// threads.
absl::Status BindRemaining(const SketchContext& context,
                           Derivation& derivation);

}  // namespace pruner

#endif  // PRUNER_SKETCH_BIND_REMAINING_H_
