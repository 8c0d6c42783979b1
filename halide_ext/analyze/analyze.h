// From a Halide pipeline to the ComputeDag that schedules are searched on, and
// the names by which a schedule finds its way back to the pipeline's Funcs.
#ifndef HALIDE_EXT_ANALYZE_ANALYZE_H_
#define HALIDE_EXT_ANALYZE_ANALYZE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "halide_ext/analyze/regions.h"
#include "pruner/dag/compute_dag.h"

namespace pruner {

// One definition of a stage that is computed as written.
struct WrittenDefinition {
  int update = -1;  // -1: the pure definition
  // By spatial axis of the stage: whether iterations that differ in it may run
  // in any order and at once.
  std::vector<bool> independent;
  int64_t iterations = 1;      // over all variables
  bool has_predicate = false;  // the domain of its reduction has conditions

  bool operator==(const WrittenDefinition&) const = default;
};

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
  // Of an opaque stage; none of an extern one.
  std::vector<WrittenDefinition> as_written = {};
  // By spatial axis: the first index, and whether Halide may find that less is
  // needed of it where it is read (PipelineRegions::read_in_part).
  std::vector<int64_t> mins = {};
  std::vector<bool> read_in_part = {};
  // A copy of another stage, of what some of its readers read.
  bool is_copy = false;
  // Halide knows the extents when it compiles. Not so where an extern stage
  // says what it needs when it runs; the DAG's are estimates then.
  bool sizes_are_known = true;
};

struct AnalyzedPipeline {
  ComputeDag dag;
  std::vector<FuncBinding> bindings;  // by stage
  // For the user: a sentence about each stage that is not tuned, with the
  // reason and what to do about it.
  std::vector<std::string> notes;
  PipelineRegions regions;

  bool SizesAreKnown() const;
};

// Sizes come from the bounds of the output Funcs (or their estimates) and of
// the input parameters (or their estimates); the rest follows from what is
// read. What cannot be scheduled safely is an opaque stage, or no stage at all
// and computed where it is read, with a note. Errors: a size or the domain of a
// reduction that is not given, naming Func and dimension or variable; an index
// without bounds into something that has to be stored; a pipeline without
// outputs.
absl::StatusOr<AnalyzedPipeline> AnalyzePipeline(
    const Halide::Pipeline& pipeline);

}  // namespace pruner

#endif  // HALIDE_EXT_ANALYZE_ANALYZE_H_
