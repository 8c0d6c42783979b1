#include "pruner/program/written_loops.h"

#include <algorithm>
#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "pruner/base/factors.h"
#include "pruner/program/definition_loops.h"
#include "pruner/program/emit_accesses.h"
#include "pruner/program/vector_length.h"

namespace pruner {
namespace {

// Fewer iterations than this take less time than it takes to wake other cores.
constexpr int64_t kMinParallelIterations = 16384;
// Where a single loop is cut into a parallel and a vector one: chunks of it.
constexpr int64_t kParallelChunks = 16;
// Places in which the same element of data is stored at once.
constexpr int64_t kMostCopies = 4;

// Threads of a block, where there are blocks enough.
constexpr int64_t kThreadsOfBlock = 256;

// A loop of the definition, while its fate is decided.
struct WrittenLoop {
  int axis = 0;  // of the stage; then the definition's own
  int64_t extent = 1;
  int label = 0;
  LoopKind kind = LoopKind::kSerial;
  int64_t stride = 1;
  bool varies = false;
  bool is_independent = false;
  // Where axes were fused, the share of each: `stride` then counts iterations
  // of them together.
  absl::InlinedVector<LoopShare, 4> fused = {};
};

// Writes one definition.
class Writer {
 public:
  Writer(const Structure& structure, int stage, int number,
         absl::Span<const char> varies, Program& program)
      : stage_(structure.dag->stage(stage)),
        number_(stage),
        definition_(stage_.definitions[number]),
        scatters_(Scatters(definition_)),
        program_(program) {
    const int first = program.stages[stage].first_label;
    for (int axis = 0; axis < stage_.SpatialRank(); ++axis) {
      if (IteratesOver(definition_, axis)) {
        loops_.push_back({.axis = axis,
                          .extent = ExtentOf(axis),
                          .label = first + axis,
                          .varies = varies[axis] != 0,
                          .is_independent = definition_.independent[axis]});
      }
    }
    // The first of a domain's variables is the innermost.
    for (int r = static_cast<int>(definition_.extents.size()); r-- > 0;) {
      const int axis = stage_.SpatialRank() + r;
      loops_.push_back({.axis = axis,
                        .extent = definition_.extents[r],
                        .label = AddLabel({.stage = stage,
                                           .number = axis,
                                           .definition = number,
                                           .is_reduction = true})});
    }
  }

  // What is said of the loops goes into the program, behind what is there: how
  // they are split, their order, and what becomes of each.
  void Decide(const TargetSpec& target, bool at_root, Statement& statement) {
    if (at_root && target.HasThreads()) {
      MakeKernel(target);
    } else {
      DecideForCores(target, at_root);
    }
    statement.num_splits =
        static_cast<int>(program_.marks.size()) - statement.first_mark;
    if (is_reordered_) {
      for (size_t i = loops_.size(); i-- > 0;)
        program_.orders.push_back(loops_[i].label);
    }
    for (const WrittenLoop& loop : loops_) {
      if (loop.kind != LoopKind::kSerial) Mark(MarkOf(loop.kind), loop.label);
    }
    const bool is_said =
        is_reordered_ || std::ssize(program_.marks) > statement.first_mark;
    if (!is_said) Mark(LoopTransform::Kind::kLeave, -1);
  }

  // Adds the loops to the program, inside `parent`; returns the innermost.
  int Emit(int parent) const {
    for (const WrittenLoop& loop : loops_) {
      const bool is_of_kernel =
          loop.kind == LoopKind::kBlock || loop.kind == LoopKind::kThread;
      if (loop.extent == 1 && !is_of_kernel) continue;
      ProgramLoop out = {
          .parent = parent,
          .stage = number_,
          .kind = loop.kind,
          .is_reduction = loop.axis >= stage_.SpatialRank(),
          .varies = loop.varies,
          .extent = loop.extent,
          .first_share = static_cast<int>(program_.shares.size()),
          .label = loop.label};
      if (!loop.fused.empty()) {
        out.step = loop.stride;
        program_.shares.insert(program_.shares.end(), loop.fused.begin(),
                               loop.fused.end());
      } else if (loop.axis >= 0) {
        program_.shares.push_back(
            {.axis = loop.axis, .stride = loop.stride, .extent = loop.extent});
      }
      out.num_shares =
          static_cast<int>(program_.shares.size()) - out.first_share;
      parent = AddLoop(out, program_);
    }
    return parent;
  }

