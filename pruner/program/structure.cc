#include "pruner/program/structure.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <variant>

#include "pruner/base/status_macros.h"
#include "pruner/program/attachments.h"

namespace pruner {
namespace {

void AddRead(int reader, const IndexExpr& index, size_t first,
             std::vector<ReadGroup>& groups) {
  const auto known =
      std::find_if(groups.begin() + static_cast<std::ptrdiff_t>(first),
                   groups.end(), [&](const ReadGroup& group) {
                     return group.reader == reader &&
                            DifferInConstantsAlone(*group.index, index);
                   });
  if (known == groups.end()) {
    groups.push_back({.reader = reader,
                      .index = &index,
                      .least = index.constant,
                      .most = index.constant});
    return;
  }
  known->least = std::min(known->least, index.constant);
  known->most = std::max(known->most, index.constant);
}

void FindReads(const ComputeDag& dag, absl::Span<const StageStructure> stages,
               StageFacts& facts) {
  for (int i = 0; i < dag.size(); ++i) {
    for (int a = 0; a < stages[i].num_axes; ++a) {
      const size_t first = facts.reads.size();
      facts.first_read.push_back(static_cast<int>(first));
      if (a >= stages[i].rank) continue;
      for (const int reader : dag.consumers(i)) {
        for (const Access& access : dag.stage(reader).reads) {
          if (access.stage == i)
            AddRead(reader, access.indices[a], first, facts.reads);
        }
      }
    }
  }
  facts.first_read.push_back(static_cast<int>(facts.reads.size()));
}

// The loops and operations of one stage.
struct Nest {
  std::vector<int> loops;  // now, outermost first
  std::vector<LoopOp> ops;
};

// Visits the steps, of stages by their numbers in the end.
class Builder {
 public:
  Builder(const Schedule& schedule, const LoopState& state)
      : schedule_(schedule),
        state_(state),
        first_numbers_(FirstNumbers(schedule)),
        nests_(state.dag->size()) {
    out_.task = state.task;
    out_.dag = state.dag;
    for (int i = 0; i < state.dag->size(); ++i) AddStage(i);
  }

  void VisitSteps() {
    const std::vector<int> stages = FinalStages(schedule_);
    for (size_t i = 0; i < stages.size(); ++i) {
      stage_ = stages[i];
      step_ = static_cast<int>(i);
      std::visit(*this, schedule_.steps[i]);
    }
  }

  void operator()(const SplitStep& step) {
    const int first = static_cast<int>(out_.lengths.size());
    const int num_lengths = static_cast<int>(step.lengths.size());
    for (int k = 0; k < num_lengths; ++k) AddLength({{step_, k, k + 1}});
    Split(step.iterator, first, num_lengths, step.tail);
  }

  void operator()(const FollowSplitStep& step) {
    const int first = static_cast<int>(out_.lengths.size());
    const auto& source = std::get<SplitStep>(schedule_.steps[step.source_step]);
    for (int k = 0; k + 2 < step.levels; ++k)
      AddLength({{step.source_step, k, k + 1}});
    AddLength({{step.source_step, step.levels - 2,
                static_cast<int>(source.lengths.size())}});
    Split(step.iterator, first, step.levels - 1, step.tail);
  }

  void operator()(const FollowFusedSplitStep& step) {
    const int first = static_cast<int>(out_.lengths.size());
    std::vector<NumberRange> ranges;
    for (int64_t source : step.source_steps)
      ranges.push_back({source, step.level, step.level + 1});
    AddLength(ranges);
    Split(step.iterator, first, 1, step.tail);
  }

  void operator()(const FuseStep& step) {
    std::vector<int>& loops = nests_[stage_].loops;
    LoopValue fused = out_.loops[loops[step.iterator]];
    std::vector<int> shares;
    LoopOp op = {.kind = LoopOp::Kind::kFuse,
                 .source = static_cast<int>(out_.fused_loops.size()),
                 .result = static_cast<int>(out_.loops.size()),
                 .count = step.count};
    for (int i = 0; i < step.count; ++i) {
      const int loop = loops[step.iterator + i];
      const LoopValue& value = out_.loops[loop];
      out_.fused_loops.push_back(loop);
      for (int s = 0; s < value.num_shares; ++s)
        shares.push_back(out_.loop_shares[value.first_share + s]);
    }
    fused.first_share = static_cast<int>(out_.loop_shares.size());
    fused.num_shares = static_cast<int>(shares.size());
    out_.loop_shares.insert(out_.loop_shares.end(), shares.begin(),
                            shares.end());
    out_.loops.push_back(fused);
    const auto first = loops.begin() + step.iterator;
    loops.erase(first + 1, first + step.count);
    *first = op.result;
    nests_[stage_].ops.push_back(op);
  }

