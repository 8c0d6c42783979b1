// The loops of a definition of a Func, as directives leave them.
#ifndef HALIDE_EXT_LOWER_DEFINITION_LOOPS_H_
#define HALIDE_EXT_LOWER_DEFINITION_LOOPS_H_

#include <vector>

#include "absl/types/span.h"
#include "halide_ext/lower/directive.h"

namespace pruner {

struct LeftLoop {
  LoopName name;
  // There are vectors in it of an axis that it is a part of, and no loop over
  // that in between.
  bool counts_vectors = false;
};

// What becomes of `loops`, innermost first, by `said`, which is all of their
// definition; those that are vectors or copies are no loops any more.
std::vector<LeftLoop> LoopsAfter(const std::vector<LoopName>& loops,
                                 absl::Span<const Directive> said);

}  // namespace pruner

#endif  // HALIDE_EXT_LOWER_DEFINITION_LOOPS_H_
