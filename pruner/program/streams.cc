#include "pruner/program/streams.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "pruner/base/factors.h"
#include "pruner/program/emit_accesses.h"

namespace pruner {
namespace {

// More lines at once would come in a burst.
constexpr int64_t kMaxLinesAtOnce = 16;
// So often at most the same line is asked for.
constexpr int64_t kMaxRepeats = 4;

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

// Adds what is read while the walk's loops run.
void AddRuns(const ProgramAccess& access, const LoopWalk& walk,
             Program& program, Stream& stream) {
  const Buffer& buffer = program.buffers[access.buffer];
  stream.first_run = static_cast<int>(program.runs.size());
  stream.num_runs = 1;
  stream.elements = 1;
  program.runs.emplace_back();
  for (int k = buffer.num_dimensions - 1; k >= 0; --k) {
    const BufferDimension& dimension =
        program.dimensions[buffer.first_dimension + k];
    const int64_t elements = ElementsAlong(program, access, dimension, walk);
    if (elements == 1) continue;
    stream.elements *= elements;
    StreamRun& last = program.runs.back();
    if (last.extent * last.stride == dimension.stride) {
      last.extent *= elements;
    } else {
      program.runs.push_back({.extent = elements, .stride = dimension.stride});
      ++stream.num_runs;
    }
  }
}

const ProgramAccess* ReadOf(const Program& program, const Statement& body,
                            int input) {
  for (int a = 1; a < body.num_accesses; ++a) {
    const ProgramAccess& access = program.accesses[body.first_access + a];
    if (program.buffers[access.buffer].stage == input && !access.is_opaque)
      return &access;
  }
  return nullptr;
}

int64_t LineElements(const TargetSpec& target, const Buffer& buffer) {
  return std::max<int64_t>(1, target.l1.line_bytes / buffer.element_bytes);
}

// Spreads the stream over the serial loops inside of its own, as far as that
// does not ask for the same lines too often. Returns the loop in which it
// stands; none: it would come in bursts.
std::optional<int> Spread(const Program& program, int innermost,
                          Stream& stream) {
  const int64_t line = stream.line;
  absl::InlinedVector<int, 24> inside;  // innermost first
  for (int l = innermost; l != stream.loop; l = program.loops[l].parent)
    inside.push_back(l);
  int at = stream.loop;
  int64_t iterations = 1;
  for (size_t k = inside.size(); k-- > 0;) {
    const ProgramLoop& loop = program.loops[inside[k]];
    const int64_t more = iterations * loop.extent;
    if (!IsSerial(loop) || stream.elements * kMaxRepeats < more * line) break;
    iterations = more;
    at = inside[k];
  }
  stream.step = CeilDiv(stream.elements, iterations);
  if (stream.step > line) stream.step = CeilDiv(stream.step, line) * line;
  if (stream.step > kMaxLinesAtOnce * line) return std::nullopt;
  return at;
}

}  // namespace

void AddStream(const Structure& structure, const TargetSpec& target, int stage,
               int64_t ahead, Program& program) {
  if (ahead == 0) return;
  const int input = structure.stages[stage].streamed;
  const Statement& body = program.statements[program.stages[stage].body];
  const ProgramAccess* const read = ReadOf(program, body, input);
  if (read == nullptr) return;
  LoopWalk walk(structure, program, stage);
  int loop = body.loop;
  for (; loop >= 0; loop = program.loops[loop].parent) {
    const ProgramLoop& l = program.loops[loop];
    if (!walk.TurnTo(l)) return;
    if (IsSerial(l) && Moves(program, *read, l, walk) && --ahead == 0) break;
    walk.Cover(l);
  }
  if (loop < 0) return;
  Stream stream = {.buffer = read->buffer,
                   .loop = loop,
                   .line = LineElements(target, program.buffers[read->buffer])};
  AddRuns(*read, walk, program, stream);
  const std::optional<int> at =
      program.runs[stream.first_run].extent < stream.line ||
              program.runs[stream.first_run].stride != 1
          ? std::nullopt
          : Spread(program, body.loop, stream);
  if (!at) {
    program.runs.resize(stream.first_run);
    return;
  }
  Statement statement = {.stage = stage,
                         .definition = body.definition,
                         .stream = static_cast<int>(program.streams.size()),
                         .loop = *at,
                         .executions = ExecutionsInside(program, *at)};
  program.streams.push_back(stream);
  program.statements.push_back(statement);
}

bool HasStream(const Program& program, int stage) {
  return std::any_of(program.statements.begin(), program.statements.end(),
                     [&](const Statement& statement) {
                       return statement.stage == stage && statement.stream >= 0;
                     });
}

}  // namespace pruner
