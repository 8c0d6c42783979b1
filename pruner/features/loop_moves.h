// How the loops around a program's statements move what these read and write.
#ifndef PRUNER_FEATURES_LOOP_MOVES_H_
#define PRUNER_FEATURES_LOOP_MOVES_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "pruner/program/program.h"

namespace pruner {

// While a loop runs it moves along an axis of a stage: to `count` places that
// lie `distance` apart. Where a quotient of a loop is read that may be less
// than one.
struct AxisMove {
  int axis = 0;
  int64_t count = 1;
  double distance = 0;

  bool operator==(const AxisMove&) const = default;
};

// How far an access moves along the term's dimension when its axis moves by
// `distance`.
double MovedBy(const AccessTerm& term, double distance);

// The moves of all loops of a program. A loop of the stage itself moves it as
// its shares say. One of a stage in which it is computed moves what is needed
// of it, as that stage's reads say, or those of stages in between: indices are
// absolute, as in a lowered program.
class LoopMoves {
 public:
  // Reuses the memory of earlier calls. `program` must outlive what is asked.
  void Compute(const Program& program);

  // Of a loop around statements of the stage. What it does not move is left
  // out.
  absl::Span<const AxisMove> Of(int stage, int loop) const;

  // How many loops are around `loop`.
  int Depth(int loop) const { return depths_[loop]; }

 private:
  struct Range {
    int first = 0;
    int count = 0;
  };
  // A read of a stage's buffer.
  struct Reader {
    int statement = 0;
    int access = 0;
    int next = -1;  // of readers_, of the same stage
  };

  void FindReaders();
  void MoveOwn(int loop);
  // Moves the stage, which is computed in some loop, by that and by those
  // around it.
  void MoveByOuterLoops(int stage);
  void AddMovesOfReader(const Reader& reader, int loop);
  bool IsInside(int loop, int outer) const;

  const Program* program_ = nullptr;
  std::vector<AxisMove> moves_;
  std::vector<Range> own_;    // by loop
  std::vector<Range> outer_;  // by stage from first_outer_, and depth
  std::vector<int> first_outer_;
  std::vector<int> depths_;  // by loop
  std::vector<Reader> readers_;
  std::vector<int> first_reader_;  // by stage
};

}  // namespace pruner

#endif  // PRUNER_FEATURES_LOOP_MOVES_H_