  void operator()(const ReorderStep& step) {
    std::vector<int>& loops = nests_[stage_].loops;
    std::vector<int> reordered;
    reordered.reserve(loops.size());
    for (int64_t old : step.order) reordered.push_back(loops[old]);
    loops = std::move(reordered);
  }

  void operator()(const AnnotateStep& step) {
    nests_[stage_].ops.push_back(
        {.kind = LoopOp::Kind::kAnnotate,
         .annotation = step.annotation,
         .source = nests_[stage_].loops[step.iterator]});
  }

  void operator()(const AutoUnrollStep&) {
    out_.stages[stage_].unroll_number = first_numbers_[step_];
  }

  void operator()(const StreamStep&) {
    out_.stages[stage_].stream_number = first_numbers_[step_];
  }

  // Which stages there are, where they are computed and kept is in the state.
  void operator()(const ComputeAtStep&) {}
  void operator()(const SlideStep&) {}
  void operator()(const ComputeInlineStep&) {}
  void operator()(const ComputeRootStep&) {}
  void operator()(const StoreInStep&) {}
  void operator()(const CacheWriteStep&) {}
  void operator()(const CacheReadStep&) {}
  void operator()(const RfactorStep&) {}
  void operator()(const StorageOrderStep&) {}

  Structure Finish() && {
    for (int i = 0; i < state_.dag->size(); ++i) {
      StageStructure& stage = out_.stages[i];
      stage.first_op = static_cast<int>(out_.ops.size());
      stage.num_ops = static_cast<int>(nests_[i].ops.size());
      out_.ops.insert(out_.ops.end(), nests_[i].ops.begin(),
                      nests_[i].ops.end());
      stage.first_order = static_cast<int>(out_.order.size());
      stage.num_order = static_cast<int>(nests_[i].loops.size());
      out_.order.insert(out_.order.end(), nests_[i].loops.begin(),
                        nests_[i].loops.end());
    }
    FindReads(*state_.dag, out_.stages, facts_);
    out_.facts = std::make_shared<const StageFacts>(std::move(facts_));
    return std::move(out_);
  }

 private:
  // Some lengths of a split.
  struct NumberRange {
    int64_t step;
    int begin, end;
  };

  void AddStage(int i) {
    const Stage& s = state_.dag->stage(i);
    const StageState& state = state_.stages[i];
    StageStructure& stage = out_.stages.emplace_back();
    stage.is_inlined = state.location == ComputeLocation::kInlined;
    stage.is_absent = s.kind == StageKind::kPlaceholder || stage.is_inlined;
    stage.is_guarded = s.IsInitialized();
    stage.num_axes = static_cast<int>(s.axes.size());
    stage.rank = s.SpatialRank();
    stage.first_axis = out_.num_axes;
    out_.num_axes += stage.num_axes;
    stage.first_loop = static_cast<int>(out_.loops.size());
    if (state.location == ComputeLocation::kAt) {
      stage.at_stage = state.at_stage;
      stage.at_position = state.at_iterator;
      stage.slides = state.slides;
    }
    stage.storage = state.storage;
    stage.streamed = state.streamed;
    facts_.storage_orders.push_back(state.storage_order);
    std::vector<OwnAccesses>& own = facts_.own.emplace_back();
    if (s.opaque) {
      for (const Definition& definition : s.definitions)
        own.push_back(OwnAccessesOf(definition, s.SpatialRank()));
    }
    for (int axis = 0; axis < stage.num_axes; ++axis) {
      nests_[i].loops.push_back(static_cast<int>(out_.loops.size()));
      AddLoop(s.axes[axis].kind == AxisKind::kReduction, axis);
    }
  }