 private:
  // Of a spatial axis: what is computed of the stage, as far as the definition
  // covers it.
  int64_t ExtentOf(int axis) const {
    const ProgramStage& out = program_.stages[number_];
    const int64_t computed = program_.axis_extents[out.first_axis + axis];
    return definition_.covered.empty()
               ? computed
               : std::min(computed, definition_.covered[axis]);
  }

  void DecideForCores(const TargetSpec& target, bool at_root) {
    const int64_t lanes = Lanes(target);
    if (at_root) MakeParallel(lanes);
    if (lanes > 1) {
      const int vector = LastOf(stage_.SpatialRank() - 1);
      CutOff(vector, lanes, LoopLabel::Origin::kVectors,
             LoopLabel::Origin::kLanes);
      loops_[vector + 1].kind = LoopKind::kVectorized;
    }
    if (scatters_) {
      UnrollShortLoop();
    } else if (IsScan(definition_, stage_.SpatialRank())) {
      MoveInside(stage_.SpatialRank() - 1);
    }
  }

  // A thread for each element that depends on no other, neighbours beside each
  // other; a single one where there is none. All other loops are in it.
  void MakeKernel(const TargetSpec& target) {
    std::stable_partition(
        loops_.begin(), loops_.end(),
        [](const WrittenLoop& loop) { return loop.is_independent; });
    if (loops_.empty() || !loops_[0].is_independent) {
      AddSingleThread();
      return;
    }
    is_reordered_ = true;
    while (loops_.size() > 1 && loops_[1].is_independent) FuseOutermost();
    CutOff(0, ThreadsOfBlock(target), LoopLabel::Origin::kChunks,
           LoopLabel::Origin::kInChunk);
    loops_[0].kind = LoopKind::kBlock;
    loops_[1].kind = LoopKind::kThread;
  }

  // Blocks of at least a warp, of fewer threads where cores would have none.
  int64_t ThreadsOfBlock(const TargetSpec& target) const {
    int64_t threads =
        std::min(kThreadsOfBlock, target.limits.threads_per_block);
    while (threads > target.units.simd_lanes &&
           CeilDiv(loops_[0].extent, threads) < target.units.cores) {
      threads /= 2;
    }
    return threads;
  }

  // Halide has a place outside of all loops, of which more can be split off.
  void AddSingleThread() {
    const int outermost =
        AddLabel({.origin = LoopLabel::Origin::kOutermost, .stage = number_});
    const auto add = [&](LoopLabel::Origin origin, LoopKind kind) {
      WrittenLoop loop = {.axis = -1, .kind = kind};
      loop.label =
          AddLabel({.origin = origin, .stage = number_, .base = outermost});
      MarkSplit(outermost, outermost, loop.label, 1);
      loops_.insert(loops_.begin(), loop);
    };
    add(LoopLabel::Origin::kInChunk, LoopKind::kThread);
    add(LoopLabel::Origin::kChunks, LoopKind::kBlock);
  }

  // The two outermost loops into one.
  void FuseOutermost() {
    WrittenLoop& outer = loops_[0];
    const WrittenLoop inner = loops_[1];
    if (outer.fused.empty())
      outer.fused.push_back({.axis = outer.axis, .extent = outer.extent});
    outer.fused.push_back({.axis = inner.axis, .extent = inner.extent});
    const int fused = AddLabel({.origin = LoopLabel::Origin::kFused,
                                .stage = number_,
                                .base = outer.label,
                                .other = inner.label});
    program_.marks.push_back({.kind = LoopTransform::Kind::kFuse,
                              .a = inner.label,
                              .b = outer.label,
                              .c = fused});
    outer.label = fused;
    outer.extent *= inner.extent;
    outer.varies |= inner.varies;
    loops_.erase(loops_.begin() + 1);
  }

