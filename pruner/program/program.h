// Program: exactly what will run, derived from a task's DAG, a schedule and a
// target by Resolve (resolve.h), never stored. Everything that decides about
// loops is decided in it; limits, symbols, features and lowering read it.
//
// All of it is flat: arrays of statements, loops, accesses and buffers that
// name each other by index, in program order. Resolving into a Program again
// reuses its memory.
#ifndef PRUNER_PROGRAM_PROGRAM_H_
#define PRUNER_PROGRAM_PROGRAM_H_

#include <cstdint>
#include <string>
#include <vector>

#include "pruner/dag/compute_dag.h"
#include "pruner/schedule/transform_step.h"

namespace pruner {

enum class LoopKind : uint8_t {
  kSerial,
  kParallel,
  kVectorized,
  kUnrolled,
  kVThread,  // unrolled: strided copies of a tile in one thread
  kBlock,    // of a GPU's grid
  kThread,   // of a block
};

// A share that a loop has in an axis of its stage: an iteration moves the
// axis' value by `stride`.
struct LoopShare {
  int axis = 0;
  int64_t stride = 1;
  int64_t extent = 1;

  bool operator==(const LoopShare&) const = default;
};

// One loop. Those of one iteration are left out, but for blocks and threads,
// without which there would be no kernel.
struct ProgramLoop {
  int parent = -1;  // the loop around it; -1: none
  int stage = 0;
  LoopKind kind = LoopKind::kSerial;
  bool is_reduction = false;
  // The compiler knows no constant extent: it depends on loops outside.
  bool varies = false;
  // Some iterations are beyond the end, and kept from computing anything.
  bool overruns = false;
  // Iterations; where that varies, the most.
  int64_t extent = 1;
  // How often it is entered: the iterations of the loops around it, together.
  int64_t executions = 1;
  // Program::shares, outermost first: several where loops were fused. A loop
  // that is a share of a fused one steps through `step` of the iterations of
  // its shares together.
  int first_share = 0;
  int num_shares = 0;
  int64_t step = 1;
  int label = 0;  // Program::labels

  bool operator==(const ProgramLoop&) const = default;
};

// What is allocated in a loop and no larger, in bytes, is computed in less time
// than it takes to allocate it each time: where sizes are estimates it is kept
// on the stack.
inline constexpr int64_t kMostOnStack = int64_t{64} << 10;

// Where a value is kept: an input, an output, or what a stage stores.
struct Buffer {
  int stage = 0;
  int64_t element_bytes = 4;  // of all values of a tuple
  Storage storage = Storage::kDefault;
  bool is_external = false;  // an input or output: the caller's
  // In which it is allocated: of a stage that slides the next one outside of
  // the loop that it slides over. -1: outside of all.
  int loop = -1;
  // Program::dimensions, the slowest varying first as they are stored.
  int first_dimension = 0;
  int num_dimensions = 0;
  int64_t elements = 1;
  bool is_reordered = false;  // a step says in which order

  bool operator==(const Buffer&) const = default;
};

struct BufferDimension {
  int dimension = 0;  // of the stage
  int64_t extent = 1;
  int64_t stride = 1;  // elements

  bool operator==(const BufferDimension&) const = default;
};

// What a statement reads or writes of one buffer by indices that move alike:
// the neighbours that a stencil reads are one access.
struct ProgramAccess {
  int buffer = 0;
  bool is_write = false;
  // Dimensions of the buffer's stage whose index depends on data, as bits: any
  // of it may be read where the dimension's terms, if there are any, have
  // moved.
  uint64_t opaque_dimensions = 0;
  int64_t count = 1;  // such accesses in an execution of the statement
  // Program::terms.
  int first_term = 0;
  int num_terms = 0;
  // Elements that lie between what neighbouring iterations of the statement's
  // innermost loop touch; 0 where they touch the same, or there is no loop.
  int64_t stride = 0;
  // Cache lines that an execution of the innermost loop touches.
  int64_t lines = 1;

