#include "pruner/schedule/infer_bounds.h"

#include <algorithm>
#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "pruner/base/factors.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

int64_t FloorDiv(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }
int64_t FloorMod(int64_t a, int64_t b) { return a - FloorDiv(a, b) * b; }

// Whether `stage` is computed inside loop `iterator` of `at`.
bool IsInside(const LoopState& state, int stage, int at, int iterator) {
  const StageState& s = state.stages[stage];
  switch (s.location) {
    case ComputeLocation::kRoot:
      return stage == at;
    case ComputeLocation::kInlined:
      return ReadersAreInside(state, stage, at, iterator);
    case ComputeLocation::kAt:
      if (stage == at) return true;
      if (s.at_stage == at) return s.at_iterator >= iterator;
      return IsInside(state, s.at_stage, at, iterator);
  }
  return false;
}

// The range of one dimension that accesses cover; one bounding box for all.
class Range {
 public:
  explicit Range(int64_t dimension) : dimension_(dimension) {}

  // `is_exact`: the index is one where all of the axes are, and not the bounds
  // of a Func's loops, whose ends Halide does not know to be the same.
  void Add(const IndexExpr& index, const std::vector<int64_t>& axis_extents,
           bool is_exact) {
    if (index.opaque) {
      whole_ = true;
      return;
    }
    int64_t low = index.constant;
    int64_t high = index.constant;
    for (const IndexTerm& term : index.terms) {
      const int64_t reach = term.coefficient * (axis_extents[term.axis] - 1);
      (reach < 0 ? low : high) += reach;
    }
    // Tiles start at multiples of the divisor and of the modulus, as far as
    // that goes.
    low = FloorDiv(low, index.divisor);
    high = FloorDiv(high, index.divisor);
    if (index.modulus != 0) {
      const bool wraps = !is_exact || FloorDiv(low, index.modulus) !=
                                          FloorDiv(high, index.modulus);
      low = wraps ? 0 : FloorMod(low, index.modulus);
      high = wraps ? index.modulus - 1 : FloorMod(high, index.modulus);
    }
    if (first_ == nullptr) {
      first_ = &index;
      low_ = low;
      high_ = high;
    } else if (first_->terms == index.terms &&
               first_->divisor == index.divisor &&
               first_->modulus == index.modulus) {
      low_ = std::min(low_, low);
      high_ = std::max(high_, high);
    } else {
      whole_ = true;
    }
  }

  int64_t Extent() const {
    if (whole_) return dimension_;
    if (first_ == nullptr) return 1;
    return std::min(dimension_, high_ - low_ + 1);
  }

 private:
  int64_t dimension_;
  bool whole_ = false;
  const IndexExpr* first_ = nullptr;
  int64_t low_ = 0;
  int64_t high_ = 0;
};

// Adds what `reader` reads of `producer` while it covers `covered`; `is_exact`
// as for Range::Add.
void AddReads(const Stage& reader, int producer,
              const std::vector<int64_t>& covered, bool is_exact,
              std::vector<Range>& ranges) {
  for (const Access& access : reader.reads) {
    if (access.stage != producer) continue;
    for (size_t d = 0; d < ranges.size(); ++d)
      ranges[d].Add(access.indices[d], covered, is_exact);
  }
}

std::vector<int64_t> ExtentsOf(const std::vector<Range>& ranges) {
  std::vector<int64_t> extents;
  extents.reserve(ranges.size());
  for (const Range& range : ranges) extents.push_back(range.Extent());
  return extents;
}

void SetLoopExtents(StageState& stage) {
  for (Iterator& iterator : stage.iterators) {
    for (LoopPart& part : iterator.parts) {
      const int64_t needed =
          CeilDiv(stage.axis_extents[part.axis], part.stride);
      part.extent = std::min(part.extent, needed);
    }
    iterator.extent = iterator.ExtentOfParts();
  }
}

absl::Status CheckNoHoles(const LoopState& state) {
  for (const StageState& stage : state.stages) {
    for (const Iterator& iterator : stage.iterators) {
      if (iterator.extent == 0)
        return absl::InvalidArgumentError("a split still has a hole");
    }
  }
  return absl::OkStatus();
}

}  // namespace

bool ReadersAreInside(const LoopState& state, int producer, int at,
                      int iterator) {
  for (int consumer : state.dag->consumers(producer)) {
    if (!IsInside(state, consumer, at, iterator)) return false;
    if (consumer == at && state.dag->stage(at).InitializationReads(producer))
      return false;
  }
  return !state.dag->consumers(producer).empty();
}

std::vector<int64_t> RequiredExtents(const LoopState& state, int producer,
                                     int at, int iterator) {
  const std::vector<int64_t>& shape = state.dag->stage(producer).shape;
  std::vector<Range> ranges(shape.begin(), shape.end());
  for (int consumer : state.dag->consumers(producer)) {
    const bool is_exact = consumer == at || state.stages[consumer].location ==
                                                ComputeLocation::kInlined;
    AddReads(state.dag->stage(consumer), producer,
             CoveredExtents(state, consumer, at, iterator), is_exact, ranges);
  }
  return ExtentsOf(ranges);
}

std::vector<int64_t> ReadExtents(const ComputeDag& dag, int producer,
                                 int reader,
                                 const std::vector<int64_t>& covered) {
  const std::vector<int64_t>& shape = dag.stage(producer).shape;
  std::vector<Range> ranges(shape.begin(), shape.end());
  AddReads(dag.stage(reader), producer, covered, /*is_exact=*/true, ranges);
  return ExtentsOf(ranges);
}

std::vector<int64_t> CoveredExtents(const LoopState& state, int stage, int at,
                                    int iterator) {
  const Stage& s = state.dag->stage(stage);
  std::vector<int64_t> extents;
  if (stage == at) {
    extents.assign(s.axes.size(), 1);
    const StageState& loops = state.stages[stage];
    for (size_t i = iterator + 1; i < loops.iterators.size(); ++i) {
      for (const LoopPart& part : loops.iterators[i].parts) {
        extents[part.axis] += (part.extent - 1) * part.stride;
      }
    }
    for (size_t a = 0; a < extents.size(); ++a) {
      extents[a] = std::min(extents[a], loops.axis_extents[a]);
    }
    return extents;
  }
  extents = RequiredExtents(state, stage, at, iterator);
  for (size_t a = s.shape.size(); a < s.axes.size(); ++a)
    extents.push_back(s.axes[a].extent);
  return extents;
}

absl::Status InferBounds(LoopState& state) {
  RETURN_IF_ERROR(CheckNoHoles(state));
  for (int i = state.dag->size() - 1; i >= 0; --i) {
    StageState& stage = state.stages[i];
    if (stage.location == ComputeLocation::kAt) {
      if (!ReadersAreInside(state, i, stage.at_stage, stage.at_iterator)) {
        return absl::InvalidArgumentError(absl::StrCat(
            "stage '", state.dag->stage(i).name,
            "' is computed inside a loop that does not hold all its readers"));
      }
      stage.axis_extents =
          CoveredExtents(state, i, stage.at_stage, stage.at_iterator);
    }
    SetLoopExtents(stage);
  }
  return absl::OkStatus();
}

}  // namespace pruner
