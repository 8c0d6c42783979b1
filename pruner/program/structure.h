// What all schedules have in common that differ in numbers only (lengths of
// splits, limits of unrolling): the structure of a program. Found once;
// resolver.h fills in the numbers.
#ifndef PRUNER_PROGRAM_STRUCTURE_H_
#define PRUNER_PROGRAM_STRUCTURE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/dag/compute_dag.h"
#include "pruner/program/folded_reads.h"
#include "pruner/program/own_accesses.h"
#include "pruner/schedule/loop_state.h"
#include "pruner/schedule/slide_form.h"
#include "pruner/schedule/transform_step.h"

namespace pruner {

// The numbers of a schedule: the lengths of its SplitSteps, then the max_step
// of its AutoUnrollSteps and the max_bytes of its StreamSteps, in the order of
// the steps.
std::vector<int64_t> NumbersOf(const Schedule& schedule);
// Where the numbers of each step begin; -1 for steps without any.
std::vector<int> FirstNumbers(const Schedule& schedule);

// A stage's loops at some point of its transformation. Every split and fusion
// makes new ones; each has one number for good.
struct LoopValue {
  bool is_reduction = false;
  // Structure::loop_shares: shares that the loop has in axes. A share belongs
  // to the loop that it was made for; fused loops refer to those of others.
  int first_share = 0;
  int num_shares = 0;
};

struct LoopOp {
  enum class Kind : uint8_t { kSplit, kFuse, kAnnotate };
  Kind kind = Kind::kSplit;
  Tail tail = Tail::kGuard;
  Annotation annotation = Annotation::kNone;
  // kSplit, kAnnotate: the loop. kFuse: Structure::fused_loops, from here on.
  int source = 0;
  int result = 0;  // kSplit: the outermost; the others follow
  // kSplit: the loops that result. kFuse: those that are fused.
  int count = 0;
  // kSplit: Structure::lengths, one for each loop but the outermost.
  int first_length = 0;
};

// A length: the product of some numbers of the schedule.
struct LengthValue {
  int first_number = 0;  // Structure::length_numbers
  int num_numbers = 0;
};

struct StageStructure {
  bool is_absent = false;  // an input, or inlined
  bool is_inlined = false;
  bool is_guarded = false;  // a split of it leaves a rest to a guard
  int num_axes = 0;
  int rank = 0;
  int first_axis = 0;  // in arrays that have the axes of all stages
  int first_loop = 0;  // LoopValues of its axes
  int first_op = 0, num_ops = 0;
  int first_order = 0, num_order = 0;  // Structure::order
  int unroll_number = -1;              // of the schedule's; -1: no unrolling
  int streamed = -1;                   // an input; -1: none
  int stream_number = -1;              // of the schedule's: how far ahead
  int at_stage = -1;                   // -1: the root
  int at_position = -1;                // in the order of that stage's loops
  // It is to be a sliding window over that loop. Possible where one of its
  // dimensions moves on with the loop, and no other moves at all; and where the
  // loop is serial, of a pure stage at the root, and each iteration as far from
  // the one before.
  bool slides = false;
  SlideForm slide = {};  // no dimension: it does not slide after all
  int first_child = 0, num_children = 0;  // Structure::children
  int first_point = 0, num_points = 0;    // Structure::points
  Storage storage = Storage::kDefault;
};

// A loop in which others are computed, and the stages whose regions are needed
// there: readers before what they read.
struct AttachPoint {
  int stage = 0;
  int position = 0;
  int first_member = 0, num_members = 0;  // Structure::members
  // The region of some member may be cut off somewhere, or that of one inside
  // of a member.
  bool has_edges = false;
};

struct AttachMember {
  int stage = 0;
  int first_extent = 0;  // in arrays that have the axes of all members
  bool is_computed_here = false;
};

// Whether all that is read along an axis moves with the same loops of the
// attach point's stage, so that how far apart it is does not change: where one
// is read at half the rate of another, say, if it begins at even numbers.
enum class MovesTogether : uint8_t { kNever, kIfDivisible, kAlways };

// Reads of a stage along one of its dimensions, by one reader: their indices
// differ in the constant alone.
struct ReadGroup {
  int reader = 0;
  const IndexExpr* index = nullptr;  // of one of them; the DAG's
  int64_t least = 0, most = 0;       // of the constants
};

// What holds of a structure's stages wherever they are computed.
struct StageFacts {
  std::vector<std::vector<int64_t>> storage_orders;  // by stage; empty: as is
  // By stage, by definition: of those that are computed as written.
  std::vector<std::vector<OwnAccesses>> own;
  std::vector<ReadGroup> reads;
  std::vector<int> first_read;  // by axis of all stages; then the end

  // By axis of all stages; of a reduction's there are none.
  absl::Span<const ReadGroup> ReadsAlong(int axis) const {
    return absl::MakeConstSpan(reads).subspan(
        first_read[axis], first_read[axis + 1] - first_read[axis]);
  }
};

struct Structure {
  const ComputeDag* task = nullptr;  // its DAG
  // The schedule's: with the stages that it inserts.
  const ComputeDag* dag = nullptr;
  std::shared_ptr<const StageFacts> facts;
  // By stage. It depends on which stages are inlined.
  std::shared_ptr<const std::vector<FoldedReads>> reads;
  std::vector<StageStructure> stages;
  std::vector<LoopValue> loops;
  std::vector<int> loop_shares;  // numbers of shares
  std::vector<int> share_axes;   // by share
  std::vector<LoopOp> ops;
  std::vector<int> fused_loops;
  std::vector<LengthValue> lengths;
  std::vector<int> length_numbers;
  std::vector<int> order;         // LoopValues, outermost first
  std::vector<char> is_occupied;  // by place in `order`: a stage is in it
  // By place: it has to stay serial, for a stage slides over it.
  std::vector<char> is_slid_over;
  // By place: of a stage in it the compiler may find that some is not needed.
  std::vector<char> is_sparse;
  std::vector<int> children;        // stages, by position and number
  std::vector<AttachPoint> points;  // by stage
  std::vector<AttachMember> members;
  std::vector<MovesTogether> moves_together;  // by axis of a member
  // By axis of a member: the region is cut off at the ends of dimensions, or
  // begins between multiples of something.
  std::vector<char> has_edges;
  // By axis: the compiler may find that less of the stage is needed where it is
  // computed than its readers seem to read. So it is of Stage::read_in_part,
  // and of what is read for these where they are not computed whole.
  std::vector<char> is_shrinking;
  int num_axes = 0;
  int num_member_axes = 0;
};

// The loops of every stage, and not yet what follows from where stages are
// computed (attachments.h), nor what they read. Otherwise as MakeStructure.
Structure MakeUnattached(const Schedule& schedule, const LoopState& state);

// What all stages read, given which are inlined.
std::shared_ptr<const std::vector<FoldedReads>> ReadsOf(
    const Structure& structure);

// `state` is what the steps of `schedule` make of the DAG (ReplayStructure);
// the DAG must outlive the result. Error: a stage is computed where not all of
// its readers are.
absl::StatusOr<Structure> MakeStructure(const Schedule& schedule,
                                        const LoopState& state);

}  // namespace pruner

#endif  // PRUNER_PROGRAM_STRUCTURE_H_