  bool operator==(const ProgramAccess&) const = default;

  bool IsOpaque(int dimension) const {
    return (opaque_dimensions >> dimension & 1) != 0;
  }
};

// Axis `axis` of the statement's stage moves the access along `dimension` of
// the buffer's stage: the index is floor(coefficient * axis / divisor), up to
// what else is in it, and modulo `modulus` where that is not 0.
struct AccessTerm {
  int dimension = 0;
  int axis = 0;
  int64_t coefficient = 1;
  int64_t divisor = 1;
  int64_t modulus = 0;

  bool operator==(const AccessTerm&) const = default;
};

// What an iteration of a loop reads of an input, prefetched while the iteration
// before it runs: runs of neighbouring elements, and runs of such runs.
struct Stream {
  int buffer = 0;
  int loop = -1;  // whose next iteration it is
  // Elements that each execution of the statement advances, of `elements`: all
  // that an iteration reads. Whole lines, if it is more than one.
  int64_t step = 0;
  int64_t elements = 0;
  int64_t line = 1;  // elements of a cache line
  // Program::runs, innermost first.
  int first_run = 0;
  int num_runs = 0;

  bool operator==(const Stream&) const = default;
};

struct StreamRun {
  int64_t extent = 1;
  int64_t stride = 1;  // elements

  bool operator==(const StreamRun&) const = default;
};

// The assignment of one definition of a stage, with what is inlined in it; or
// a stream, which stands at the end of what its loop computes.
struct Statement {
  int stage = 0;
  int definition = 0;  // of the stage: 0 the pure one, then the updates
  bool is_initialization = false;
  int stream = -1;         // Program::streams; -1: an assignment
  int loop = -1;           // the innermost around it
  int64_t executions = 1;  // all loops
  // Of it in the code, after unrolling, but for those that never run.
  int64_t copies = 1;
  // Of one execution; of initializations none.
  OpCounts ops = {};
  IntegerWork integer_work = {};
  // How much of that each copy of unrolled loops right around it does anew: the
  // rest is the same for all of them.
  double done_anew = 1;
  int first_access = 0;  // the write, then the reads
  int num_accesses = 0;
  // The loops' order, as labels, innermost first (Program::orders), and what
  // is said of them (Program::marks): the first `num_splits` before loops are
  // ordered, the others after that.
  int first_order = 0, num_orders = 0;
  int first_mark = 0, num_marks = 0, num_splits = 0;
  // Which of the stage's transforms were applied to its loops.
  enum class Transforms : uint8_t { kNone, kSpatial, kAll };
  Transforms transforms = Transforms::kNone;

  bool operator==(const Statement&) const = default;
};

// What a loop is called after: names are made where it is lowered.
struct LoopLabel {
  enum class Origin : uint8_t {
    kAxis,       // loop number `number` of the naive nest
    kLevel,      // level `number` of a split of `base`
    kRest,       // what is left of `base` after level `number` is split off
    kFused,      // `base` and `other`
    kOne,        // a loop of one iteration, split off `base`
    kOutermost,  // outside of all loops of a definition
    kVectors,    // over the vectors of `base`
    kLanes,      // of a vector of `base`
    kChunks,     // parallel, or blocks: over chunks of `base`
    kInChunk,    // of a chunk of `base`; threads
  };
  Origin origin = Origin::kAxis;
  int stage = 0;
  int base = -1;
  int other = -1;
  int number = 0;
  // Of an axis behind those of the stage: the definition whose own it is.
  int definition = 0;
  bool is_reduction = false;

