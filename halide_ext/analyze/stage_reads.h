// What the definitions of one stage read, as accesses of a ComputeDag.
#ifndef HALIDE_EXT_ANALYZE_STAGE_READS_H_
#define HALIDE_EXT_ANALYZE_STAGE_READS_H_

#include <map>
#include <string>
#include <vector>

#include "Halide.h"
#include "halide_ext/analyze/body_builder.h"
#include "halide_ext/analyze/definitions.h"
#include "halide_ext/analyze/index_expr.h"
#include "halide_ext/analyze/regions.h"
#include "pruner/dag/compute_dag.h"

namespace pruner {

class StageReads {
 public:
  // `stage_of` has the numbers of the stages so far. All outlive this.
  StageReads(const PipelineRegions& regions,
             const std::map<std::string, int>& stage_of, Stage& stage)
      : regions_(regions), stage_of_(stage_of), stage_(stage) {}

  // Adds the reads of a definition of `function` to the stage, each once.
  void Add(const Halide::Internal::Function& function,
           const ResolvedDefinition& definition, bool initialization,
           const AxisVariables& variables);

  // Adds that an extern stage may read any element; the place in Stage::reads,
  // -1 if the argument is a number.
  int AddExtern(const Halide::ExternFuncArgument& argument,
                const std::vector<Stage>& stages);

  // Where a call of the definition that was added last reads.
  ReadSite SiteOf(const Halide::Internal::Call& call) const;

 private:
  std::vector<Access> AccessesOf(const Halide::Internal::Call& call,
                                 const std::string& source, bool initialization,
                                 const AxisVariables& variables) const;
  // The place of the access, which is new or was there.
  int AddOnce(const Access& access);
  // The place of an equal gather of the definition, -1 if there is none.
  int FindGather(const Halide::Internal::Call& call) const;

  const PipelineRegions& regions_;
  const std::map<std::string, int>& stage_of_;
  Stage& stage_;
  // Of the definition that was added last.
  std::map<const Halide::Internal::Call*, int> place_of_;
  std::vector<const Halide::Internal::Call*> gathers_;
};

}  // namespace pruner

#endif  // HALIDE_EXT_ANALYZE_STAGE_READS_H_
