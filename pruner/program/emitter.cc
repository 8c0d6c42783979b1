#include "pruner/program/emitter.h"

#include <cstddef>

#include "pruner/base/factors.h"
#include "pruner/program/emit_accesses.h"
#include "pruner/program/stage_marks.h"
#include "pruner/program/streams.h"
#include "pruner/program/written_loops.h"

namespace pruner {

void Emitter::EmitAll() {
  const int size = static_cast<int>(structure_.stages.size());
  for (int i = 0; i < size; ++i) {
    const StageStructure& stage = structure_.stages[i];
    program_.stages[i].is_absent = stage.is_absent;
    program_.stages[i].at_stage = stage.at_stage;
    if (structure_.dag->stage(i).kind == StageKind::kPlaceholder)
      AddBuffer(structure_, i, /*loop=*/-1, /*kept=*/0, program_);
  }
  for (int i = 0; i < size; ++i) {
    const StageStructure& stage = structure_.stages[i];
    if (!stage.is_absent && stage.at_stage < 0) EmitStage(i, /*parent=*/-1);
  }
}

void Emitter::EmitStage(int i, int parent) {
  const Stage& s = structure_.dag->stage(i);
  ProgramStage& stage = program_.stages[i];
  stage.loop = parent;
  const SlideNumbers& slide = values_.slide(i);
  stage.slide_dimension = slide.dimension;
  stage.early_iterations = slide.early;
  const bool slides = slide.dimension >= 0;
  AddBuffer(structure_, i, slides ? program_.loops[parent].parent : parent,
            slide.kept, program_);
  EmitBounds(i);
  if (s.opaque) {
    WriteLoopsAsWritten(structure_, i, target_, values_.varies(i), parent,
                        program_);
  } else {
    EmitBody(i, parent);
  }
}

void Emitter::EmitBounds(int i) {
  const StageStructure& stage = structure_.stages[i];
  ProgramStage& out = program_.stages[i];
  out.first_bound = static_cast<int>(program_.marks.size());
  for (int axis = 0; axis < stage.rank; ++axis) {
    const bool is_whole = values_.IsBoundWhole(i, axis);
    if (!is_whole && !values_.IsExtentBound(i, axis)) continue;
    program_.marks.push_back(
        {.kind = is_whole ? LoopTransform::Kind::kBound
                          : LoopTransform::Kind::kBoundExtent,
         .a = out.first_label + axis,
         .factor = program_.axis_extents[stage.first_axis + axis]});
    ++out.num_bounds;
  }
}

Statement Emitter::BeginStatement(int stage, int definition) const {
  return {.stage = stage,
          .definition = definition,
          .first_order = static_cast<int>(program_.orders.size()),
          .first_mark = static_cast<int>(program_.marks.size())};
}

void Emitter::CountSaid(Statement& statement) const {
  statement.num_orders =
      static_cast<int>(program_.orders.size()) - statement.first_order;
  statement.num_marks =
      static_cast<int>(program_.marks.size()) - statement.first_mark;
}

void Emitter::EmitInitialization(int i, StageMarks& marks, int parent) {
  Statement statement = BeginStatement(i, 0);
  statement.is_initialization = true;
  if (marks.IsBound()) {
    statement.transforms = Statement::Transforms::kSpatial;
    marks.DecideBoundInitialization();
    statement.loop = EmitBoundInitialization(i, parent);
  } else {
    statement.loop = EmitPlainInitialization(i, marks, parent);
  }
  CountSaid(statement);
  AddStatement(structure_, target_, statement, program_);
}

int Emitter::EmitBoundInitialization(int i, int parent) {
  const StageStructure& stage = structure_.stages[i];
  const auto is_loop = [&](int value) {
    return values_.loop(value).IsLive() &&
           !structure_.loops[value].is_reduction;
  };
  for (int k = 0; k < stage.num_order; ++k) {
    const int value = structure_.order[stage.first_order + k];
    const int inner =
        structure_.order[stage.first_order + stage.num_order - 1 - k];
    if (is_loop(inner)) program_.orders.push_back(values_.loop(inner).label);
    if (is_loop(value)) parent = EmitLoop(i, value, parent);
  }
  return parent;
}

int Emitter::EmitPlainInitialization(int i, StageMarks& marks, int parent) {
  const StageStructure& stage = structure_.stages[i];
  const int last = stage.rank - 1;
  const auto numbers_of = [&](int axis) -> LoopNumbers {
    return {.extent = program_.axis_extents[stage.first_axis + axis],
            .label = program_.stages[i].first_label + axis,
            .varies = values_.axis_varies(stage.first_axis + axis)};
  };
  LoopNumbers innermost;
  if (stage.rank > 0) {
    innermost = numbers_of(last);
    marks.DecideInitialization(Annotation::kVectorize, innermost);
  }
  // A factored reduction's variables have an order of their own.
  for (int axis = last; axis >= 0; --axis) {
    if (numbers_of(axis).extent > 1)
      program_.orders.push_back(numbers_of(axis).label);
  }
  bool may_be_parallel = stage.at_stage < 0;
  for (int axis = 0; axis < stage.rank; ++axis) {
    LoopNumbers loop = axis == last ? innermost : numbers_of(axis);
    if (loop.extent == 1) continue;
    if (axis != last && may_be_parallel) {
      may_be_parallel = false;
      marks.DecideInitialization(Annotation::kParallel, loop);
    }
    parent =
        EmitPlainLoop(i, loop, {.axis = axis, .extent = loop.extent}, parent);
  }
  return parent;
}

void Emitter::EmitBody(int i, int parent) {
  const StageStructure& stage = structure_.stages[i];
  const bool is_initialized = structure_.dag->stage(i).IsInitialized();
  StageMarks marks(structure_, i, target_, values_, program_);
  marks.DecideUnrolling(
      stage.unroll_number < 0 ? 0 : numbers_[stage.unroll_number]);
  if (is_initialized) EmitInitialization(i, marks, parent);

  Statement statement = BeginStatement(i, is_initialized ? 1 : 0);
  statement.transforms = Statement::Transforms::kAll;
  marks.DecideBody();
  for (int k = stage.num_order - 1; k >= 0; --k) {
    const LoopNumbers& loop =
        values_.loop(structure_.order[stage.first_order + k]);
    if (loop.IsLive()) program_.orders.push_back(loop.label);
  }
  CountSaid(statement);
  int child = 0;
  for (int k = 0; k < stage.num_order; ++k) {
    const int value = structure_.order[stage.first_order + k];
    if (values_.loop(value).IsLive()) parent = EmitLoop(i, value, parent);
    for (; child < stage.num_children; ++child) {
      const int c = structure_.children[stage.first_child + child];
      if (structure_.stages[c].at_position != k) break;
      EmitStage(c, parent);
    }
  }
  statement.loop = parent;
  program_.stages[i].body = static_cast<int>(program_.statements.size());
  AddStatement(structure_, target_, statement, program_);
  if (stage.stream_number < 0) return;
  program_.stages[i].cold_buffer = program_.stages[stage.streamed].buffer;
  AddStream(structure_, target_, i, numbers_[stage.stream_number], program_);
}

int Emitter::EmitLoop(int i, int value, int parent) {
  const LoopNumbers& numbers = values_.loop(value);
  const LoopValue& loop = structure_.loops[value];
  ProgramLoop out = {.parent = parent,
                     .stage = i,
                     .kind = numbers.kind,
                     .is_reduction = loop.is_reduction,
                     .varies = numbers.varies,
                     .overruns = numbers.overruns,
                     .extent = numbers.extent,
                     .first_share = static_cast<int>(program_.shares.size()),
                     .num_shares = loop.num_shares,
                     .step = numbers.step,
                     .label = numbers.label};
  for (int s = 0; s < loop.num_shares; ++s) {
    program_.shares.push_back(
        values_.share(structure_.loop_shares[loop.first_share + s]));
  }
  return numbers.is_cut ? EmitCutLoop(numbers, out) : AddLoop(out, program_);
}

int Emitter::EmitPlainLoop(int i, const LoopNumbers& numbers,
                           const LoopShare& share, int parent) {
  const ProgramLoop out = {
      .parent = parent,
      .stage = i,
      .kind = numbers.kind,
      .varies = numbers.varies,
      .extent = numbers.extent,
      .first_share = static_cast<int>(program_.shares.size()),
      .num_shares = 1,
      .label = numbers.label};
  program_.shares.push_back(share);
  return numbers.is_cut ? EmitCutLoop(numbers, out) : AddLoop(out, program_);
}

// The loop over vectors, then the vector. A share of several axes is stepped
// through, one of a single axis is cut itself.
int Emitter::EmitCutLoop(const LoopNumbers& numbers, ProgramLoop loop) {
  const int64_t length = numbers.vector_length;
  ProgramLoop lanes = loop;
  loop.extent = CeilDiv(loop.extent, length);
  loop.label = numbers.vectors_label;
  lanes.kind = LoopKind::kVectorized;
  lanes.extent = length;
  lanes.varies = false;
  lanes.label = numbers.lanes_label;
  if (loop.num_shares == 1) {
    lanes.first_share = static_cast<int>(program_.shares.size());
    LoopShare& outer = program_.shares[loop.first_share];
    LoopShare inner = outer;
    inner.extent = length;
    outer.stride *= length;
    outer.extent = loop.extent;
    program_.shares.push_back(inner);
  } else {
    loop.step *= length;
  }
  // Of a single one there is no loop.
  if (loop.extent > 1) lanes.parent = AddLoop(loop, program_);
  return AddLoop(lanes, program_);
}

}  // namespace pruner
