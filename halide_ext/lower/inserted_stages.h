// The stages that a schedule inserts, as Funcs: wrappers for cache reads and
// writes, intermediate Funcs for factored reductions (docs/algorithms.md E2).
#ifndef HALIDE_EXT_LOWER_INSERTED_STAGES_H_
#define HALIDE_EXT_LOWER_INSERTED_STAGES_H_

#include <vector>

#include "halide_ext/analyze/analyze.h"
#include "halide_ext/lower/directive.h"
#include "pruner/schedule/transform_step.h"

namespace pruner {

struct InsertedStages {
  // Of every stage of the DAG that the schedule derives; FuncBinding::func is
  // a name that directives know.
  std::vector<FuncBinding> bindings;
  // That make the Funcs, in order, before anything else is said of them.
  std::vector<Directive> directives;
};

// `schedule` has been replayed on `pipeline`'s DAG.
InsertedStages InsertStages(const Schedule& schedule,
                            const AnalyzedPipeline& pipeline);

}  // namespace pruner

#endif  // HALIDE_EXT_LOWER_INSERTED_STAGES_H_