  bool operator==(const LoopLabel&) const = default;
};

// How the loops came about, by labels: one call of a scheduling language.
struct LoopTransform {
  enum class Kind : uint8_t {
    kSplit,      // a into b and c, the inner one, of `factor` iterations
    kFuse,       // a, the inner one, and b into c
    kVectorize,  // a, as all that follow
    kUnroll,
    kParallel,
    kBlock,
    kThread,
    kLeave,  // nothing is said of the definition
    kBound,  // axis a has `factor` iterations, and begins where the stage does
    kBoundExtent,  // axis a has `factor` iterations, wherever it begins
  };
  Kind kind = Kind::kSplit;
  int a = -1, b = -1, c = -1;
  int64_t factor = 0;
  Tail tail = Tail::kGuard;

  bool operator==(const LoopTransform&) const = default;
};

// What there is of a stage.
struct ProgramStage {
  // An input, or inlined: nothing is computed of it.
  bool is_absent = false;
  // In the order of the DAG's dimensions, then reduction axes: how much of
  // each axis one execution covers (Program::axis_extents).
  int first_axis = 0;
  int buffer = -1;
  // Of an input that comes from memory and may be streamed; -1: none.
  int cold_buffer = -1;
  // Where it is computed: in `loop` of `at_stage`, which is -1 for the root.
  // `loop` is -1 where it is outside of all loops that exist.
  int at_stage = -1;
  int loop = -1;
  // It slides over that loop along this dimension, of which one execution
  // covers what is new; -1: it does not.
  int slide_dimension = -1;
  // So many iterations before the first one of that loop, what that needs is
  // computed of stages that slide, and of what those read.
  int64_t early_iterations = 0;
  int first_label = 0;  // of its axes
  int first_transform = 0, num_transforms = 0;
  int first_bound = 0, num_bounds = 0;  // Program::marks
  int body = -1;                        // Statement of its last definition

  bool operator==(const ProgramStage&) const = default;
};

struct Program {
  // Both outlive it: the task's DAG, and that with the stages that steps
  // inserted.
  const ComputeDag* task = nullptr;
  const ComputeDag* dag = nullptr;
  std::vector<ProgramStage> stages;  // by stage of the DAG
  std::vector<Statement> statements;
  std::vector<ProgramLoop> loops;  // those around a loop before it
  std::vector<LoopShare> shares;
  std::vector<ProgramAccess> accesses;
  std::vector<AccessTerm> terms;
  std::vector<Stream> streams;
  std::vector<StreamRun> runs;
  std::vector<Buffer> buffers;
  std::vector<BufferDimension> dimensions;
  std::vector<int64_t> axis_extents;
  std::vector<LoopLabel> labels;
  std::vector<LoopTransform> transforms;
  std::vector<LoopTransform> marks;
  std::vector<int> orders;

  bool operator==(const Program&) const = default;

  // Empties it, and keeps the memory.
  void Clear();

  // For people and tests: loops and statements, indented, and the buffers.
  std::string ToString() const;
};

const char* LoopKindName(LoopKind kind);

// Whether each iteration of such a loop is a copy of its body in the code.
inline bool IsUnrolled(LoopKind kind) {
  return kind == LoopKind::kUnrolled || kind == LoopKind::kVThread;
}

// Whether the statement is the last definition of its stage.
inline bool IsBody(const Program& program, int statement) {
  return program.stages[program.statements[statement].stage].body == statement;
}

// The statement of the stage's stream; null if it has none.
const Statement* StreamStatementOf(const Program& program, int stage);

// How often the body of the loop runs; -1: what is in no loop runs once.
inline int64_t ExecutionsInside(const Program& program, int loop) {
  if (loop < 0) return 1;
  return program.loops[loop].executions * program.loops[loop].extent;
}

// How often what `stage` has in the loop runs, given the loop around that.
inline int64_t ExecutionsOf(const Program& program, int stage, int loop) {
  const ProgramStage& s = program.stages[stage];
  const bool is_early = loop >= 0 && loop == s.loop;
  return ExecutionsInside(program, loop) +
         (is_early ? program.loops[loop].executions * s.early_iterations : 0);
}

}  // namespace pruner

#endif  // PRUNER_PROGRAM_PROGRAM_H_
