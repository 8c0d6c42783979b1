// The end of a derivation: what no rule is asked about.
#ifndef PRUNER_SKETCH_FINISH_DERIVATION_H_
#define PRUNER_SKETCH_FINISH_DERIVATION_H_

#include "absl/status/statusor.h"
#include "pruner/sketch/sketch.h"
#include "pruner/sketch/sketch_rule.h"

namespace pruner {

// The sketch of a derivation whose stages are all decided, but for what led to
// it. Where the outermost tiles are a parallel loop, stages at the root, or
// that may be, have the number of their parallel loops left open; where tiles
// are bound to threads, loops at the root that are not are bound
// (BindRemaining). Everywhere it is left open how far the loops of reductions
// are unrolled. Decisions come into their order, and have places for their
// values. Error: what is not bound cannot be; a location is open where there
// are threads.
absl::StatusOr<Sketch> FinishDerivation(const SketchContext& context,
                                        Derivation derivation);

}  // namespace pruner

#endif  // PRUNER_SKETCH_FINISH_DERIVATION_H_
