// The directives of a stage that is computed as written, which no schedule
// speaks of: several updates, scans, updates of a part, …
#ifndef HALIDE_EXT_LOWER_WRITTEN_STAGE_H_
#define HALIDE_EXT_LOWER_WRITTEN_STAGE_H_

#include <vector>

#include "halide_ext/analyze/analyze.h"
#include "halide_ext/lower/directive.h"
#include "pruner/dag/compute_dag.h"

namespace pruner {

// Every definition in vectors along the innermost dimension and, `at_root`,
// parallel along the outermost, as far as these are independent (see
// WrittenDefinition); otherwise the loops stay as they are. Nothing relies on
// the stage's extents: its updates may make Halide compute more of it than is
// read.
std::vector<Directive> WrittenStageDirectives(const Stage& stage,
                                              const FuncBinding& binding,
                                              bool at_root, int vector_lanes);

}  // namespace pruner

#endif  // HALIDE_EXT_LOWER_WRITTEN_STAGE_H_
