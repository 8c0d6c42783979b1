#include "pruner/program/structure.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "pruner/base/status_macros.h"
#include "pruner/program/region_forms.h"

namespace pruner {
namespace {

// Where the numbers of a step begin; -1 for steps without any.
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
    if (std::holds_alternative<AutoUnrollStep>(schedule.steps[i]))
      first[i] = number++;
  }
  return first;
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
    out_.dag = state.dag;
    for (int i = 0; i < state.dag->size(); ++i) AddStage(i);
    out_.num_numbers = static_cast<int>(NumbersOf(schedule).size());
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

  // Which stages there are, where they are computed and kept is in the state.
  void operator()(const ComputeAtStep&) {}
  void operator()(const ComputeInlineStep&) {}
  void operator()(const ComputeRootStep&) {}
  void operator()(const StoreInStep&) {}
  void operator()(const CacheWriteStep&) {}
  void operator()(const CacheReadStep&) {}
  void operator()(const RfactorStep&) {}
  void operator()(const StorageOrderStep&) {}

  absl::StatusOr<Structure> Finish() && {
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
    FindChildren();
    FindReaders();
    FindShrinking();
    FindSparse();
    RETURN_IF_ERROR(FindPoints());
    out_.reads = FoldReads(state_);
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
    }
    stage.storage = state.storage;
    out_.storage_orders.push_back(state.storage_order);
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

  void FindChildren() {
    out_.is_occupied.assign(out_.order.size(), false);
    std::vector<std::vector<std::pair<int, int>>> children(
        out_.stages.size());  // by position, then stage
    for (size_t i = 0; i < out_.stages.size(); ++i) {
      const StageStructure& stage = out_.stages[i];
      if (stage.at_stage < 0) continue;
      children[stage.at_stage].emplace_back(stage.at_position,
                                            static_cast<int>(i));
      out_.is_occupied[out_.stages[stage.at_stage].first_order +
                       stage.at_position] = true;
    }
    for (size_t i = 0; i < out_.stages.size(); ++i) {
      std::sort(children[i].begin(), children[i].end());
      out_.stages[i].first_child = static_cast<int>(out_.children.size());
      out_.stages[i].num_children = static_cast<int>(children[i].size());
      for (const auto& [position, child] : children[i])
        out_.children.push_back(child);
    }
  }

  void FindReaders() {
    out_.read_by.resize(out_.stages.size());
    for (int reader = 0; reader < state_.dag->size(); ++reader) {
      for (const Access& access : state_.dag->stage(reader).reads)
        out_.read_by[access.stage].push_back({reader, &access});
    }
  }

  void FindShrinking() {
    out_.is_shrinking.assign(out_.num_axes, 0);
    for (int i = state_.dag->size() - 1; i >= 0; --i) {  // readers first
      const Stage& s = state_.dag->stage(i);
      const StageStructure& stage = out_.stages[i];
      char* const shrinking = out_.is_shrinking.data() + stage.first_axis;
      for (int d = 0; d < std::min(stage.rank, stage.num_axes); ++d) {
        shrinking[d] = !s.read_in_part.empty() && s.read_in_part[d];
        for (const ReadBy& read : out_.read_by[i])
          shrinking[d] |= ReadsShrinking(read, d);
      }
    }
  }

  bool ReadsShrinking(const ReadBy& read, int dimension) const {
    const StageStructure& reader = out_.stages[read.reader];
    const bool is_whole = reader.at_stage < 0 && !reader.is_inlined &&
                          !state_.dag->stage(read.reader).opaque;
    if (is_whole) return false;
    const std::vector<IndexTerm>& terms = read.access->indices[dimension].terms;
    return std::any_of(terms.begin(), terms.end(), [&](const IndexTerm& term) {
      return out_.is_shrinking[reader.first_axis + term.axis] != 0;
    });
  }

  void FindSparse() {
    out_.is_sparse.assign(out_.order.size(), false);
    for (const StageStructure& stage : out_.stages) {
      const auto first = out_.is_shrinking.begin() + stage.first_axis;
      if (std::count(first, first + stage.num_axes, 1) == 0) continue;
      const StageStructure* inside = &stage;
      while (inside->at_stage >= 0) {
        const StageStructure& at = out_.stages[inside->at_stage];
        out_.is_sparse[at.first_order + inside->at_position] = true;
        inside = &at;
      }
    }
  }

