// The instructions of a schedule, as plain data (Ansor's "genes",
// docs/algorithms.md A1). Each names a stage by its index and a loop by its
// position in that stage's current nest, outermost first. Exactly four readers
// know every kind: replay (replay.cc), text (schedule_text.cc), proto
// (schedule_proto.cc) and halide_ext/lower.
#ifndef PRUNER_SCHEDULE_TRANSFORM_STEP_H_
#define PRUNER_SCHEDULE_TRANSFORM_STEP_H_

#include <cstdint>
#include <variant>
#include <vector>

#include "pruner/dag/derived_dag.h"

namespace pruner {

// Numbers are written into record logs: append, never change.
enum class Annotation {
  kNone = 0,
  kParallel = 1,
  kVectorize = 2,
  kUnroll = 3,
  kBlock = 4,    // blocks of a GPU's grid
  kVThread = 5,  // strided copies of a tile inside one thread
  kThread = 6,   // threads of a block
};

// Where a stage's values are kept.
enum class Storage {
  kDefault = 0,   // as the code generator decides
  kRegister = 1,  // private to a thread
  kShared = 2,    // of the threads of a block
  kStack = 3,
  kHeap = 4,
};

// What happens where a split's inner extents do not divide the loop's extent.
// The outermost of the resulting loops alone is affected; the inner ones are
// always whole.
enum class Tail {
  kGuard = 0,         // skip what lies outside
  kRoundUp = 1,       // compute more than was asked for
  kShiftInwards = 2,  // let the last tile overlap the one before it
};

// Every step lists its fields once, by VisitFields, for the readers that treat
// all kinds alike: visitor(name, field) is called for each, in order.

// Splits a loop into lengths.size() + 1 loops. `lengths` are the extents of all
// but the outermost, outermost first; 0 is a hole for the sampler to fill.
struct SplitStep {
  static constexpr char kName[] = "split";
  int stage = 0;
  int iterator = 0;
  std::vector<int64_t> lengths;
  Tail tail = Tail::kGuard;

  bool operator==(const SplitStep&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("stage", self.stage);
    visitor("iterator", self.iterator);
    visitor("lengths", self.lengths);
    visitor("tail", self.tail);
  }
};

// Splits a loop like the first `levels` - 1 lengths of an earlier SplitStep,
// the rest of them multiplied into the innermost.
struct FollowSplitStep {
  static constexpr char kName[] = "follow_split";
  int stage = 0;
  int iterator = 0;
  int source_step = 0;
  int levels = 0;
  Tail tail = Tail::kGuard;

  bool operator==(const FollowSplitStep&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("stage", self.stage);
    visitor("iterator", self.iterator);
    visitor("source_step", self.source_step);
    visitor("levels", self.levels);
    visitor("tail", self.tail);
  }
};

// Fuses `count` loops that stand next to each other, starting at `iterator`.
struct FuseStep {
  static constexpr char kName[] = "fuse";
  int stage = 0;
  int iterator = 0;
  int count = 0;

  bool operator==(const FuseStep&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("stage", self.stage);
    visitor("iterator", self.iterator);
    visitor("count", self.count);
  }
};

// order[i] is the old position of the loop that comes to position i.
struct ReorderStep {
  static constexpr char kName[] = "reorder";
  int stage = 0;
  std::vector<int64_t> order;

  bool operator==(const ReorderStep&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("stage", self.stage);
    visitor("order", self.order);
  }
};

struct AnnotateStep {
  static constexpr char kName[] = "annotate";
  int stage = 0;
  int iterator = 0;
  Annotation annotation = Annotation::kNone;

  bool operator==(const AnnotateStep&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("stage", self.stage);
    visitor("iterator", self.iterator);
    visitor("annotation", self.annotation);
  }
};

// Serial loops around at most `max_step` statements are unrolled (A5.4).
struct AutoUnrollStep {
  static constexpr char kName[] = "auto_unroll";
  int stage = 0;
  int64_t max_step = 0;

  bool operator==(const AutoUnrollStep&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("stage", self.stage);
    visitor("max_step", self.max_step);
  }
};

// Computes the stage anew in each iteration of a loop of another stage.
struct ComputeAtStep {
  static constexpr char kName[] = "compute_at";
  int stage = 0;
  int target_stage = 0;
  int target_iterator = 0;

  bool operator==(const ComputeAtStep&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("stage", self.stage);
    visitor("target_stage", self.target_stage);
    visitor("target_iterator", self.target_iterator);
  }
};

// A sliding window: of a stage that is computed in another's loop, the values
// are kept from one iteration of that loop to the next, and only what the
// iterations before have not computed is computed. Without effect where
// iterations have nothing in common, and where it is not known what they have
// (see StageStructure::slides).
struct SlideStep {
  static constexpr char kName[] = "slide";
  int stage = 0;

  bool operator==(const SlideStep&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("stage", self.stage);
  }
};

// Computes the stage where it is read, as part of its readers' expressions.
struct ComputeInlineStep {
  static constexpr char kName[] = "compute_inline";
  int stage = 0;

