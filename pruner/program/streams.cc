#include "pruner/program/streams.h"

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "pruner/base/factors.h"
#include "pruner/program/emit_accesses.h"

namespace pruner {
namespace {

// More lines at once would come in a burst.
constexpr int64_t kMaxLinesAtOnce = 16;
// So often at most the same line is asked for.
constexpr int64_t kMaxRepeats = 16;

bool IsSerial(const ProgramLoop& loop) {
  return loop.kind == LoopKind::kSerial || loop.kind == LoopKind::kParallel;
}

// Goes through the loops around a stage's body, from the innermost on, with
// those of the stages in whose loops it is computed.
class LoopWalk {
 public:
  LoopWalk(const Structure& structure, const Program& program, int stage)
      : structure_(structure),
        program_(program),
        first_axis_(structure.stages[stage].first_axis),
        at_(stage),
        covered_(structure.stages[stage].num_axes, 1) {
    for (int axis = 0; axis < structure.stages[stage].num_axes; ++axis)
      axes_.push_back(axis);
  }

  // Turns to a loop, which is further out than those so far. False: what it
  // moves is not known.
  bool TurnTo(const ProgramLoop& loop) {
    while (at_ != loop.stage) {
      const int reader = structure_.stages[at_].at_stage;
      if (reader < 0) return false;
      CoverRegion();
      for (int& axis : axes_) axis = AxisOf(reader, axis);
      at_ = reader;
    }
    return true;
  }

  // Counts in what the loop steps through.
  void Cover(const ProgramLoop& loop) {
    for (int s = 0; s < loop.num_shares; ++s) {
      const LoopShare& share = program_.shares[loop.first_share + s];
      for (size_t axis = 0; axis < axes_.size(); ++axis) {
        if (axes_[axis] == share.axis)
          covered_[axis] += (share.extent - 1) * share.stride;
      }
    }
  }

  // By which axis of the body's stage the loop's next iteration differs.
  bool IsMoved(const ProgramLoop& loop, int axis) const {
    return axes_[axis] == MoveOf(loop, program_).axis;
  }

  // What the loops so far step through of an axis of the body's stage.
  int64_t covered(int axis) const { return covered_[axis]; }

 private:
  // All of the stage that is computed in a loop of another.
  void CoverRegion() {
    for (size_t axis = 0; axis < axes_.size(); ++axis) {
      covered_[axis] =
          std::max(covered_[axis], program_.axis_extents[first_axis_ + axis]);
    }
  }

  // The reader's axis that is the dimension of what it reads; -1: none is.
  int AxisOf(int reader, int dimension) const {
    if (dimension < 0 || dimension >= structure_.stages[at_].rank) return -1;
    for (const FoldedRead& read : (*structure_.reads)[reader].reads) {
      if (read.stage != at_ || read.is_opaque) continue;
      const IndexExpr& index = read.indices[dimension];
      const bool is_axis = index.terms.size() == 1 && index.divisor == 1 &&
                           index.modulus == 0 &&
                           index.terms[0].coefficient == 1;
      return is_axis ? index.terms[0].axis : -1;
    }
    return -1;
  }

