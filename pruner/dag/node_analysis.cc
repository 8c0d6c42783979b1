#include "pruner/dag/node_analysis.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

#include "absl/algorithm/container.h"

namespace pruner {
namespace {

bool VariesWith(const Access& access, int axis) {
  return std::any_of(
      access.indices.begin(), access.indices.end(),
      [axis](const IndexExpr& index) { return index.VariesWith(axis); });
}

bool ReadsVaryWith(const ComputeDag& dag, int stage, int producer, int axis) {
  const std::vector<Access>& reads = dag.stage(stage).reads;
  return std::any_of(reads.begin(), reads.end(), [&](const Access& access) {
    return access.stage == producer && VariesWith(access, axis);
  });
}

// So many copies of a body, the channels of a pixel for one, share what they
// read in registers: that needs no tiles.
constexpr int64_t kMostCopies = 4;

// Some spatial axis does not select what is read from `producer`.
bool ReadsAgain(const ComputeDag& dag, int stage, int producer) {
  const Stage& reader = dag.stage(stage);
  const int64_t longest = reader.HasReduction() ? 1 : kMostCopies;
  for (int axis = 0; axis < reader.SpatialRank(); ++axis) {
    if (reader.axes[axis].extent > longest &&
        !ReadsVaryWith(dag, stage, producer, axis))
      return true;
  }
  return false;
}

bool ElementwiseRead(const ComputeDag& dag, int reader, int producer) {
  for (const Access& access : dag.stage(reader).reads) {
    if (access.stage != producer) continue;
    const std::optional<SimpleAccess> simple =
        AnalyzeSimpleAccess(dag.stage(reader), access);
    if (!simple || simple->axis_missing || simple->axis_duplicated ||
        !simple->same_order) {
      return false;
    }
  }
  return true;
}

// The dimension whose index is the axis up to a constant; -1: none.
int DimensionOf(const Access& access, int axis) {
  const auto found = std::find_if(
      access.indices.begin(), access.indices.end(),
      [axis](const IndexExpr& index) { return ShiftedAxis(index) == axis; });
  return found == access.indices.end()
             ? -1
             : static_cast<int>(found - access.indices.begin());
}

// A pure stage that is for one other alone.
bool MayBeInlined(const ComputeDag& dag, int stage) {
  const Stage& s = dag.stage(stage);
  return s.kind == StageKind::kCompute && !s.opaque && !s.IsInitialized() &&
         !s.is_output && dag.consumers(stage).size() <= 1;
}

// Whether iterations of the stage that differ in `axis` alone read the same
// elements of something that lies along its axis `vectors`. Each stage that
// these are read through is looked at once for each two of its axes.
bool ReadsTheSameAlong(const ComputeDag& dag, int stage, int axis,
                       int vectors) {
  using Axes = std::tuple<int, int, int>;
  std::set<Axes> known = {{stage, axis, vectors}};
  std::vector<Axes> pending = {{stage, axis, vectors}};
  while (!pending.empty()) {
    const auto [reader, same, along] = pending.back();
    pending.pop_back();
    for (const Access& access : dag.stage(reader).reads) {
      const bool is_gather =
          std::any_of(access.indices.begin(), access.indices.end(),
                      [](const IndexExpr& index) { return index.opaque; });
      if (is_gather || !VariesWith(access, along)) continue;
      if (!VariesWith(access, same)) return true;
      const Axes of_source = {access.stage, DimensionOf(access, same),
                              DimensionOf(access, along)};
      if (std::get<1>(of_source) >= 0 && std::get<2>(of_source) >= 0 &&
          MayBeInlined(dag, access.stage) && known.insert(of_source).second) {
        pending.push_back(of_source);
      }
    }
  }
  return false;
}

}  // namespace

std::optional<int> ShiftedAxis(const IndexExpr& index) {
  if (index.opaque || index.divisor != 1 || index.modulus != 0 ||
      index.clamped || index.terms.size() != 1 ||
      index.terms[0].coefficient != 1) {
    return std::nullopt;
  }
  return index.terms[0].axis;
}

std::optional<SimpleAccess> AnalyzeSimpleAccess(const Stage& reader,
                                                const Access& access) {
  SimpleAccess result;
  std::vector<int> uses(reader.SpatialRank(), 0);
  int last = -1;
  for (const IndexExpr& index : access.indices) {
    if (index.terms.empty() && !index.opaque) continue;
    const std::optional<int> axis = ShiftedAxis(index);
    if (!axis || *axis >= reader.SpatialRank()) return std::nullopt;
    if (*axis < last) result.same_order = false;
    last = *axis;
    if (++uses[*axis] > 1) result.axis_duplicated = true;
  }
  for (int count : uses) {
    if (count == 0) result.axis_missing = true;
  }
  return result;
}

bool IsStrictlyInlinable(const ComputeDag& dag, int stage) {
  const Stage& s = dag.stage(stage);
  if (s.kind != StageKind::kCompute || s.opaque || s.HasReduction())
    return false;
  if (s.ops.select > 0 || s.ops.float_math > 0) return false;
  for (const Access& access : s.reads) {
    const std::optional<SimpleAccess> simple = AnalyzeSimpleAccess(s, access);
    if (!simple || simple->axis_duplicated || !simple->same_order) return false;
  }
  return true;
}

bool ReadsNeighbours(const Stage& stage) {
  // A stencil's second read is of the same stage already.
  const std::vector<Access>& reads = stage.reads;
  for (auto read = reads.begin(); read != reads.end(); ++read) {
    if (std::any_of(reads.begin(), read, [&](const Access& earlier) {
          return earlier.stage == read->stage;
        })) {
      return true;
    }
  }
  return false;
}

bool IsDearInReduction(const ComputeDag& dag, int stage,
                       absl::FunctionRef<bool(int)> is_inlined) {
  if (dag.stage(stage).ops.float_math == 0) return false;
  std::set<int> reached;
  std::vector<int> pending = {stage};
  while (!pending.empty()) {
    const int producer = pending.back();
    pending.pop_back();
    for (const int reader : dag.consumers(producer)) {
      if (dag.stage(reader).HasReduction()) return true;
      if (is_inlined(reader) && reached.insert(reader).second)
        pending.push_back(reader);
    }
  }
  return false;
}

bool IsReducedOnce(const ComputeDag& dag, int stage) {
  constexpr double kAboutOnce = 1.25;
  if (dag.consumers(stage).size() != 1) return false;
  const Stage& reader = dag.stage(dag.consumers(stage)[0]);
  const auto accesses =
      std::count_if(reader.reads.begin(), reader.reads.end(),
                    [&](const Access& read) { return read.stage == stage; });
  const double reads = static_cast<double>(reader.SpatialSize()) *
                       static_cast<double>(reader.ReductionSize());
  return reader.HasReduction() && accesses == 1 &&
         reads <=
             kAboutOnce * static_cast<double>(dag.stage(stage).SpatialSize());
}

bool HasDataReuse(const ComputeDag& dag, int stage) {
  const Stage& s = dag.stage(stage);
  if (s.kind != StageKind::kCompute || s.opaque || IsEpilogue(dag, stage))
    return false;
  int reused = 0;
  for (int producer : dag.producers(stage))
    reused += ReadsAgain(dag, stage, producer);
  return reused >= 2 || (reused >= 1 && s.HasReduction());
}

bool HasMoreReductionParallelism(const ComputeDag& dag, int stage,
                                 int64_t cores) {
  const Stage& s = dag.stage(stage);
  if (s.kind != StageKind::kCompute || s.opaque) return false;
  constexpr int64_t kEnoughPerCore = 16;
  return s.SpatialSize() <= kEnoughPerCore * cores &&
         s.ReductionSize() > std::max(cores, s.SpatialSize());
}

bool ReducesContiguousElements(const ComputeDag& dag, int stage) {
  const Stage& s = dag.stage(stage);
  if (s.opaque || !s.HasReduction() || HasDataReuse(dag, stage)) return false;
  const int last = static_cast<int>(s.axes.size()) - 1;
  bool contiguous = false;
  for (const Access& access : s.reads) {
    if (access.by_initialization || access.indices.empty()) continue;
    const IndexExpr& innermost = access.indices.back();
    for (int axis = 0; axis < s.SpatialRank(); ++axis) {
      if (s.axes[axis].extent > 1 && innermost.VariesWith(axis)) return false;
    }
    contiguous |= innermost.VariesWith(last);
  }
  return contiguous && s.axes[last].extent > 1;
}

bool IsEpilogue(const ComputeDag& dag, int stage) {
  if (dag.stage(stage).HasReduction()) return false;
  const std::vector<int>& producers = dag.producers(stage);
  return std::any_of(producers.begin(), producers.end(), [&](int producer) {
    return FusibleConsumer(dag, producer) == stage &&
           HasDataReuse(dag, producer);
  });
}

std::vector<int> SharingAxes(const ComputeDag& dag, int stage) {
  const Stage& s = dag.stage(stage);
  std::vector<int> axes;
  if (s.kind != StageKind::kCompute || s.opaque) return axes;
  for (int axis = 0; axis + 1 < s.SpatialRank(); ++axis) {
    const int64_t extent = s.axes[axis].extent;
    if (extent > 1 && extent <= kMostCopies &&
        ReadsTheSameAlong(dag, stage, axis, s.SpatialRank() - 1)) {
      axes.push_back(axis);
    }
  }
  return axes;
}

std::vector<int> SeparateAxes(const ComputeDag& dag, int stage) {
  const Stage& s = dag.stage(stage);
  const std::vector<int> sharing = SharingAxes(dag, stage);
  std::vector<int> axes;
  for (int axis = 0; axis + 1 < s.SpatialRank(); ++axis) {
    if (s.axes[axis].extent > 1 && !absl::c_linear_search(sharing, axis))
      axes.push_back(axis);
  }
  return axes;
}

std::optional<int> FusibleConsumer(const ComputeDag& dag, int stage) {
  if (dag.consumers(stage).size() != 1) return std::nullopt;
  const int consumer = dag.consumers(stage)[0];
  const Stage& s = dag.stage(stage);
  const Stage& c = dag.stage(consumer);
  if (c.opaque || s.shape != c.shape || c.InitializationReads(stage) ||
      !ElementwiseRead(dag, consumer, stage)) {
    return std::nullopt;
  }
  if (s.HasReduction() && c.HasReduction()) return std::nullopt;
  return consumer;
}

}  // namespace pruner
