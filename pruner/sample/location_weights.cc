#include "pruner/sample/location_weights.h"

#include <algorithm>
#include <cmath>

#include "pruner/schedule/infer_bounds.h"
#include "pruner/sketch/candidate.h"
#include "pruner/sketch/recomputation.h"

namespace pruner {
namespace {

// Of the arithmetic peak, which code with loads and short loops does not reach.
constexpr double kEfficiency = 0.25;
// A guess is wrong by such factors: places are drawn in inverse proportion to
// this power of the cost, and each has at least this share of an even chance.
constexpr double kSharpness = 2;
constexpr double kMinShare = 0.15;

// Of a cache, what one stage may have to itself.
constexpr double kShareOfCache = 0.5;
// Of the last one: all other stages' values go through it in between.
constexpr double kShareOfLastCache = 0.125;
// What every core has to wait for until all others are done.
constexpr double kSecondsOfLoopOverCores = 10e-6;

// How many operations a read takes as long as, for each element of a vector
// along the reader's innermost axis: those that do not lie side by side are
// picked out of several vectors, or gathered one by one.
int64_t WorkOfRead(const Access& access, int vector_axis) {
  constexpr int64_t kDense = 1, kStrided = 3, kGathered = 8;
  int64_t work = kDense;
  for (const IndexExpr& index : access.indices) {
    if (index.opaque) return kGathered;
    for (const IndexTerm& term : index.terms) {
      if (term.axis != vector_axis) continue;
      if (index.divisor != 1 || index.modulus != 0) return kGathered;
      const bool is_innermost = &index == &access.indices.back();
      if (!is_innermost) return kGathered;
      if (term.coefficient != 1) work = kStrided;
    }
  }
  return work;
}

// Operations and reads of one element.
double Work(const Stage& stage) {
  int64_t work = 0;
  for (const Access& access : stage.reads)
    work += WorkOfRead(access, stage.SpatialRank() - 1);
  OpCounts::VisitFields(stage.ops,
                        [&](const char*, int64_t count) { work += count; });
  return static_cast<double>(work * stage.ReductionSize());
}

double Product(const std::vector<int64_t>& extents) {
  double product = 1;
  for (const int64_t extent : extents) product *= static_cast<double>(extent);
  return product;
}

// Of the smallest memory that holds so many bytes: a core's, or all cores'.
double BytesPerSecond(const TargetSpec& target, double bytes, bool per_core) {
  const auto fits = [](double size, const MemoryLevel& level, double share) {
    return size <= share * static_cast<double>(level.size_bytes);
  };
  if (per_core) {
    if (fits(bytes, target.l1, kShareOfCache)) return target.l1.gb_per_s * 1e9;
    if (fits(bytes, target.l2, kShareOfCache)) return target.l2.gb_per_s * 1e9;
    bytes *= static_cast<double>(target.units.cores);
  }
  if (fits(bytes, target.llc, kShareOfLastCache))
    return target.llc.gb_per_s * 1e9;
  return target.peaks.dram_gb_per_s * 1e9;
}

// Where stages are read: how often each element is, if a stage is inlined.
class Reads {
 public:
  explicit Reads(const LoopState& state)
      : state_(state), computed_(state.dag->size(), 0) {}

  // Of all elements, by everything that reads the stage.
  double Of(int stage) {
    double reads = 0;
    for (const int reader : state_.dag->consumers(stage)) {
      const Stage& r = state_.dag->stage(reader);
      const auto accesses = std::count_if(
          r.reads.begin(), r.reads.end(),
          [&](const Access& access) { return access.stage == stage; });
      reads +=
          static_cast<double>(accesses * r.ReductionSize()) * Computed(reader);
    }
    return reads;
  }

 private:
  // Elements, as often as they are.
  double Computed(int stage) {
    double& computed = computed_[stage];
    if (computed > 0) return computed;
    const StageState& s = state_.stages[stage];
    computed = static_cast<double>(state_.dag->stage(stage).SpatialSize());
    if (s.location == ComputeLocation::kAt) {
      computed *= Recomputation(state_, stage, s.at_stage, s.at_iterator);
    } else if (s.location == ComputeLocation::kInlined) {
      computed = Of(stage);
    }
    return computed;
  }

  const LoopState& state_;
  std::vector<double> computed_;  // by stage; 0: not known yet
};

double Seconds(const TargetSpec& target, const LoopState& state, int stage,
               int32_t location) {
  const Stage& s = state.dag->stage(stage);
  const double size = static_cast<double>(s.SpatialSize());
  double elements = size;
  double held = 0;  // elements stored at a time
  if (location == Location::kInlined) {
    elements = std::max(size, Reads(state).Of(stage));
  } else if (Location::IsAt(location)) {
    const int at = Location::StageOf(location);
    const int loop = Location::LoopOf(location);
    elements *= Recomputation(state, stage, at, loop);
    held = Product(RequiredExtents(state, stage, at, loop));
  } else {
    held = size;
  }
  const double work =
      elements * Work(s) / (kEfficiency * target.peaks.fp32_gflops * 1e9);
  if (held == 0) return work;
  // Fetched, written and read.
  const bool is_at_root = location == Location::kRoot;
  const double bytes = static_cast<double>(s.ElementBytes());
  const double traffic =
      3 * elements * bytes / BytesPerSecond(target, held * bytes, !is_at_root);
  return work + traffic + (is_at_root ? kSecondsOfLoopOverCores : 0);
}

}  // namespace

std::vector<double> LocationWeights(const TargetSpec& target,
                                    const LoopState& state, int stage,
                                    absl::Span<const int32_t> locations) {
  std::vector<double> weights;
  double sum = 0;
  for (const int32_t location : locations) {
    const double seconds = Seconds(target, state, stage, location);
    weights.push_back(std::pow(std::max(seconds, 1e-12), -kSharpness));
    sum += weights.back();
  }
  for (double& weight : weights) {
    weight = (1 - kMinShare) * weight / sum +
             kMinShare / static_cast<double>(weights.size());
  }
  return weights;
}

}  // namespace pruner