  // A loop with a share of its own.
  void AddLoop(bool is_reduction, int axis) {
    out_.loops.push_back(
        {.is_reduction = is_reduction,
         .first_share = static_cast<int>(out_.loop_shares.size()),
         .num_shares = 1});
    out_.loop_shares.push_back(static_cast<int>(out_.share_axes.size()));
    out_.share_axes.push_back(axis);
  }

  // The product of numbers of earlier splits.
  void AddLength(const std::vector<NumberRange>& ranges) {
    LengthValue length = {.first_number =
                              static_cast<int>(out_.length_numbers.size())};
    for (const NumberRange& range : ranges) {
      for (int k = range.begin; k < range.end; ++k) {
        out_.length_numbers.push_back(first_numbers_[range.step] + k);
        ++length.num_numbers;
      }
    }
    out_.lengths.push_back(length);
  }

  void Split(int iterator, int first_length, int num_lengths, Tail tail) {
    std::vector<int>& loops = nests_[stage_].loops;
    const LoopOp op = {.kind = LoopOp::Kind::kSplit,
                       .tail = tail,
                       .source = loops[iterator],
                       .result = static_cast<int>(out_.loops.size()),
                       .count = num_lengths + 1,
                       .first_length = first_length};
    const LoopValue source = out_.loops[op.source];
    for (int k = 0; k < op.count; ++k) {
      if (source.num_shares == 1) {
        AddLoop(source.is_reduction,
                out_.share_axes[out_.loop_shares[source.first_share]]);
      } else {
        out_.loops.push_back(source);
      }
    }
    nests_[stage_].ops.push_back(op);
    // One that would be rounded up is left to a guard as well.
    out_.stages[stage_].is_guarded |= tail != Tail::kShiftInwards;
    loops[iterator] = op.result;
    for (int k = 1; k < op.count; ++k)
      loops.insert(loops.begin() + iterator + k, op.result + k);
  }

  const Schedule& schedule_;
  const LoopState& state_;
  const std::vector<int> first_numbers_;
  std::vector<Nest> nests_;  // by stage
  StageFacts facts_;
  Structure out_;
  int stage_ = 0;  // of the step that is visited
  int step_ = 0;
};

// The number of a step that is no split, if it has one.
std::optional<int64_t> OwnNumber(const TransformStep& step) {
  if (const auto* unroll = std::get_if<AutoUnrollStep>(&step))
    return unroll->max_step;
  if (const auto* stream = std::get_if<StreamStep>(&step))
    return stream->max_bytes;
  return std::nullopt;
}

}  // namespace

std::vector<int> FirstNumbers(const Schedule& schedule) {
  std::vector<int> first(schedule.steps.size(), -1);
  int number = 0;
  for (size_t i = 0; i < first.size(); ++i) {
    if (const auto* split = std::get_if<SplitStep>(&schedule.steps[i])) {
      first[i] = number;
      number += static_cast<int>(split->lengths.size());
    }
  }
  for (size_t i = 0; i < first.size(); ++i) {
    if (OwnNumber(schedule.steps[i])) first[i] = number++;
  }
  return first;
}

std::vector<int64_t> NumbersOf(const Schedule& schedule) {
  std::vector<int64_t> numbers;
  for (const TransformStep& step : schedule.steps) {
    if (const auto* split = std::get_if<SplitStep>(&step))
      numbers.insert(numbers.end(), split->lengths.begin(),
                     split->lengths.end());
  }
  for (const TransformStep& step : schedule.steps) {
    if (const std::optional<int64_t> number = OwnNumber(step))
      numbers.push_back(*number);
  }
  return numbers;
}

Structure MakeUnattached(const Schedule& schedule, const LoopState& state) {
  Builder builder(schedule, state);
  builder.VisitSteps();
  return std::move(builder).Finish();
}

std::shared_ptr<const std::vector<FoldedReads>> ReadsOf(
    const Structure& structure) {
  return std::make_shared<const std::vector<FoldedReads>>(
      FoldReads(*structure.dag,
                [&](int stage) { return structure.stages[stage].is_inlined; }));
}

absl::StatusOr<Structure> MakeStructure(const Schedule& schedule,
                                        const LoopState& state) {
  Structure structure = MakeUnattached(schedule, state);
  structure.reads = ReadsOf(structure);
  RETURN_IF_ERROR(AttachmentFinder().Find(structure));
  return structure;
}

}  // namespace pruner
