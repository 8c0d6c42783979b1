// StatementRow: the numbers about one statement that learned models read
// (docs/algorithms.md A7), before they are scaled and put into columns.
#ifndef PRUNER_FEATURES_STATEMENT_ROW_H_
#define PRUNER_FEATURES_STATEMENT_ROW_H_

#include <array>
#include <cstdint>
#include <vector>

#include "pruner/dag/op_counts.h"
#include "pruner/features/footprints.h"
#include "pruner/program/program.h"

namespace pruner {

// Loops around the statement of one kind.
struct LoopGroup {
  int64_t loops = 0;
  double product = 0;    // of their extents; 0 without any
  double innermost = 0;  // extent
};

// How the statement uses one buffer.
struct BufferUse {
  enum class Type : uint8_t { kRead, kWrite, kReadWrite };
  enum class Reuse : uint8_t {
    kLoopMultipleRead,         // a loop around reads it anew
    kSerialMultipleReadWrite,  // an earlier statement touched it
    kNone,
  };
  Type type = Type::kRead;
  double bytes = 0;         // of all executions
  double unique_bytes = 0;  // different ones
  double lines = 0;
  double unique_lines = 0;
  Reuse reuse = Reuse::kNone;
  double reuse_distance_iterations = 0;
  double reuse_distance_bytes = 0;
  double reuse_count = 0;
  double stride = 0;  // elements, of the innermost loop
};

inline constexpr int kBufferUses = 5;
inline constexpr int kIntensityPoints = 10;

struct StatementRow {
  OpCounts ops = {};      // of one execution
  double executions = 1;  // all loops around
  LoopGroup vectorized = {}, unrolled = {}, parallel = {};
  bool is_gpu = false;
  double blocks = 1, threads = 1, vthreads = 1;
  // Those that are reused soonest come first; unused ones behind.
  std::array<BufferUse, kBufferUses> buffers = {};
  int num_buffers = 0;  // of them
  // Operations per byte, while 10 %, 20 %, … of the operations run.
  std::array<double, kIntensityPoints> intensity = {};
  double allocated_bytes = 0;  // of the buffer that is written
  double allocated_elements = 0;
  double allocations = 1;  // how often
  int64_t loops = 0;       // around
  double copies = 1;       // in the code, of the statement
};

// Makes rows of a program's statements; keeps its memory from call to call.
class StatementRows {
 public:
  // One row for each buffer that is stored to, in the program's order: of the
  // last definition of its stage, which the others serve.
  void Compute(const Program& program, const Footprints& footprints);

  const std::vector<StatementRow>& rows() const { return rows_; }
  // Of a row: Program::statements.
  int StatementOf(int row) const { return statements_[row]; }

  // How any statement of the program that was given uses the buffer of one of
  // its accesses.
  BufferUse UseOf(int statement, int access) const;

 private:
  void AddRow(int statement);
  void AddLoops(const Statement& statement, StatementRow& row) const;
  void AddBuffers(int statement, StatementRow& row);
  // What one execution touches.
  double ExecutionBytes(const Statement& statement) const;
  void FindReuse(int statement, int access, BufferUse& use) const;
  // Whether another statement before it touches the buffer in the loop.
  bool IsTouchedBefore(int statement, int buffer, int loop) const;
  void AddIntensity(int statement, StatementRow& row);

  const Program* program_ = nullptr;
  const Footprints* footprints_ = nullptr;
  std::vector<StatementRow> rows_;
  std::vector<int> statements_;
  std::vector<BufferUse> uses_;
  // By loop, outwards: log2 of operations and bytes until it has run.
  std::vector<double> log_ops_, log_bytes_;
};

}  // namespace pruner

#endif  // PRUNER_FEATURES_STATEMENT_ROW_H_
