// What the accesses of a program touch while loops run.
#ifndef PRUNER_FEATURES_FOOTPRINTS_H_
#define PRUNER_FEATURES_FOOTPRINTS_H_

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "pruner/features/loop_moves.h"
#include "pruner/program/program.h"

namespace pruner {

// Of one access, while a loop and those inside of it run.
struct Footprint {
  double elements = 1;  // different ones
  // Of them lie one behind the other in memory, at least.
  double run = 1;
  // Elements between what neighbouring iterations of the loop touch; 0: the
  // loop does not move the access.
  double stride = 0;
  // The loop moves an index that depends on data: where to, nobody knows.
  bool is_scattered = false;

  // Cache lines, if each run begins with one.
  double Lines(double element_bytes, double line_bytes) const {
    return elements / run * std::ceil(run * element_bytes / line_bytes);
  }
};

// What each access touches inside of each loop around it: of each dimension the
// interval between the first and the last index, or as many indices as the
// loops go to if those are fewer (docs/algorithms.md A7). Streams are no
// accesses.
class Footprints {
 public:
  // Reuses the memory of earlier calls. `program` must outlive what is asked.
  void Compute(const Program& program);

  const LoopMoves& moves() const { return moves_; }

  // The loops around a statement, the innermost first.
  absl::Span<const int> LoopsAround(int statement) const {
    return absl::MakeConstSpan(loops_).subspan(first_loop_[statement],
                                               num_loops_[statement]);
  }
  // Of an access, which belongs to one statement: with no loop running, then
  // by LoopsAround, each with those before it.
  absl::Span<const Footprint> Of(int access) const {
    return absl::MakeConstSpan(footprints_)
        .subspan(first_footprint_[access], depth_[access] + 1);
  }
  // The bytes of a buffer that all statements in the loop touch while it runs
  // once: the most that one access does.
  double BytesIn(int loop, int buffer) const {
    return bytes_in_[loop * num_buffers_ + buffer];
  }
  // Of all buffers.
  double BytesIn(int loop) const { return all_bytes_in_[loop]; }

 private:
  void AddStatement(int statement);
  void AddAccess(const Statement& statement, int access);
  // Moves the access' terms; of the footprint only what is said of that move.
  // None if no term has that axis.
  std::optional<Footprint> Move(const ProgramAccess& access,
                                const AxisMove& move);
  // The elements touched, as each term of the access reaches so far.
  Footprint Measure(const ProgramAccess& access) const;

  const Program* program_ = nullptr;
  LoopMoves moves_;
  std::vector<int> loops_, first_loop_, num_loops_;  // by statement
  std::vector<Footprint> footprints_;
  std::vector<int> first_footprint_, depth_;  // by access
  // By term of the access at hand: how far it has moved, and to how many
  // places.
  std::vector<double> reach_, places_;
  std::vector<double> bytes_in_;      // by loop and buffer
  std::vector<double> all_bytes_in_;  // by loop
  int num_buffers_ = 0;
};

}  // namespace pruner

#endif  // PRUNER_FEATURES_FOOTPRINTS_H_