  bool operator==(const ComputeInlineStep&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("stage", self.stage);
  }
};

// Computes the stage once, before its readers.
struct ComputeRootStep {
  static constexpr char kName[] = "compute_root";
  int stage = 0;

  bool operator==(const ComputeRootStep&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("stage", self.stage);
  }
};

// Splits a loop in two: the inner one has as many iterations as level `level`
// (0: the first length) of the SplitSteps `source_steps` have together, such as
// the threads of a block (A1).
struct FollowFusedSplitStep {
  static constexpr char kName[] = "follow_fused_split";
  int stage = 0;
  int iterator = 0;
  std::vector<int64_t> source_steps;
  int level = 0;
  Tail tail = Tail::kGuard;

  bool operator==(const FollowFusedSplitStep&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("stage", self.stage);
    visitor("iterator", self.iterator);
    visitor("source_steps", self.source_steps);
    visitor("level", self.level);
    visitor("tail", self.tail);
  }
};

// Where the stage's values are kept.
struct StoreInStep {
  static constexpr char kName[] = "store_in";
  int stage = 0;
  Storage storage = Storage::kDefault;

  bool operator==(const StoreInStep&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("stage", self.stage);
    visitor("storage", self.storage);
  }
};

// Keeps the stage's values in another order than that of its dimensions:
// `order` are all of them, the slowest varying first, as a copy that is packed
// for the loops that read it (A6). Not for outputs, whose layout is the
// caller's.
struct StorageOrderStep {
  static constexpr char kName[] = "storage_order";
  int stage = 0;
  std::vector<int64_t> order;

  bool operator==(const StorageOrderStep&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("stage", self.stage);
    visitor("order", self.order);
  }
};

// While one iteration of a loop runs, prefetches what the next one reads of the
// input `source`, a little in each iteration of the loops inside: the outermost
// loop of which an iteration reads at most `max_bytes`, of those that are
// serial or parallel and move what is read. 0, or no such loop: nothing is
// prefetched. Does not change what is computed.
struct StreamStep {
  static constexpr char kName[] = "stream";
  int stage = 0;
  int source = 0;  // an input that the stage itself reads
  int64_t max_bytes = 0;

  bool operator==(const StreamStep&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("stage", self.stage);
    visitor("source", self.source);
    visitor("max_bytes", self.max_bytes);
  }
};

// The three steps that follow insert a stage into the DAG; stages behind it
// have numbers one higher in the steps after it. They come before any other
// step of their stage.

// Computes the stage into one of its own, "<name>.local" at its number, and
// copies that to where its readers look, at the next. Not for outputs, whose
// storage is the caller's.
struct CacheWriteStep {
  static constexpr char kName[] = "cache_write";
  int stage = 0;

  bool operator==(const CacheWriteStep&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("stage", self.stage);
  }
};

// Copies what `readers` (stages, ascending) read of the stage, which may be an
// input, to a stage "<name>.shared" behind it.
struct CacheReadStep {
  static constexpr char kName[] = "cache_read";
  int stage = 0;
  std::vector<int64_t> readers;

  bool operator==(const CacheReadStep&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("stage", self.stage);
    visitor("readers", self.readers);
  }
};

// Splits reduction axis `axis` by `factor` (which divides it; 0 is a hole) and
// computes, in a stage "<name>.rf" at its number, a partial result for each
// value of one of the parts: of the outer part as its outermost axis, or of the
// inner part as its innermost spatial one. The stage itself, at the next
// number, is left to reduce these.
struct RfactorStep {
  static constexpr char kName[] = "rfactor";
  int stage = 0;
  int axis = 0;
  int64_t factor = 0;
  RfactorPart part = RfactorPart::kOuter;

  bool operator==(const RfactorStep&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("stage", self.stage);
    visitor("axis", self.axis);
    visitor("factor", self.factor);
    visitor("part", self.part);
  }
};

using TransformStep =
    std::variant<SplitStep, FollowSplitStep, FuseStep, ReorderStep,
                 AnnotateStep, AutoUnrollStep, ComputeAtStep, ComputeInlineStep,
                 ComputeRootStep, FollowFusedSplitStep, StoreInStep,
                 CacheWriteStep, CacheReadStep, RfactorStep, StorageOrderStep,
                 StreamStep, SlideStep>;

// A candidate: how one task is computed. The only thing that is searched,
// stored and sent to workers. With holes in its splits it is a sketch.
struct Schedule {
  std::vector<TransformStep> steps;

  bool operator==(const Schedule&) const = default;
};

// The stage that a step transforms, as it is numbered when the step is applied.
inline int StageOf(const TransformStep& step) {
  return std::visit([](const auto& s) { return s.stage; }, step);
}

// The number at which a step inserts a stage: stages from there on move up by
// one. -1 for the many that insert none.
int InsertedStage(const TransformStep& step);

// For each step the number that its stage has in the end.
std::vector<int> FinalStages(const Schedule& schedule);

// The extents of a FollowSplitStep's inner loops, given its source's; 0 where
// unknown.
std::vector<int64_t> FollowedLengths(const std::vector<int64_t>& source,
                                     int levels);

}  // namespace pruner

#endif  // PRUNER_SCHEDULE_TRANSFORM_STEP_H_