  // Of each loop in which stages are computed, what is inside.
  absl::Status FindPoints() {
    for (int i = 0; i < state_.dag->size(); ++i) {
      StageStructure& stage = out_.stages[i];
      stage.first_point = static_cast<int>(out_.points.size());
      for (int c = 0; c < stage.num_children; ++c) {
        const int position =
            out_.stages[out_.children[stage.first_child + c]].at_position;
        const bool is_known =
            stage.first_point < static_cast<int>(out_.points.size()) &&
            out_.points.back().position == position;
        if (is_known) continue;
        RETURN_IF_ERROR(AddPoint(i, position));
      }
      stage.num_points =
          static_cast<int>(out_.points.size()) - stage.first_point;
    }
    return absl::OkStatus();
  }

  bool ReadersAreInside(int stage, int at,
                        const std::vector<bool>& inside) const {
    const std::vector<int>& readers = state_.dag->consumers(stage);
    return !readers.empty() &&
           std::all_of(readers.begin(), readers.end(), [&](int reader) {
             return inside[reader] &&
                    (reader != at ||
                     !state_.dag->stage(at).InitializationReads(stage));
           });
  }

  // By stage: whether all of it is computed inside the loop.
  std::vector<bool> StagesInside(int at, int position) const {
    std::vector<bool> inside(out_.stages.size(), false);
    inside[at] = true;
    for (int i = at - 1; i >= 0; --i) {
      const StageStructure& stage = out_.stages[i];
      if (stage.is_inlined) {
        inside[i] = ReadersAreInside(i, at, inside);
      } else if (stage.at_stage == at) {
        inside[i] = stage.at_position >= position;
      } else if (stage.at_stage >= 0) {
        inside[i] = inside[stage.at_stage];
      }
    }
    return inside;
  }

  // Of the points of a stage, which come before those that it is in.
  bool HasEdgesInside(int stage) const {
    return std::any_of(out_.points.begin(), out_.points.end(),
                       [&](const AttachPoint& point) {
                         return point.stage == stage && point.has_edges;
                       });
  }

  absl::Status AddPoint(int at, int position) {
    const int size = state_.dag->size();
    std::vector<bool> needed(size, false);
    for (int i = at; i >= 0; --i) {
      const StageStructure& stage = out_.stages[i];
      if (stage.at_stage == at && stage.at_position == position)
        needed[i] = true;
    }
    // Producers before consumers: who is needed needs its readers.
    const std::vector<bool> inside = StagesInside(at, position);
    for (int i = 0; i < at; ++i) {
      if (!needed[i]) continue;
      if (!ReadersAreInside(i, at, inside)) {
        return absl::InvalidArgumentError(absl::StrCat(
            "stage '", state_.dag->stage(i).name,
            "' is computed inside a loop that does not hold all its readers"));
      }
      for (int reader : state_.dag->consumers(i)) needed[reader] = true;
    }
    AttachPoint point = {.stage = at,
                         .position = position,
                         .first_member = static_cast<int>(out_.members.size())};
    RegionForms forms(out_, at);
    for (int i = at - 1; i >= 0; --i) {
      if (!needed[i]) continue;
      const StageStructure& stage = out_.stages[i];
      forms.AddMember(i, out_.moves_together, out_.has_edges);
      const auto edges = out_.has_edges.end() - stage.num_axes;
      const bool is_here =
          stage.at_stage == at && stage.at_position == position;
      point.has_edges |=
          is_here &&
          (std::count(edges, out_.has_edges.end(), 1) > 0 || HasEdgesInside(i));
      out_.members.push_back(
          {.stage = i,
           .first_extent = out_.num_member_axes,
           .is_computed_here =
               stage.at_stage == at && stage.at_position == position});
      out_.num_member_axes += stage.num_axes;
      ++point.num_members;
    }
    out_.points.push_back(point);
    return absl::OkStatus();
  }

  const Schedule& schedule_;
  const LoopState& state_;
  const std::vector<int> first_numbers_;
  std::vector<Nest> nests_;  // by stage
  Structure out_;
  int stage_ = 0;  // of the step that is visited
  int step_ = 0;
};

}  // namespace

std::vector<int64_t> NumbersOf(const Schedule& schedule) {
  std::vector<int64_t> numbers;
  for (const TransformStep& step : schedule.steps) {
    if (const auto* split = std::get_if<SplitStep>(&step))
      numbers.insert(numbers.end(), split->lengths.begin(),
                     split->lengths.end());
  }
  for (const TransformStep& step : schedule.steps) {
    if (const auto* unroll = std::get_if<AutoUnrollStep>(&step))
      numbers.push_back(unroll->max_step);
  }
  return numbers;
}

absl::StatusOr<Structure> MakeStructure(const Schedule& schedule,
                                        const LoopState& state) {
  Builder builder(schedule, state);
  builder.VisitSteps();
  return std::move(builder).Finish();
}

}  // namespace pruner
