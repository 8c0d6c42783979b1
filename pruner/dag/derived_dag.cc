#include "pruner/dag/derived_dag.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace pruner {
namespace {

template <typename... What>
absl::Status Refuse(const Stage& stage, const What&... what) {
  return absl::InvalidArgumentError(
      absl::StrCat("stage '", stage.name, "' ", what...));
}

// The first field of the keys under which derived DAGs are kept.
enum class Derivation { kCacheWrite, kCacheRead, kRfactor };

std::vector<int64_t> Key(Derivation derivation, std::vector<int64_t> rest) {
  rest.insert(rest.begin(), static_cast<int64_t>(derivation));
  return rest;
}

// Makes room for a stage at `index`: what stood there and behind is one
// further, to its readers as well.
std::vector<Stage> WithRoomAt(const ComputeDag& dag, int index) {
  std::vector<Stage> stages = dag.stages();
  for (Stage& stage : stages) {
    for (Access& access : stage.reads) access.stage += access.stage >= index;
  }
  stages.emplace(stages.begin() + index);
  return stages;
}

// Reads element by element.
Access IdentityAccess(int stage, size_t rank) {
  Access access{.stage = stage, .indices = {}};
  for (size_t d = 0; d < rank; ++d) {
    IndexExpr index;
    index.terms.push_back({.axis = static_cast<int>(d)});
    access.indices.push_back(std::move(index));
  }
  return access;
}

// A stage that copies `from`, which is stage `number`.
Stage CopyOf(const Stage& from, int number) {
  Stage copy;
  copy.shape = from.shape;
  copy.types = from.types;
  copy.is_copy = true;
  copy.sizes_are_known = from.sizes_are_known;
  copy.read_in_part = from.read_in_part;
  for (size_t d = 0; d < from.shape.size(); ++d) {
    const std::string name =
        from.axes.empty() ? absl::StrCat("i", d) : from.axes[d].name;
    copy.axes.push_back({.name = name, .extent = from.shape[d]});
  }
  copy.reads.push_back(IdentityAccess(number, from.shape.size()));
  return copy;
}

// The axes and reads of partial results, from those of the whole reduction.
class PartialResults {
 public:
  PartialResults(const Stage& whole, int axis, int64_t factor, RfactorPart part)
      : whole_(whole), axis_(axis), factor_(factor), part_(part) {}

  Stage Make() const {
    Stage stage = whole_;
    absl::StrAppend(&stage.name, ".rf");
    stage.definitions.clear();
    stage.is_output = false;
    const bool inner = part_ == RfactorPart::kInner;
    const int64_t outer_extent = whole_.axes[axis_].extent / factor_;
    const Axis kept = {.name = whole_.axes[axis_].name + "_rf",
                       .extent = inner ? factor_ : outer_extent,
                       .kind = AxisKind::kSpatial};
    stage.axes[axis_].extent = inner ? outer_extent : factor_;
    stage.axes.insert(stage.axes.begin() + KeptAxis(), kept);
    stage.shape.insert(stage.shape.begin() + KeptAxis(), kept.extent);
    stage.read_in_part.clear();  // all of it is added up
    std::erase_if(stage.reads, [](const Access& access) {
      return access.by_initialization;
    });
    for (Access& access : stage.reads) {
      for (IndexExpr& index : access.indices) Rewrite(index);
    }
    return stage;
  }

  // The position of the partial results' axis.
  int KeptAxis() const {
    return part_ == RfactorPart::kInner ? whole_.SpatialRank() : 0;
  }

 private:
  // The factored axis' value is outer * factor + inner.
  void Rewrite(IndexExpr& index) const {
    std::vector<IndexTerm> terms;
    for (IndexTerm term : index.terms) {
      const bool factored = term.axis == axis_;
      term.axis += term.axis >= KeptAxis();
      if (!factored) {
        terms.push_back(term);
        continue;
      }
      const bool inner = part_ == RfactorPart::kInner;
      const IndexTerm kept = {
          .axis = KeptAxis(),
          .coefficient = term.coefficient * (inner ? 1 : factor_)};
      term.coefficient *= inner ? factor_ : 1;
      terms.push_back(kept);
      terms.push_back(term);
    }
    std::sort(
        terms.begin(), terms.end(),
        [](const IndexTerm& a, const IndexTerm& b) { return a.axis < b.axis; });
    index.terms = std::move(terms);
  }

