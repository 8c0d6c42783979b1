// From a Halide pipeline to the ComputeDag that schedules are searched on, and
// the names by which a schedule finds its way back to the pipeline's Funcs.
#ifndef HALIDE_EXT_ANALYZE_ANALYZE_H_
#define HALIDE_EXT_ANALYZE_ANALYZE_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "halide_ext/analyze/regions.h"
#include "pruner/dag/compute_dag.h"

namespace pruner {

// What a stage of the DAG is in the pipeline.
struct FuncBinding {
  std::string func;  // the Func's name, or the input's
  // The definition that the stage's loops stand for: -1 the pure one, else an
  // update.
  int update = -1;
  // Names of the Vars and RVars, by axis of the stage. Of an input: those of
  // the Func that loads it, by dimension, through which schedules can stage it;
  // empty if there is none.
  std::vector<std::string> variables = {};
  // Of a stage that is computed as written: by definition, the names of its own
  // reduction variables.
  std::vector<std::vector<std::string>> own_variables = {};
  // By spatial axis: the first index.
  std::vector<int64_t> mins = {};
  // The pipeline's author has scheduled it.
  bool is_scheduled = false;
  // Simplified, it reads less (LosesReads): no version of it can be
  // specialized.
  bool loses_reads = false;
  // By spatial axis: whether more may be computed than is needed
  // (ExtensibleDimensions), in vectors that begin anywhere
  // (PeriodicVariables).
  std::vector<bool> extensible = {};
};

// By name: Funcs that the pipeline's author has scheduled, and a hash of how.
using AuthorSchedules = std::map<std::string, uint64_t>;

struct AnalyzedPipeline {
  ComputeDag dag;
  std::vector<FuncBinding> bindings;  // by stage
  // For the user: a sentence about each stage that is not tuned, with the
  // reason and what to do about it.
  std::vector<std::string> notes;
  PipelineRegions regions;
  Sizes sizes = Sizes::kExact;

  bool SizesAreKnown() const;
};

// Sizes come from the bounds of the output Funcs (or their estimates) and of
// the input parameters (or their estimates); the rest follows from what is
// read. What cannot be scheduled safely is an opaque stage, or no stage at all
// and computed where it is read, with a note. Errors: a size or the domain of a
// reduction that is not given, naming Func and dimension or variable; an index
// without bounds into something that has to be stored; a pipeline without
// outputs.
// What `scheduled` names is computed at the root as far as the DAG knows, and
// nothing of it is decided.
absl::StatusOr<AnalyzedPipeline> AnalyzePipeline(
    const Halide::Pipeline& pipeline, Sizes sizes = Sizes::kExact,
    const AuthorSchedules& scheduled = {});

}  // namespace pruner

#endif  // HALIDE_EXT_ANALYZE_ANALYZE_H_
