#include "pruner/features/loop_moves.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "pruner/base/factors.h"
#include "pruner/program/program.h"

namespace pruner {

double MovedBy(const AccessTerm& term, double distance) {
  const double moved =
      std::abs(distance * static_cast<double>(term.coefficient)) /
      static_cast<double>(term.divisor);
  return term.modulus == 0
             ? moved
             : std::fmod(moved, static_cast<double>(term.modulus));
}

void LoopMoves::Compute(const Program& program) {
  program_ = &program;
  moves_.clear();
  own_.clear();
  outer_.clear();
  depths_.clear();
  for (size_t l = 0; l < program.loops.size(); ++l) {
    const int parent = program.loops[l].parent;
    depths_.push_back(parent < 0 ? 0 : depths_[parent] + 1);
    MoveOwn(static_cast<int>(l));
  }
  FindReaders();
  first_outer_.assign(program.stages.size(), 0);
  // Stages that read stand behind those that they read.
  for (size_t s = program.stages.size(); s-- > 0;) {
    const ProgramStage& stage = program.stages[s];
    if (!stage.is_absent && stage.loop >= 0)
      MoveByOuterLoops(static_cast<int>(s));
  }
}

absl::Span<const AxisMove> LoopMoves::Of(int stage, int loop) const {
  const bool is_own = program_->loops[loop].stage == stage;
  const Range range =
      is_own ? own_[loop] : outer_[first_outer_[stage] + depths_[loop]];
  return absl::MakeConstSpan(moves_).subspan(range.first, range.count);
}

void LoopMoves::FindReaders() {
  const Program& program = *program_;
  readers_.clear();
  first_reader_.assign(program.stages.size(), -1);
  for (size_t s = 0; s < program.statements.size(); ++s) {
    const Statement& statement = program.statements[s];
    for (int a = 1; a < statement.num_accesses; ++a) {
      const ProgramAccess& access =
          program.accesses[statement.first_access + a];
      int& first = first_reader_[program.buffers[access.buffer].stage];
      readers_.push_back({.statement = static_cast<int>(s),
                          .access = statement.first_access + a,
                          .next = first});
      first = static_cast<int>(readers_.size()) - 1;
    }
  }
}

void LoopMoves::MoveOwn(int loop) {
  const ProgramLoop& l = program_->loops[loop];
  Range range = {.first = static_cast<int>(moves_.size())};
  // Of the fused iterations, how far an iteration steps and how many are left,
  // from the innermost share on.
  int64_t step = l.step, count = l.extent;
  for (int s = l.num_shares - 1; s >= 0 && count > 1; --s) {
    const LoopShare& share = program_->shares[l.first_share + s];
    if (s > 0 && step >= share.extent) {
      step = CeilDiv(step, share.extent);
      continue;
    }
    const int64_t of_share =
        s == 0 ? count : std::min(count, CeilDiv(share.extent, step));
    if (of_share > 1) {
      moves_.push_back({.axis = share.axis,
                        .count = of_share,
                        .distance = static_cast<double>(share.stride * step)});
      ++range.count;
    }
    count = CeilDiv(count, of_share);
    step = 1;
  }
  own_.push_back(range);
}

bool LoopMoves::IsInside(int loop, int outer) const {
  while (loop >= 0 && depths_[loop] > depths_[outer])
    loop = program_->loops[loop].parent;
  return loop == outer;
}

void LoopMoves::MoveByOuterLoops(int stage) {
  const int innermost = program_->stages[stage].loop;
  first_outer_[stage] = static_cast<int>(outer_.size());
  outer_.resize(outer_.size() + depths_[innermost] + 1);
  for (int loop = innermost; loop >= 0; loop = program_->loops[loop].parent) {
    Range range = {.first = static_cast<int>(moves_.size())};
    for (int r = first_reader_[stage]; r >= 0 && range.count == 0;
         r = readers_[r].next) {
      const Statement& reading = program_->statements[readers_[r].statement];
      if (reading.stage == stage || !IsInside(reading.loop, innermost))
        continue;
      AddMovesOfReader(readers_[r], loop);
      range.count = static_cast<int>(moves_.size()) - range.first;
    }
    outer_[first_outer_[stage] + depths_[loop]] = range;
  }
}

void LoopMoves::AddMovesOfReader(const Reader& reader, int loop) {
  const int reading = program_->statements[reader.statement].stage;
  const ProgramAccess& access = program_->accesses[reader.access];
  for (int t = 0; t < access.num_terms; ++t) {
    const AccessTerm& term = program_->terms[access.first_term + t];
    // By index: moves_ grows.
    const absl::Span<const AxisMove> of_reader = Of(reading, loop);
    const size_t first = of_reader.data() - moves_.data();
    for (size_t m = 0; m < of_reader.size(); ++m) {
      const AxisMove move = moves_[first + m];
      if (move.axis != term.axis) continue;
      const double distance = MovedBy(term, move.distance);
      if (distance == 0) continue;
      moves_.push_back(
          {.axis = term.dimension, .count = move.count, .distance = distance});
    }
  }
}

}  // namespace pruner