  const Stage& whole_;
  const int axis_;
  const int64_t factor_;
  const RfactorPart part_;
};

// The one operation that combines two partial results of the reduction.
OpCounts CombiningOps(const Stage& reduction) {
  const bool is_float = reduction.types[0].IsFloat();
  switch (reduction.reduction) {
    case ReductionKind::kMin:
    case ReductionKind::kMax:
      return is_float ? OpCounts{.float_compare = 1}
                      : OpCounts{.int_compare = 1};
    case ReductionKind::kProduct:
      return is_float ? OpCounts{.float_mul = 1} : OpCounts{.int_mul = 1};
    default:
      return is_float ? OpCounts{.float_add = 1} : OpCounts{.int_add = 1};
  }
}

// Moves what the initialization reads from a reduction to the stage that now
// adds the whole of it.
void AddOnce(Stage& reduction, Stage& rest) {
  reduction.is_output = false;
  reduction.definitions.clear();
  for (const Access& access : reduction.reads) {
    if (access.by_initialization) rest.reads.push_back(access);
  }
  std::erase_if(reduction.reads,
                [](const Access& access) { return access.by_initialization; });
  rest.is_output = true;
  rest.accumulates = true;
  rest.ops = CombiningOps(reduction);
}

absl::Status CheckRfactor(const Stage& s, int axis, int64_t factor) {
  if (s.kind != StageKind::kCompute || s.opaque || s.ordered)
    return Refuse(s, "is no reduction that can be taken apart");
  if (axis < s.SpatialRank() || axis >= static_cast<int>(s.axes.size()))
    return Refuse(s, "has no reduction axis ", axis);
  if (factor < 1 || s.axes[axis].extent % factor != 0) {
    return Refuse(s, "has axis '", s.axes[axis].name, "' of extent ",
                  s.axes[axis].extent, ", which ", factor, " does not divide");
  }
  return absl::OkStatus();
}

}  // namespace

bool CanBeCached(const Stage& stage) {
  const bool is_stuck =
      stage.is_output && (!stage.HasReduction() || stage.ordered);
  return stage.kind == StageKind::kCompute && !stage.opaque && !is_stuck;
}

absl::StatusOr<const ComputeDag*> WithCacheWrite(const ComputeDag& dag,
                                                 int stage) {
  const auto make = [&]() -> absl::StatusOr<ComputeDag> {
    const Stage& s = dag.stage(stage);
    if (!CanBeCached(s))
      return Refuse(s, "cannot be computed apart from its storage");
    std::vector<Stage> stages = WithRoomAt(dag, stage);
    Stage copy = CopyOf(s, stage);
    copy.name = s.name;
    stages[stage] = std::exchange(stages[stage + 1], std::move(copy));
    stages[stage].name = s.name + ".local";
    stages[stage].cached = true;
    // By the copy, which reads all of it.
    stages[stage].read_in_part.clear();
    if (s.is_output) AddOnce(stages[stage], stages[stage + 1]);
    return ComputeDag::Create(std::move(stages));
  };
  return dag.Derived(Key(Derivation::kCacheWrite, {stage}), make);
}

absl::StatusOr<const ComputeDag*> WithCacheRead(
    const ComputeDag& dag, int stage, const std::vector<int64_t>& readers) {
  const auto make = [&]() -> absl::StatusOr<ComputeDag> {
    const Stage& s = dag.stage(stage);
    if (readers.empty()) return Refuse(s, "is copied for no reader");
    if (s.kind == StageKind::kPlaceholder && s.opaque)
      return Refuse(s, "is an input that is read in place");
    std::vector<Stage> stages = WithRoomAt(dag, stage + 1);
    stages[stage + 1] = CopyOf(s, stage);
    stages[stage + 1].name = s.name + ".shared";
    const std::vector<int>& consumers = dag.consumers(stage);
    for (int64_t reader : readers) {
      if (std::find(consumers.begin(), consumers.end(), reader) ==
          consumers.end()) {
        return Refuse(s, "is not read by stage ", reader);
      }
      for (Access& access : stages[reader + 1].reads)
        access.stage += access.stage == stage;
    }
    if (readers.size() == consumers.size()) stages[stage].read_in_part.clear();
    return ComputeDag::Create(std::move(stages));
  };
  std::vector<int64_t> rest = {stage};
  rest.insert(rest.end(), readers.begin(), readers.end());
  return dag.Derived(Key(Derivation::kCacheRead, std::move(rest)), make);
}

absl::StatusOr<const ComputeDag*> WithRfactor(const ComputeDag& dag, int stage,
                                              int axis, int64_t factor,
                                              RfactorPart part) {
  const auto make = [&]() -> absl::StatusOr<ComputeDag> {
    const Stage& s = dag.stage(stage);
    if (absl::Status status = CheckRfactor(s, axis, factor); !status.ok())
      return status;
    std::vector<Stage> stages = WithRoomAt(dag, stage);
    Stage& rest = stages[stage + 1];
    const PartialResults results(rest, axis, factor, part);
    const int kept_axis = results.KeptAxis();
    stages[stage] = results.Make();
    const Stage& partial = stages[stage];
    rest.definitions.clear();
    rest.axes.resize(rest.SpatialRank());
    rest.axes.push_back({.name = partial.axes[kept_axis].name,
                         .extent = partial.axes[kept_axis].extent,
                         .kind = AxisKind::kReduction});
    std::erase_if(rest.reads, [](const Access& access) {
      return !access.by_initialization;
    });
    Access access{.stage = stage, .indices = {}};
    for (int d = 0; d < partial.SpatialRank(); ++d) {
      const int axis_of_rest = d == kept_axis  ? rest.SpatialRank()
                               : d > kept_axis ? d - 1
                                               : d;
      IndexExpr index;
      index.terms.push_back({.axis = axis_of_rest});
      access.indices.push_back(std::move(index));
    }
    rest.reads.push_back(std::move(access));
    rest.ops = CombiningOps(rest);
    return ComputeDag::Create(std::move(stages));
  };
  return dag.Derived(Key(Derivation::kRfactor,
                         {stage, axis, factor, static_cast<int64_t>(part)}),
                     make);
}

}  // namespace pruner
