#include "halide_ext/lower/lower.h"

#include <utility>

#include "halide_ext/lower/any_size.h"
#include "halide_ext/lower/inserted_stages.h"
#include "halide_ext/lower/large_outputs.h"
#include "halide_ext/lower/loop_names.h"
#include "pruner/base/status_macros.h"
#include "pruner/program/resolve.h"

namespace pruner {
namespace {

// Writes the directives of one stage after the other.
class Lowering {
 public:
  Lowering(const Program& program, const Schedule& schedule,
           const AnalyzedPipeline& pipeline)
      : program_(program),
        pipeline_(pipeline),
        inserted_(InsertStages(schedule, pipeline)),
        names_(NameLoops(program, inserted_.bindings)),
        directives_(inserted_.directives) {}

  std::vector<Directive> Lower() && {
    for (int i = 0; i < program_.dag->size(); ++i) {
      if (!program_.stages[i].is_absent && !inserted_.bindings[i].is_scheduled)
        LowerStage(i);
    }
    if (pipeline_.sizes == Sizes::kExact) return std::move(directives_);
    return ForAnySize(directives_, inserted_.directives.size(), program_,
                      inserted_.bindings, LargeOutputs(pipeline_.regions));
  }

 private:
  Directive& Add(DirectiveKind kind, int stage, int update = -1) {
    Directive& d = directives_.emplace_back();
    d.kind = kind;
    d.func = inserted_.bindings[stage].func;
    d.update = update;
    return d;
  }

  void LowerStage(int i) {
    LowerLocation(i);
    LowerBounds(i);
    LowerStorage(program_.buffers[program_.stages[i].buffer]);
    for (const Statement& statement : program_.statements) {
      if (statement.stage != i) continue;
      if (statement.stream >= 0) {
        LowerStream(statement);
      } else {
        LowerStatement(statement);
      }
    }
  }

  void LowerLocation(int i) {
    const ProgramStage& stage = program_.stages[i];
    if (stage.at_stage < 0) {
      Add(DirectiveKind::kComputeRoot, i);
      return;
    }
    Directive& d = Add(DirectiveKind::kComputeAt, i);
    d.target = inserted_.bindings[stage.at_stage].func;
    // A loop of a stage further out, or none: outside of all of the target's.
    if (stage.loop >= 0 && program_.loops[stage.loop].stage == stage.at_stage) {
      d.loops.push_back(names_[program_.loops[stage.loop].label]);
    }
    if (stage.slide_dimension < 0) return;
    Directive& stored = Add(DirectiveKind::kStoreAt, i);
    const int outside = program_.loops[stage.loop].parent;
    if (outside < 0) return;
    const ProgramLoop& loop = program_.loops[outside];
    stored.target = inserted_.bindings[loop.stage].func;
    stored.loops.push_back(names_[loop.label]);
  }

  void LowerBounds(int i) {
    const ProgramStage& stage = program_.stages[i];
    const FuncBinding& binding = inserted_.bindings[i];
    for (int b = 0; b < stage.num_bounds; ++b) {
      const LoopTransform& bound = program_.marks[stage.first_bound + b];
      Directive& d = Add(DirectiveKind::kBound, i);
      d.loops.push_back(names_[bound.a]);
      d.factor = bound.factor;
      if (bound.kind == LoopTransform::Kind::kBound)
        d.min = binding.mins[program_.labels[bound.a].number];
    }
  }

  void LowerStorage(const Buffer& buffer) {
    if (buffer.storage != Storage::kDefault)
      Add(DirectiveKind::kStoreIn, buffer.stage).storage = buffer.storage;
    // A copy by threads would become up to five, each with barriers.
    if (buffer.storage == Storage::kShared)
      Add(DirectiveKind::kNeverPartition, buffer.stage);
    if (!buffer.is_reordered) return;
    Directive& d = Add(DirectiveKind::kReorderStorage, buffer.stage);
    const std::vector<std::string>& variables =
        inserted_.bindings[buffer.stage].variables;
    for (int k = buffer.num_dimensions - 1; k >= 0; --k) {
      const BufferDimension& dimension =
          program_.dimensions[buffer.first_dimension + k];
      d.loops.push_back({.name = variables[dimension.dimension]});
    }
  }

