// The numbers of a structure's loops: how long they are, which steps beyond
// the end, whose extent the compiler does not know. One pass over the stages,
// readers first.
#ifndef PRUNER_PROGRAM_LOOP_VALUES_H_
#define PRUNER_PROGRAM_LOOP_VALUES_H_

#include <array>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "pruner/program/edge_tiles.h"
#include "pruner/program/program.h"
#include "pruner/program/structure.h"

namespace pruner {

struct LoopNumbers {
  int64_t extent = 1;
  // Of a fused loop's share: iterations of all shares together that one
  // iteration of it is.
  int64_t step = 1;
  int label = 0;
  Annotation annotation = Annotation::kNone;
  bool varies = false;
  bool overruns = false;
  bool shifts = false;  // the last of its iterations is moved inwards
  // Bound to blocks or threads: there even where its extent is 1.
  bool is_pinned = false;
  // What becomes of it, once that is decided (see StageMarks).
  LoopKind kind = LoopKind::kSerial;
  int64_t vector_length = 1;  // more than 1: it is a vector, or cut into such
  bool is_cut = false;        // into a loop over vectors and a vector
  int vectors_label = 0;
  int lanes_label = 0;
  bool IsBound() const {
    return annotation == Annotation::kBlock ||
           annotation == Annotation::kThread;
  }
  bool IsLive() const { return extent > 1 || is_pinned; }
};

// How a stage slides over the loop in which it is computed.
struct SlideNumbers {
  int dimension = -1;  // of the stage; -1: it does not
  // Of the dimension: what is kept, as the compiler does, which indexes it
  // modulo a power of two.
  int64_t kept = 0;
  // Iterations before the first one of the loop that compute what that needs.
  // Of what such stages read there are, too.
  int64_t early = 0;
};

class LoopValues;

// Decides what else becomes of the loops of a stage, once it is known how long
// they are: by the functions of LoopValues for that.
class LateSteps {
 public:
  virtual ~LateSteps() = default;
  // Of stages that are computed, readers first.
  virtual void Decide(int stage, LoopValues& values) = 0;
};

class LoopValues {
 public:
  // Finds all numbers; writes axis extents, labels and transforms of all stages
  // to `program`.
  void Compute(const Structure& structure, absl::Span<const int64_t> numbers,
               Program& program);
  // Takes late steps on the way, which become a part of the structure, as if a
  // schedule ended with them.
  void Compute(Structure& structure, absl::Span<const int64_t> numbers,
               LateSteps& late_steps, Program& program);

  // Late steps, of the stage that is decided about. Positions are those in the
  // order of its loops.
  // Cuts loops of `length` iterations off one in which nothing is computed.
  void CutOff(int position, int64_t length);
  // Makes the outermost loops one. Nothing is computed in them but in the last.
  void FuseOutermost(int count);
  void Annotate(int position, Annotation annotation);
  // Of a loop in which nothing is computed.
  void MoveInnermost(int position);

  // What was computed last.
  const Structure& structure() const { return *structure_; }
  const LoopNumbers& loop(int value) const { return loops_[value]; }
  LoopNumbers& loop(int value) { return loops_[value]; }
  const LoopShare& share(int number) const { return shares_[number]; }
  const SlideNumbers& slide(int stage) const { return slides_[stage]; }
  bool axis_varies(int axis) const { return varying_[axis]; }
  // By axis of the stage.
  absl::Span<const char> varies(int stage) const {
    const StageStructure& s = structure_->stages[stage];
    return absl::MakeConstSpan(varying_).subspan(s.first_axis, s.num_axes);
  }
  // The scheduling language can be told the extents of the stage's dimensions.
  bool CanBeBound(int stage) const;
  // The scheduling language is told extents that Halide would find otherwise,
  // or not find to be constant. At the root a stage is computed whole, as
  // splits and vectors rely on; of less of it the last ones would reach
  // outside. In a loop of another, what may be all of a dimension is, and what
  // is the same everywhere is a number.
  bool IsBoundWhole(int stage, int dimension) const;
  bool IsExtentBound(int stage, int dimension) const;

 private:
  // What is needed of a stage inside an attach point, by axis. The extents;
  // where it begins: at `begins`, from something on that is a multiple of
  // `alignments` (0: it is 0).
  struct Region {
    int64_t* begins = nullptr;
    int64_t* extents = nullptr;
    int64_t* alignments = nullptr;
    // All that was divided on the way to that something was divisible.
    char* is_divisible = nullptr;
  };