  static LoopTransform::Kind MarkOf(LoopKind kind) {
    switch (kind) {
      case LoopKind::kParallel:
        return LoopTransform::Kind::kParallel;
      case LoopKind::kUnrolled:
        return LoopTransform::Kind::kUnroll;
      case LoopKind::kBlock:
        return LoopTransform::Kind::kBlock;
      case LoopKind::kThread:
        return LoopTransform::Kind::kThread;
      default:
        return LoopTransform::Kind::kVectorize;
    }
  }

  void MakeParallel(int64_t lanes) {
    const int parallel = ParallelLoop();
    if (parallel < 0) return;
    if (loops_[parallel].axis == stage_.SpatialRank() - 1) {
      const int64_t chunk = CeilDiv(loops_[parallel].extent, kParallelChunks);
      CutOff(parallel, CeilDiv(chunk, lanes) * lanes,
             LoopLabel::Origin::kChunks, LoopLabel::Origin::kInChunk);
    }
    loops_[parallel].kind = LoopKind::kParallel;
    MoveOutside(parallel);
  }

  // Outside of the independent loops around it, so that cores are called once.
  void MoveOutside(int loop) {
    for (int i = loop - 1; i >= 0; --i) {
      if (!loops_[i].is_independent) continue;
      is_reordered_ |= loops_[i].extent > 1;
      std::swap(loops_[i], loops_[loop]);
      loop = i;
    }
  }

  // Along memory inside of all others: neighbours are in the same lines, and
  // the next line is the next one in memory.
  void MoveInside(int axis) {
    const auto stays = [&](const WrittenLoop& loop) {
      return loop.axis != axis || !loop.is_independent ||
             loop.kind == LoopKind::kParallel;
    };
    is_reordered_ |= !std::is_partitioned(loops_.begin(), loops_.end(), stays);
    std::stable_partition(loops_.begin(), loops_.end(), stays);
  }

  // An element of data that is stored in several places is looked at once.
  void UnrollShortLoop() {
    const auto* loop =
        std::find_if(loops_.begin(), loops_.end(), [](const WrittenLoop& l) {
          return l.is_independent && l.kind == LoopKind::kSerial &&
                 l.extent > 1 && l.extent <= kMostCopies;
        });
    if (loop == loops_.end()) return;
    const int axis = loop->axis;
    const int copies =
        CutOff(static_cast<int>(loop - loops_.begin()), loop->extent,
               LoopLabel::Origin::kVectors, LoopLabel::Origin::kLanes);
    loops_[copies].kind = LoopKind::kUnrolled;
    MoveInside(axis);
  }

  int LastOf(int axis) const {
    int last = -1;
    for (size_t i = 0; i < loops_.size(); ++i) {
      if (loops_[i].axis == axis) last = static_cast<int>(i);
    }
    return last;
  }

  int64_t Iterations() const {
    int64_t iterations = 1;
    for (const WrittenLoop& loop : loops_) iterations *= loop.extent;
    return iterations;
  }

  // The outermost independent loop that is long enough for all cores, or the
  // longest, to run in parallel; -1 if that does not pay.
  int ParallelLoop() const {
    if (Iterations() < kMinParallelIterations) return -1;
    int longest = -1;
    for (size_t i = 0; i < loops_.size(); ++i) {
      if (!loops_[i].is_independent || loops_[i].extent == 1) continue;
      const int loop = static_cast<int>(i);
      if (loops_[i].extent >= kParallelChunks) return loop;
      if (longest < 0 || loops_[i].extent > loops_[longest].extent)
        longest = loop;
    }
    return longest;
  }