  void LowerStatement(const Statement& statement) {
    const ProgramStage& stage = program_.stages[statement.stage];
    const int update = statement.definition - 1;
    for (int t = 0; t < stage.num_transforms; ++t) {
      const LoopTransform& transform =
          program_.transforms[stage.first_transform + t];
      const bool is_made =
          statement.transforms == Statement::Transforms::kAll ||
          (statement.transforms == Statement::Transforms::kSpatial &&
           !program_.labels[transform.a].is_reduction);
      if (is_made) LowerTransform(transform, statement.stage, update);
    }
    LowerMarks(statement, 0, statement.num_splits);
    if (statement.num_orders > 1) {
      Directive& d = Add(DirectiveKind::kReorder, statement.stage, update);
      for (int o = 0; o < statement.num_orders; ++o)
        d.loops.push_back(names_[program_.orders[statement.first_order + o]]);
    }
    LowerMarks(statement, statement.num_splits, statement.num_marks);
  }

  void LowerMarks(const Statement& statement, int begin, int end) {
    for (int m = begin; m < end; ++m) {
      LowerTransform(program_.marks[statement.first_mark + m], statement.stage,
                     statement.definition - 1);
    }
  }

  void LowerStream(const Statement& statement) {
    const Stream& stream = program_.streams[statement.stream];
    Directive& d =
        Add(DirectiveKind::kStream, statement.stage, statement.definition - 1);
    d.target = inserted_.bindings[program_.buffers[stream.buffer].stage].func;
    d.stream.step = stream.step;
    d.stream.line = stream.line;
    const auto runs = program_.runs.begin() + stream.first_run;
    d.stream.runs.assign(runs, runs + stream.num_runs);
    for (int l = statement.loop;; l = program_.loops[l].parent) {
      const ProgramLoop& loop = program_.loops[l];
      d.stream.loops.insert(d.stream.loops.begin(),
                            {.func = inserted_.bindings[loop.stage].func,
                             .update = DefinitionOf(loop.stage) - 1,
                             .loop = names_[loop.label],
                             .extent = loop.extent});
      if (l == stream.loop) break;
    }
  }

  // Whose loops the program has.
  int DefinitionOf(int stage) const {
    return program_.statements[program_.stages[stage].body].definition;
  }

  void LowerTransform(const LoopTransform& transform, int stage, int update) {
    Directive& d = Add(KindOf(transform.kind), stage, update);
    for (int label : {transform.a, transform.b, transform.c}) {
      if (label >= 0) d.loops.push_back(names_[label]);
    }
    d.factor = transform.factor;
    d.tail = transform.tail;
  }

  static DirectiveKind KindOf(LoopTransform::Kind kind) {
    switch (kind) {
      case LoopTransform::Kind::kSplit:
        return DirectiveKind::kSplit;
      case LoopTransform::Kind::kFuse:
        return DirectiveKind::kFuse;
      case LoopTransform::Kind::kVectorize:
        return DirectiveKind::kVectorize;
      case LoopTransform::Kind::kUnroll:
        return DirectiveKind::kUnroll;
      case LoopTransform::Kind::kParallel:
        return DirectiveKind::kParallel;
      case LoopTransform::Kind::kBlock:
        return DirectiveKind::kGpuBlocks;
      case LoopTransform::Kind::kThread:
        return DirectiveKind::kGpuThreads;
      case LoopTransform::Kind::kLeave:
      case LoopTransform::Kind::kBound:
      case LoopTransform::Kind::kBoundExtent:
        break;
    }
    return DirectiveKind::kUnscheduled;
  }

  const Program& program_;
  const AnalyzedPipeline& pipeline_;
  const InsertedStages inserted_;
  const std::vector<LoopName> names_;
  std::vector<Directive> directives_;
};

}  // namespace

std::vector<Directive> LowerProgram(const Program& program,
                                    const Schedule& schedule,
                                    const AnalyzedPipeline& pipeline) {
  return Lowering(program, schedule, pipeline).Lower();
}

absl::StatusOr<std::vector<Directive>> LowerSchedule(
    const Schedule& schedule, const AnalyzedPipeline& pipeline,
    const TargetSpec& target, OutputSizes outputs) {
  ASSIGN_OR_RETURN(const Program program,
                   Resolve(pipeline.dag, schedule, target));
  std::vector<Directive> directives = LowerProgram(program, schedule, pipeline);
  if (outputs == OutputSizes::kAny) return directives;
  return OnlySpecialized(std::move(directives));
}

}  // namespace pruner
