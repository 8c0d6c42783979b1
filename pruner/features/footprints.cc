#include "pruner/features/footprints.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "pruner/features/loop_moves.h"
#include "pruner/program/program.h"

namespace pruner {

void Footprints::Compute(const Program& program) {
  program_ = &program;
  moves_.Compute(program);
  num_buffers_ = static_cast<int>(program.buffers.size());
  loops_.clear();
  first_loop_.clear();
  num_loops_.clear();
  footprints_.clear();
  first_footprint_.assign(program.accesses.size(), 0);
  depth_.assign(program.accesses.size(), 0);
  bytes_in_.assign(program.loops.size() * program.buffers.size(), 0);
  for (size_t s = 0; s < program.statements.size(); ++s)
    AddStatement(static_cast<int>(s));
  all_bytes_in_.assign(program.loops.size(), 0);
  for (size_t l = 0; l < program.loops.size(); ++l) {
    for (int b = 0; b < num_buffers_; ++b)
      all_bytes_in_[l] += BytesIn(static_cast<int>(l), b);
  }
}

void Footprints::AddStatement(int s) {
  const Statement& statement = program_->statements[s];
  first_loop_.push_back(static_cast<int>(loops_.size()));
  for (int l = statement.loop; l >= 0; l = program_->loops[l].parent)
    loops_.push_back(l);
  num_loops_.push_back(static_cast<int>(loops_.size()) - first_loop_.back());
  for (int a = 0; a < statement.num_accesses; ++a)
    AddAccess(statement, statement.first_access + a);
}

void Footprints::AddAccess(const Statement& statement, int a) {
  const ProgramAccess& access = program_->accesses[a];
  const Buffer& buffer = program_->buffers[access.buffer];
  first_footprint_[a] = static_cast<int>(footprints_.size());
  reach_.assign(access.num_terms, 0);
  places_.assign(access.num_terms, 1);
  Footprint footprint = Measure(access);
  footprints_.push_back(footprint);
  for (int l = statement.loop; l >= 0; l = program_->loops[l].parent) {
    double stride = 0;
    bool has_moved = false, is_scattered = false;
    for (const AxisMove& move : moves_.Of(statement.stage, l)) {
      const std::optional<Footprint> by_move = Move(access, move);
      if (!by_move) continue;
      has_moved = true;
      is_scattered |= by_move->is_scattered;
      // Of several axes that a fused loop moves, the innermost counts.
      if (stride == 0) stride = by_move->stride;
    }
    ++depth_[a];
    if (has_moved) footprint = Measure(access);
    footprint.stride = stride;
    footprint.is_scattered = is_scattered;
    footprints_.push_back(footprint);
    double& bytes = bytes_in_[l * num_buffers_ + access.buffer];
    bytes = std::max(
        bytes, footprint.elements * static_cast<double>(buffer.element_bytes));
  }
}

std::optional<Footprint> Footprints::Move(const ProgramAccess& access,
                                          const AxisMove& move) {
  const Buffer& buffer = program_->buffers[access.buffer];
  bool has_axis = false, is_scattered = false;
  double stride = 0, quotient_stride = 0;
  for (int t = 0; t < access.num_terms; ++t) {
    const AccessTerm& term = program_->terms[access.first_term + t];
    if (term.axis != move.axis) continue;
    has_axis = true;
    is_scattered |= access.IsOpaque(term.dimension);
    const double distance = MovedBy(term, move.distance);
    reach_[t] += distance * static_cast<double>(move.count - 1);
    if (distance > 0) places_[t] *= static_cast<double>(move.count);
    for (int d = 0; d < buffer.num_dimensions; ++d) {
      const BufferDimension& dimension =
          program_->dimensions[buffer.first_dimension + d];
      if (dimension.dimension != term.dimension) continue;
      (distance < 1 ? quotient_stride : stride) +=
          distance * static_cast<double>(dimension.stride);
    }
  }
  if (!has_axis) return std::nullopt;
  // Blocked dimensions: the quotient moves when the rest begins anew.
  return Footprint{.stride = stride != 0 ? stride : quotient_stride,
                   .is_scattered = is_scattered};
}

Footprint Footprints::Measure(const ProgramAccess& access) const {
  const Buffer& buffer = program_->buffers[access.buffer];
  Footprint footprint;
  bool is_run = true;
  for (int d = buffer.num_dimensions - 1; d >= 0; --d) {
    const BufferDimension& dimension =
        program_->dimensions[buffer.first_dimension + d];
    const auto extent = static_cast<double>(dimension.extent);
    bool has_terms = false;
    double elements = 1, places = 1;
    for (int t = 0; t < access.num_terms; ++t) {
      const AccessTerm& term = program_->terms[access.first_term + t];
      if (term.dimension != dimension.dimension) continue;
      const double reach = std::floor(reach_[t] + 1e-9);
      places *= places_[t];
      has_terms = true;
      elements += term.modulus == 0
                      ? reach
                      : std::min(reach, static_cast<double>(term.modulus - 1));
    }
    // A loop that steps over elements leaves them out. What depends on data is
    // at as many places as loops move it to, or anywhere.
    if (access.IsOpaque(dimension.dimension))
      elements = has_terms ? places : extent;
    else
      elements = std::min(elements, places);
    elements = std::min(elements, extent);
    footprint.elements *= elements;
    if (is_run) footprint.run *= elements;
    is_run = is_run && elements == extent;
  }
  return footprint;
}

}  // namespace pruner
