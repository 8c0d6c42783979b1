#include "pruner/program/written_loops.h"

#include <algorithm>
#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "pruner/base/factors.h"
#include "pruner/program/emit_accesses.h"
#include "pruner/program/vector_length.h"

namespace pruner {
namespace {

// Fewer iterations than this take less time than it takes to wake other cores.
constexpr int64_t kMinParallelIterations = 16384;
// Where a single loop is cut into a parallel and a vector one: chunks of it.
constexpr int64_t kParallelChunks = 16;

// A loop of the definition, while its fate is decided.
struct WrittenLoop {
  int axis = 0;  // of the stage; then the definition's own
  int64_t extent = 1;
  int label = 0;
  LoopKind kind = LoopKind::kSerial;
  int64_t stride = 1;
  bool is_independent = false;
};

// Writes one definition.
class Writer {
 public:
  Writer(const Structure& structure, int stage, const Definition& definition,
         Program& program)
      : stage_(structure.dag->stage(stage)),
        number_(stage),
        definition_(definition),
        program_(program) {
    const int first = program.stages[stage].first_label;
    for (int axis = 0; axis < stage_.SpatialRank(); ++axis) {
      if (IsLoop(axis)) {
        loops_.push_back({.axis = axis,
                          .extent = definition.covered.empty()
                                        ? stage_.shape[axis]
                                        : definition.covered[axis],
                          .label = first + axis,
                          .is_independent = definition.independent[axis]});
      }
    }
    // The first of a domain's variables is the innermost.
    for (int r = static_cast<int>(definition.extents.size()); r-- > 0;) {
      const int axis = stage_.SpatialRank() + r;
      loops_.push_back(
          {.axis = axis,
           .extent = definition.extents[r],
           .label = AddLabel(
               {.stage = stage, .number = axis, .is_reduction = true})});
    }
  }

  void Decide(const TargetSpec& target, bool at_root) {
    const int64_t lanes = Lanes(target);
    const int parallel = at_root ? ParallelLoop() : -1;
    const int innermost = IndexOf(stage_.SpatialRank() - 1);
    int vector = innermost;
    if (parallel >= 0 && parallel == innermost) {
      const int64_t chunk = CeilDiv(loops_[innermost].extent, kParallelChunks);
      vector = CutOff(innermost, CeilDiv(chunk, lanes) * lanes,
                      LoopLabel::Origin::kChunks, LoopLabel::Origin::kInChunk);
      loops_[vector - 1].kind = LoopKind::kParallel;
      Mark(LoopTransform::Kind::kParallel, loops_[vector - 1].label);
    } else if (parallel >= 0) {
      MoveOutside(parallel);
      vector = IndexOf(stage_.SpatialRank() - 1);
    }
    if (lanes > 1) {
      const int lane_loop = CutOff(vector, lanes, LoopLabel::Origin::kVectors,
                                   LoopLabel::Origin::kLanes);
      loops_[lane_loop].kind = LoopKind::kVectorized;
      Mark(LoopTransform::Kind::kVectorize, loops_[lane_loop].label);
    }
    if (lanes == 1 && parallel < 0) Mark(LoopTransform::Kind::kLeave, -1);
  }

  // Adds the loops to the program, inside `parent`; returns the innermost.
  int Emit(int parent) const {
    for (const WrittenLoop& loop : loops_) {
      if (loop.extent == 1) continue;
      ProgramLoop out = {
          .parent = parent,
          .stage = number_,
          .kind = loop.kind,
          .is_reduction = loop.axis >= stage_.SpatialRank(),
          .extent = loop.extent,
          .first_share = static_cast<int>(program_.shares.size()),
          .num_shares = 1,
          .label = loop.label};
      program_.shares.push_back(
          {.axis = loop.axis, .stride = loop.stride, .extent = loop.extent});
      parent = AddLoop(out, program_);
    }
    return parent;
  }

 private:
  // Whether the definition iterates over the spatial axis.
  bool IsLoop(int axis) const {
    if (definition_.indices.empty()) return true;
    return std::any_of(definition_.indices.begin(), definition_.indices.end(),
                       [&](int op) {
                         return definition_.ops[op].kind == OpKind::kAxis &&
                                definition_.ops[op].value == axis;
                       });
  }

  // Makes the loop parallel, outside of the independent ones around it, so that
  // cores are called once.
  void MoveOutside(int parallel) {
    int place = parallel;
    for (int i = parallel - 1; i >= 0; --i) {
      if (!loops_[i].is_independent || loops_[i].extent == 1) continue;
      std::swap(loops_[i], loops_[place]);
      place = i;
    }
    for (int i = parallel; i >= place && place != parallel; --i) {
      const bool is_listed =
          i == place || (loops_[i].is_independent && loops_[i].extent > 1);
      if (is_listed) program_.orders.push_back(loops_[i].label);
    }
    loops_[place].kind = LoopKind::kParallel;
    Mark(LoopTransform::Kind::kParallel, loops_[place].label);
  }

  int IndexOf(int axis) const {
    for (size_t i = 0; i < loops_.size(); ++i) {
      if (loops_[i].axis == axis) return static_cast<int>(i);
    }
    return -1;
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
    const int innermost = IndexOf(stage_.SpatialRank() - 1);
    if (stage_.shape.empty() || innermost < 0 ||
        !loops_[innermost].is_independent || definition_.is_predicated) {
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
    loops_[i].stride *= factor;
    inside.label = AddLabel({.origin = inner, .stage = number_, .base = old});
    loops_[i].extent = CeilDiv(loops_[i].extent, factor);
    loops_[i].label =
        AddLabel({.origin = outer, .stage = number_, .base = old});
    program_.marks.push_back({.kind = LoopTransform::Kind::kSplit,
                              .a = old,
                              .b = loops_[i].label,
                              .c = inside.label,
                              .factor = factor,
                              .tail = Tail::kGuard});
    loops_.insert(loops_.begin() + i + 1, inside);
    return i + 1;
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
  Program& program_;
  absl::InlinedVector<WrittenLoop, 12> loops_;  // outermost first
};

void WriteExtern(const Structure& structure, int stage,
                 const TargetSpec& target, int parent, Program& program) {
  program.stages[stage].body = static_cast<int>(program.statements.size());
  AddStatement(structure, target, {.stage = stage, .loop = parent}, program);
}

}  // namespace

void WriteLoopsAsWritten(const Structure& structure, int stage,
                         const TargetSpec& target, int parent,
                         Program& program) {
  const Stage& s = structure.dag->stage(stage);
  ProgramStage& out = program.stages[stage];
  if (!s.extern_function.empty() || s.definitions.empty()) {
    WriteExtern(structure, stage, target, parent, program);
    return;
  }
  for (size_t d = 0; d < s.definitions.size(); ++d) {
    Statement statement = {
        .stage = stage,
        .definition = static_cast<int>(d),
        .first_order = static_cast<int>(program.orders.size()),
        .first_mark = static_cast<int>(program.marks.size())};
    Writer writer(structure, stage, s.definitions[d], program);
    writer.Decide(target, /*at_root=*/out.at_stage < 0);
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