  // Lanes along the innermost dimension; 1: no vectors. In vectors a predicate
  // keeps Halide from storing, and from loading vectors, but not from loading
  // scalars, whose bounds it takes the predicate for.
  int64_t Lanes(const TargetSpec& target) const {
    const int innermost = LastOf(stage_.SpatialRank() - 1);
    if (stage_.shape.empty() || innermost < 0 ||
        !loops_[innermost].is_independent || definition_.is_predicated ||
        scatters_) {
      return 1;
    }
    const int64_t longest =
        std::min(loops_[innermost].extent, VectorLanes(stage_, target));
    int64_t lanes = 1;
    while (lanes * 2 <= longest) lanes *= 2;
    return lanes;
  }

  // Splits loop `i`; the inner one, of `factor` iterations, comes behind it.
  int CutOff(int i, int64_t factor, LoopLabel::Origin outer,
             LoopLabel::Origin inner) {
    const int old = loops_[i].label;
    WrittenLoop inside = loops_[i];
    inside.extent = factor;
    inside.varies = false;
    loops_[i].stride *= factor;
    inside.label = AddLabel({.origin = inner, .stage = number_, .base = old});
    loops_[i].extent = CeilDiv(loops_[i].extent, factor);
    loops_[i].label =
        AddLabel({.origin = outer, .stage = number_, .base = old});
    MarkSplit(old, loops_[i].label, inside.label, factor);
    loops_.insert(loops_.begin() + i + 1, inside);
    return i + 1;
  }

  void MarkSplit(int old, int outer, int inner, int64_t factor) {
    program_.marks.push_back({.kind = LoopTransform::Kind::kSplit,
                              .a = old,
                              .b = outer,
                              .c = inner,
                              .factor = factor,
                              .tail = Tail::kGuard});
  }

  int AddLabel(LoopLabel label) {
    program_.labels.push_back(label);
    return static_cast<int>(program_.labels.size()) - 1;
  }

  void Mark(LoopTransform::Kind kind, int label) {
    program_.marks.push_back({.kind = kind, .a = label});
  }

  const Stage& stage_;
  const int number_;
  const Definition& definition_;
  const bool scatters_;
  Program& program_;
  absl::InlinedVector<WrittenLoop, 12> loops_;  // outermost first
  bool is_reordered_ = false;
};

void WriteExtern(const Structure& structure, int stage,
                 const TargetSpec& target, int parent, Program& program) {
  program.stages[stage].body = static_cast<int>(program.statements.size());
  AddStatement(structure, target, {.stage = stage, .loop = parent}, program);
}

}  // namespace

void WriteLoopsAsWritten(const Structure& structure, int stage,
                         const TargetSpec& target,
                         absl::Span<const char> varies, int parent,
                         Program& program) {
  const Stage& s = structure.dag->stage(stage);
  ProgramStage& out = program.stages[stage];
  if (!s.extern_function.empty() || s.definitions.empty()) {
    WriteExtern(structure, stage, target, parent, program);
    return;
  }
  for (size_t d = 0; d < s.definitions.size(); ++d) {
    const int number = static_cast<int>(d);
    Statement statement = {
        .stage = stage,
        .definition = number,
        .first_order = static_cast<int>(program.orders.size()),
        .first_mark = static_cast<int>(program.marks.size())};
    Writer writer(structure, stage, number, varies, program);
    writer.Decide(target, /*at_root=*/out.at_stage < 0, statement);
    statement.num_orders =
        static_cast<int>(program.orders.size()) - statement.first_order;
    statement.num_marks =
        static_cast<int>(program.marks.size()) - statement.first_mark;
    statement.loop = writer.Emit(parent);
    out.body = static_cast<int>(program.statements.size());
    AddStatement(structure, target, statement, program);
  }
}

}  // namespace pruner