  void Begin(const Structure& structure, absl::Span<const int64_t> numbers,
             Program& program);
  void ComputeStages();
  void ComputeStage(int stage);
  // The order of the stage's loops can be changed from then on.
  void BeginLateSteps(int stage);
  // Of the structure, by place in the order of loops.
  std::array<std::vector<char>*, 3> PlaceFlags();
  void AddOp(const LoopOp& op);
  // The loops that hold others are at positions from `first` on; they move.
  void MoveChildren(int first, int by);
  // Of axes of a stage that is computed inside a loop, or inlined.
  void FindVarying(int stage);
  // Of axes over which the stage's loops step beyond the end.
  void FindRests(int stage);
  void Split(int stage, const LoopOp& op);
  void Fuse(int stage, const LoopOp& op);
  // Makes loops exist that are bound and have but one iteration.
  void PinBound(int stage);
  void Pin(int stage, LoopNumbers& loop);
  // What stages that are computed in the loop cover of their axes.
  void ComputeRegions(const AttachPoint& point);
  void ComputeRegion(const AttachPoint& point, const AttachMember& member);
  // Of the point's loop, by place in the order of loops.
  int PlaceOf(const AttachPoint& point) const {
    return structure_->stages[point.stage].first_order + point.position;
  }
  // Of a stage that is computed at the point, over whose loop some slide: takes
  // away from its region what the iteration before has computed, if it does.
  void Slide(const AttachPoint& point, int stage, Region& region);
  // Whether iterations of the point's loop are one after the other, and as far
  // from each other, within the parts of its axis that the loops outside are
  // over, and around those that the loops inside are over.
  bool CanBeSlidOver(const AttachPoint& point) const;
  // Whether there is no other loop over which the compiler would have the stage
  // slide: it does not see that a loop has a single iteration.
  bool SlidesOverNoOther(const AttachPoint& point, const StageStructure& stage,
                         const Region& region) const;
  const LoopShare& FirstShareOf(int loop) const {
    return shares_[structure_
                       ->loop_shares[structure_->loops[loop].first_share]];
  }
  // Those in which something is computed at the point that reads the stage.
  int64_t EarlyIterations(int stage) const;
  // Of an axis that is no reduction's. False: all of it is needed.
  bool ComputeRange(const AttachPoint& point, const AttachMember& member,
                    int axis);
  // Finds how much of each axis the stage's loops from `first` on, by their
  // order, step through. `oversteps`: which axes some loops step beyond the end
  // of; may be null.
  void CoverAxes(const StageStructure& stage, int first, char* oversteps);
  void CoverSplit(const LoopOp& op, char* oversteps);
  void CoverFused(const LoopOp& op);
  // Calls `see` with each share that moves the point's tiles, of loops of more
  // than one iteration, and with whether the loop's last tile is moved inwards.
  template <typename See>
  void ForMovingShares(const AttachPoint& point, See see) const;
  void FindSteps(const AttachPoint& point);
  // Finds of what each axis is a multiple where the loop's body begins.
  void AlignAxes(const AttachPoint& point);

  int AddLabel(LoopLabel label);
  // A pure one, not yet split.
  bool IsWholeAxis(int label) const;

  const Structure* structure_ = nullptr;
  Program* program_ = nullptr;
  // Where there are late steps: the structure, they, and the stage.
  Structure* changing_ = nullptr;
  LateSteps* late_steps_ = nullptr;
  int late_stage_ = 0;
  std::vector<LoopNumbers> loops_;  // by LoopValue
  std::vector<LoopShare> shares_;   // by share
  std::vector<int64_t> lengths_;    // by LengthValue
  std::vector<int64_t> covered_;    // by axis: inside an attach point
  std::vector<int64_t> covers_;     // by LoopValue, the same
  std::vector<TileStep> steps_;     // outside
  EdgeTiles edge_tiles_;
  bool has_edge_tiles_ = false;  // of this structure, and these numbers
  // By axis of a member.
  std::vector<int64_t> regions_, region_begins_, region_alignments_;
  std::vector<char> region_is_divisible_;
  // Of the attach point that is looked at: its stage's, and by member's stage.
  Region at_region_;
  std::vector<Region> member_region_;
  // Of what the first index along an axis is a multiple, wherever the stage is
  // computed: by axis; inside an attach point. 0: it is 0.
  std::vector<int64_t> alignments_, aligned_;
  std::vector<int64_t> zeros_;  // by axis
  std::vector<char> ones_;      // the same
  // By axis: the extent that is computed differs from place to place; so does
  // that of what a tile of the stage covers.
  std::vector<char> varying_, tiles_;
  std::vector<SlideNumbers> slides_;  // by stage
  // By stage, of the attach point that is looked at: SlideNumbers::early.
  std::vector<int64_t> early_;
};

}  // namespace pruner

#endif  // PRUNER_PROGRAM_LOOP_VALUES_H_