  const Structure& structure_;
  const Program& program_;
  const int first_axis_;
  int at_;  // the stage whose loops it goes through
  // By axis of the body's stage: that stage's axis, and what is covered.
  absl::InlinedVector<int, 8> axes_;
  absl::InlinedVector<int64_t, 8> covered_;
};

// Whether the loop's next iteration reads something else.
bool Moves(const Program& program, const ProgramAccess& access,
           const ProgramLoop& loop, const LoopWalk& walk) {
  for (int t = 0; t < access.num_terms; ++t) {
    if (walk.IsMoved(loop, program.terms[access.first_term + t].axis))
      return true;
  }
  return false;
}

// How many elements along a dimension are read while the walk's loops run.
int64_t ElementsAlong(const Program& program, const ProgramAccess& access,
                      const BufferDimension& dimension, const LoopWalk& walk) {
  int64_t elements = 1;
  for (int t = 0; t < access.num_terms; ++t) {
    const AccessTerm& term = program.terms[access.first_term + t];
    if (term.dimension != dimension.dimension) continue;
    int64_t reach = std::abs(term.coefficient) * (walk.covered(term.axis) - 1) /
                    term.divisor;
    if (term.modulus != 0) reach = std::min(reach, term.modulus - 1);
    elements += reach;
  }
  return std::min(elements, dimension.extent);
}

using Runs = absl::InlinedVector<StreamRun, 8>;

// What is read while the walk's loops run.
Runs RunsOf(const Program& program, const ProgramAccess& access,
            const LoopWalk& walk) {
  const Buffer& buffer = program.buffers[access.buffer];
  Runs runs = {StreamRun()};
  for (int k = buffer.num_dimensions - 1; k >= 0; --k) {
    const BufferDimension& dimension =
        program.dimensions[buffer.first_dimension + k];
    const int64_t elements = ElementsAlong(program, access, dimension, walk);
    if (elements == 1) continue;
    if (runs.back().extent * runs.back().stride == dimension.stride) {
      runs.back().extent *= elements;
    } else {
      runs.push_back({.extent = elements, .stride = dimension.stride});
    }
  }
  return runs;
}

int64_t ElementsOf(const Runs& runs) {
  int64_t elements = 1;
  for (const StreamRun& run : runs) elements *= run.extent;
  return elements;
}

const ProgramAccess* ReadOf(const Program& program, const Statement& body,
                            int input) {
  for (int a = 1; a < body.num_accesses; ++a) {
    const ProgramAccess& access = program.accesses[body.first_access + a];
    if (program.buffers[access.buffer].stage == input &&
        access.opaque_dimensions == 0)
      return &access;
  }
  return nullptr;
}

// A stream, not yet the program's, and the loop in which it stands.
struct PlacedStream {
  Stream stream;
  Runs runs;
  int loop = -1;  // none: there is no stream
};

// Spreads what the next iteration of the stream's loop reads over the serial
// loops inside, as far as that does not ask for the same lines too often. False
// if it would come in bursts.
bool Spread(const Program& program, int innermost, PlacedStream& placed) {
  Stream& stream = placed.stream;
  const int64_t line = stream.line;
  if (placed.runs[0].extent < line || placed.runs[0].stride != 1) return false;
  absl::InlinedVector<int, 24> inside;  // innermost first
  for (int l = innermost; l != stream.loop; l = program.loops[l].parent)
    inside.push_back(l);
  placed.loop = stream.loop;
  int64_t iterations = 1;
  for (size_t k = inside.size(); k-- > 0;) {
    const ProgramLoop& loop = program.loops[inside[k]];
    const int64_t more = iterations * loop.extent;
    if (!IsSerial(loop) || stream.elements * kMaxRepeats < more * line) break;
    iterations = more;
    placed.loop = inside[k];
  }
  stream.step = CeilDiv(stream.elements, iterations);
  if (stream.step > line) stream.step = CeilDiv(stream.step, line) * line;
  return stream.step <= kMaxLinesAtOnce * line;
}

// Of the outermost loop for which it is at most `max_elements`.
PlacedStream FindStream(const Structure& structure, const TargetSpec& target,
                        const Program& program, const Statement& body,
                        const ProgramAccess& read, int64_t max_bytes) {
  PlacedStream found;
  const int64_t element_bytes = program.buffers[read.buffer].element_bytes;
  LoopWalk walk(structure, program, body.stage);
  for (int l = body.loop; l >= 0; l = program.loops[l].parent) {
    const ProgramLoop& loop = program.loops[l];
    if (!walk.TurnTo(loop)) break;
    if (IsSerial(loop) && Moves(program, read, loop, walk)) {
      PlacedStream placed = {
          .stream = {.buffer = read.buffer,
                     .loop = l,
                     .line = std::max<int64_t>(
                         1, target.l1.line_bytes / element_bytes)},
          .runs = RunsOf(program, read, walk)};
      placed.stream.elements = ElementsOf(placed.runs);
      if (placed.stream.elements * element_bytes > max_bytes) break;
      if (Spread(program, body.loop, placed)) found = std::move(placed);
    }
    walk.Cover(loop);
  }
  return found;
}

}  // namespace

void AddStream(const Structure& structure, const TargetSpec& target, int stage,
               int64_t max_bytes, Program& program) {
  if (max_bytes == 0) return;
  const Statement& body = program.statements[program.stages[stage].body];
  const ProgramAccess* const read =
      ReadOf(program, body, structure.stages[stage].streamed);
  if (read == nullptr) return;
  PlacedStream found =
      FindStream(structure, target, program, body, *read, max_bytes);
  if (found.loop < 0) return;
  found.stream.first_run = static_cast<int>(program.runs.size());
  found.stream.num_runs = static_cast<int>(found.runs.size());
  program.runs.insert(program.runs.end(), found.runs.begin(), found.runs.end());
  const Statement statement = {
      .stage = stage,
      .definition = body.definition,
      .stream = static_cast<int>(program.streams.size()),
      .loop = found.loop,
      .executions = ExecutionsInside(program, found.loop)};
  program.streams.push_back(found.stream);
  program.statements.push_back(statement);
}

int64_t StreamedBytes(const Program& program, int stage) {
  const Statement* const statement = StreamStatementOf(program, stage);
  if (statement == nullptr) return 0;
  const Stream& stream = program.streams[statement->stream];
  return stream.elements * program.buffers[stream.buffer].element_bytes;
}

}  // namespace pruner
