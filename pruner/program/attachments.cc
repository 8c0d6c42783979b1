#include "pruner/program/attachments.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "pruner/base/status_macros.h"

namespace pruner {

absl::Status AttachmentFinder::Find(Structure& structure) {
  structure_ = &structure;
  FindChildren();
  FindShrinking();
  FindSparse();
  return FindPoints();
}

void AttachmentFinder::FindChildren() {
  Structure& s = *structure_;
  s.is_occupied.assign(s.order.size(), 0);
  s.is_slid_over.assign(s.order.size(), 0);
  for (StageStructure& stage : s.stages) stage.num_children = 0;
  for (const StageStructure& stage : s.stages) {
    if (stage.at_stage < 0) continue;
    ++s.stages[stage.at_stage].num_children;
    s.is_occupied[s.stages[stage.at_stage].first_order + stage.at_position] = 1;
  }
  int count = 0;
  for (StageStructure& stage : s.stages) {
    stage.first_child = count;
    count += std::exchange(stage.num_children, 0);
  }
  s.children.resize(count);
  for (size_t i = 0; i < s.stages.size(); ++i) {
    const StageStructure& child = s.stages[i];
    if (child.at_stage < 0) continue;
    // By position, those of one by number.
    StageStructure& at = s.stages[child.at_stage];
    int place = at.first_child + at.num_children++;
    for (; place > at.first_child &&
           s.stages[s.children[place - 1]].at_position > child.at_position;
         --place) {
      s.children[place] = s.children[place - 1];
    }
    s.children[place] = static_cast<int>(i);
  }
}

void AttachmentFinder::FindShrinking() {
  Structure& s = *structure_;
  s.is_shrinking.assign(s.num_axes, 0);
  for (int i = s.dag->size() - 1; i >= 0; --i) {  // readers first
    const Stage& dag_stage = s.dag->stage(i);
    const StageStructure& stage = s.stages[i];
    char* const shrinking = s.is_shrinking.data() + stage.first_axis;
    for (int d = 0; d < std::min(stage.rank, stage.num_axes); ++d) {
      shrinking[d] =
          !dag_stage.read_in_part.empty() && dag_stage.read_in_part[d];
      for (const ReadGroup& read : s.facts->ReadsAlong(stage.first_axis + d)) {
        shrinking[d] |= ReadsShrinking(read) ||
                        (read.index->modulus != 0 && ReadsOneRemainder(read));
      }
    }
  }
}

bool AttachmentFinder::ReadsShrinking(const ReadGroup& read) const {
  const StageStructure& reader = structure_->stages[read.reader];
  const bool is_whole = reader.at_stage < 0 && !reader.is_inlined &&
                        !structure_->dag->stage(read.reader).opaque;
  if (is_whole) return false;
  const std::vector<IndexTerm>& terms = read.index->terms;
  return std::any_of(terms.begin(), terms.end(), [&](const IndexTerm& term) {
    return structure_->is_shrinking[reader.first_axis + term.axis] != 0;
  });
}

bool AttachmentFinder::ReadsOneRemainder(const ReadGroup& read) const {
  const Stage& reader = structure_->dag->stage(read.reader);
  const std::vector<IndexTerm>& terms = read.index->terms;
  return std::all_of(terms.begin(), terms.end(), [&](const IndexTerm& term) {
    return reader.axes[term.axis].extent == 1;
  });
}

void AttachmentFinder::FindSparse() {
  Structure& s = *structure_;
  s.is_sparse.assign(s.order.size(), 0);
  for (const StageStructure& stage : s.stages) {
    const auto first = s.is_shrinking.begin() + stage.first_axis;
    if (std::count(first, first + stage.num_axes, 1) == 0) continue;
    const StageStructure* inside = &stage;
    while (inside->at_stage >= 0) {
      const StageStructure& at = s.stages[inside->at_stage];
      s.is_sparse[at.first_order + inside->at_position] = 1;
      inside = &at;
    }
  }
}

absl::Status AttachmentFinder::FindPoints() {
  Structure& s = *structure_;
  s.points.clear();
  s.members.clear();
  s.moves_together.clear();
  s.has_edges.clear();
  s.num_member_axes = 0;
  for (size_t i = 0; i < s.stages.size(); ++i) {
    StageStructure& stage = s.stages[i];
    stage.first_point = static_cast<int>(s.points.size());
    for (int c = 0; c < stage.num_children; ++c) {
      const int position =
          s.stages[s.children[stage.first_child + c]].at_position;
      const bool is_known =
          stage.first_point < static_cast<int>(s.points.size()) &&
          s.points.back().position == position;
      if (is_known) continue;
      RETURN_IF_ERROR(AddPoint(static_cast<int>(i), position));
    }
    stage.num_points = static_cast<int>(s.points.size()) - stage.first_point;
  }
  return absl::OkStatus();
}

bool AttachmentFinder::ReadersAreInside(int stage, int at) const {
  const ComputeDag& dag = *structure_->dag;
  const std::vector<int>& readers = dag.consumers(stage);
  return !readers.empty() &&
         std::all_of(readers.begin(), readers.end(), [&](int reader) {
           return inside_[reader] != 0 &&
                  (reader != at || !dag.stage(at).InitializationReads(stage));
         });
}

void AttachmentFinder::FindInside(int at, int position) {
  inside_.assign(structure_->stages.size(), 0);
  inside_[at] = 1;
  for (int i = at - 1; i >= 0; --i) {
    const StageStructure& stage = structure_->stages[i];
    if (stage.is_inlined) {
      inside_[i] = ReadersAreInside(i, at);
    } else if (stage.at_stage == at) {
      inside_[i] = stage.at_position >= position;
    } else if (stage.at_stage >= 0) {
      inside_[i] = inside_[stage.at_stage];
    }
  }
}

bool AttachmentFinder::HasEdgesInside(int stage) const {
  const StageStructure& s = structure_->stages[stage];
  return std::any_of(structure_->points.begin() + s.first_point,
                     structure_->points.begin() + s.first_point + s.num_points,
                     [](const AttachPoint& point) { return point.has_edges; });
}

absl::Status AttachmentFinder::AddPoint(int at, int position) {
  Structure& s = *structure_;
  const auto is_computed_here = [&](int i) {
    return s.stages[i].at_stage == at && s.stages[i].at_position == position;
  };
  needed_.assign(s.stages.size(), 0);
  for (int i = 0; i <= at; ++i) needed_[i] = is_computed_here(i);
  // Producers before consumers: who is needed needs its readers.
  FindInside(at, position);
  for (int i = 0; i < at; ++i) {
    if (!needed_[i]) continue;
    if (!ReadersAreInside(i, at)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "stage '", s.dag->stage(i).name,
          "' is computed inside a loop that does not hold all its readers"));
    }
    for (int reader : s.dag->consumers(i)) needed_[reader] = 1;
  }
  AttachPoint point = {.stage = at,
                       .position = position,
                       .first_member = static_cast<int>(s.members.size())};
  forms_.Begin(s, at);
  for (int i = at - 1; i >= 0; --i) {
    if (!needed_[i]) continue;
    const bool has_edges = forms_.AddMember(i, s);
    point.has_edges |= is_computed_here(i) && (has_edges || HasEdgesInside(i));
    s.members.push_back({.stage = i,
                         .first_extent = s.num_member_axes,
                         .is_computed_here = is_computed_here(i)});
    s.num_member_axes += s.stages[i].num_axes;
    ++point.num_members;
  }
  s.points.push_back(point);
  FindSlides(point);
  return absl::OkStatus();
}

void AttachmentFinder::FindSlides(const AttachPoint& point) {
  Structure& s = *structure_;
  const int place = s.stages[point.stage].first_order + point.position;
  const LoopValue& loop = s.loops[s.order[place]];
  for (int m = 0; m < point.num_members; ++m) {
    const AttachMember& member = s.members[point.first_member + m];
    StageStructure& stage = s.stages[member.stage];
    if (!member.is_computed_here) continue;
    stage.slide = {};
    const bool can_slide =
        stage.slides && !point.has_edges && loop.num_shares == 1 &&
        !loop.is_reduction &&
        MaySlideOver(s.dag->stage(member.stage), s.dag->stage(point.stage),
                     s.stages[point.stage].at_stage < 0);
    if (!can_slide) continue;
    const int share = s.loop_shares[loop.first_share];
    stage.slide =
        forms_.SlideOf(s, member.stage, point.stage, s.share_axes[share]);
    if (stage.slide.dimension >= 0) s.is_slid_over[place] = 1;
  }
}

}  // namespace pruner
