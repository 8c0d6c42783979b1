#include "pruner/program/emit_accesses.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "pruner/base/factors.h"
#include "pruner/program/copies.h"

namespace pruner {
namespace {

// Finds stride and lines of the access in the innermost loop.
void MeasureAccess(const Program& program, const ProgramLoop* innermost,
                   int64_t line_bytes, absl::Span<const int64_t> spread,
                   ProgramAccess& access) {
  const Buffer& buffer = program.buffers[access.buffer];
  access.stride = 0;
  access.lines = 1;
  LoopShare move;
  if (innermost != nullptr) move = MoveOf(*innermost, program);
  for (int k = 0; k < buffer.num_dimensions; ++k) {
    const BufferDimension& dimension =
        program.dimensions[buffer.first_dimension + k];
    int64_t elements = spread.empty() ? 1 : spread[dimension.dimension] + 1;
    if (innermost != nullptr) {
      for (int t = 0; t < access.num_terms; ++t) {
        const AccessTerm& term = program.terms[access.first_term + t];
        if (term.dimension != dimension.dimension || term.axis != move.axis)
          continue;
        const int64_t step = term.coefficient * move.stride;
        int64_t reach = std::abs(step) * (innermost->extent - 1) / term.divisor;
        int64_t stride = step / term.divisor;
        if (term.modulus != 0) {
          stride %= term.modulus;
          reach = std::min(reach, term.modulus - 1);
        }
        access.stride += stride * dimension.stride;
        elements += reach;
      }
    }
    elements = std::min(elements, dimension.extent);
    access.lines *= dimension.stride == 1
                        ? CeilDiv(elements * buffer.element_bytes, line_bytes)
                        : elements;
  }
  const int64_t times =
      access.count * (innermost == nullptr ? 1 : innermost->extent);
  access.lines = std::min(access.lines, times);
}

void AddTerms(const std::vector<IndexExpr>& indices, ProgramAccess& access,
              Program& program) {
  access.first_term = static_cast<int>(program.terms.size());
  for (size_t d = 0; d < indices.size(); ++d) {
    if (indices[d].opaque) access.opaque_dimensions |= uint64_t{1} << d;
    for (const IndexTerm& term : indices[d].terms) {
      program.terms.push_back({.dimension = static_cast<int>(d),
                               .axis = term.axis,
                               .coefficient = term.coefficient,
                               .divisor = indices[d].divisor,
                               .modulus = indices[d].modulus});
    }
  }
  access.num_terms = static_cast<int>(program.terms.size()) - access.first_term;
}

// What the statement stores, and what it reads of the stage itself.
void AddOwnAccesses(const Structure& structure, const Statement& statement,
                    const ProgramLoop* innermost, int64_t line_bytes,
                    Program& program) {
  const auto add = [&](ProgramAccess access) {
    MeasureAccess(program, innermost, line_bytes, {}, access);
    program.accesses.push_back(access);
  };
  const int buffer = program.stages[statement.stage].buffer;
  ProgramAccess write = {.buffer = buffer, .is_write = true};
  const std::vector<OwnAccesses>& own = structure.facts->own[statement.stage];
  if (statement.definition < std::ssize(own)) {
    const OwnAccesses& of_definition = own[statement.definition];
    AddTerms(of_definition.written.indices, write, program);
    add(write);
    for (const OwnAccess& read : of_definition.read) {
      ProgramAccess access = {.buffer = buffer, .count = read.count};
      AddTerms(read.indices, access, program);
      add(access);
    }
    return;
  }
  write.first_term = static_cast<int>(program.terms.size());
  write.num_terms = structure.stages[statement.stage].rank;
  for (int d = 0; d < write.num_terms; ++d)
    program.terms.push_back({.dimension = d, .axis = d});
  add(write);
}

// Statement::done_anew. Copies of a sum each add to what the one before left.
double DoneAnew(const Program& program, const Stage& stage,
                const WorkByAxis& work, const Statement& statement) {
  double anew = 1;
  if (work.all <= 0 || stage.IsInitialized() || stage.HasSelectingAxes())
    return anew;
  for (int l = statement.loop; l >= 0; l = program.loops[l].parent) {
    const ProgramLoop& loop = program.loops[l];
    // Of others, in whose loops it is computed.
    if (loop.stage != statement.stage) break;
    if (loop.kind == LoopKind::kVectorized) continue;
    if (loop.kind != LoopKind::kUnrolled || loop.num_shares != 1) break;
    const double varying =
        work.varying[program.shares[loop.first_share].axis] / work.all;
    const auto copies = static_cast<double>(loop.extent);
    anew *= (1 + (copies - 1) * varying) / copies;
  }
  return anew;
}

}  // namespace

LoopShare MoveOf(const ProgramLoop& loop, const Program& program) {
  int64_t step = loop.step;
  for (int s = loop.num_shares - 1; s >= 0; --s) {
    const LoopShare& share = program.shares[loop.first_share + s];
    if (step < share.extent || s == 0) {
      return {.axis = share.axis, .stride = share.stride * step};
    }
    step /= share.extent;
  }
  return {.stride = 0};
}

int AddLoop(ProgramLoop loop, Program& program) {
  loop.executions = ExecutionsOf(program, loop.stage, loop.parent);
  program.loops.push_back(loop);
  return static_cast<int>(program.loops.size()) - 1;
}

void AddBuffer(const Structure& structure, int i, int loop, int64_t kept,
               Program& program) {
  const Stage& s = structure.dag->stage(i);
  ProgramStage& stage = program.stages[i];
  stage.buffer = static_cast<int>(program.buffers.size());
  const bool is_input = s.kind == StageKind::kPlaceholder;
  Buffer buffer = {
      .stage = i,
      .element_bytes = s.ElementBytes(),
      .storage = structure.stages[i].storage,
      .is_external = is_input || s.is_output,
      .loop = loop,
      .first_dimension = static_cast<int>(program.dimensions.size()),
      .num_dimensions = s.SpatialRank()};
  const std::vector<int64_t>& order = structure.facts->storage_orders[i];
  buffer.is_reordered = order.size() > 1;
  for (int k = 0; k < buffer.num_dimensions; ++k) {
    const int dimension = order.empty() ? k : static_cast<int>(order[k]);
    const int64_t extent =
        is_input ? s.shape[dimension]
        : dimension == stage.slide_dimension
            ? kept
            : program.axis_extents[structure.stages[i].first_axis + dimension];
    program.dimensions.push_back({.dimension = dimension, .extent = extent});
  }
  for (int k = buffer.num_dimensions - 1; k >= 0; --k) {
    BufferDimension& dimension = program.dimensions[buffer.first_dimension + k];
    dimension.stride = buffer.elements;
    buffer.elements *= dimension.extent;
  }
  program.buffers.push_back(buffer);
}

void AddStatement(const Structure& structure, const TargetSpec& target,
                  Statement statement, Program& program) {
  const FoldedReads& folded = (*structure.reads)[statement.stage];
  const ProgramLoop* const innermost =
      statement.loop < 0 ? nullptr : &program.loops[statement.loop];
  statement.executions = ExecutionsOf(program, statement.stage, statement.loop);
  statement.copies = CopiesOf(program, structure, statement);
  if (!statement.is_initialization) {
    statement.ops = folded.ops;
    statement.integer_work = folded.integer_work;
    statement.done_anew = DoneAnew(
        program, structure.dag->stage(statement.stage), folded.work, statement);
  }
  statement.first_access = static_cast<int>(program.accesses.size());
  const int64_t line = std::max<int64_t>(1, target.l1.line_bytes);

  AddOwnAccesses(structure, statement, innermost, line, program);

  for (const FoldedRead& read : folded.reads) {
    if (read.by_initialization != statement.is_initialization) continue;
    ProgramAccess access = {.buffer = program.stages[read.stage].buffer,
                            .count = read.count};
    AddTerms(read.indices, access, program);
    MeasureAccess(program, innermost, line, read.spread, access);
    program.accesses.push_back(access);
  }
  statement.num_accesses =
      static_cast<int>(program.accesses.size()) - statement.first_access;
  program.statements.push_back(statement);
}

}  // namespace pruner
