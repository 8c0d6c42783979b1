#include "pruner/sample/place_weights.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "pruner/sketch/candidate.h"

namespace pruner {
namespace {

// A guess is wrong by such factors: places are drawn in inverse proportion to
// this power of the cost, and each has at least this share of an even chance.
constexpr double kSharpness = 3;
constexpr double kMinShare = 0.15;
// A chain of stages in one loop is good or bad as a whole, and would seldom be
// drawn where each of them were by itself: so much likelier is a place with a
// reader.
constexpr double kWithReader = 4;

// Of a cache, what one stage may have to itself.
constexpr double kShareOfCache = 0.5;
// Of the last one: all other stages' values go through it in between.
constexpr double kShareOfLastCache = 0.125;
// What every core has to wait for until all others are done.
constexpr double kSecondsOfLoopOverCores = 10e-6;

// How many operations a read takes as long as, for each element of a vector
// along the reader's innermost axis: those that do not lie side by side are
// picked out of several vectors, or out of one over and over, or gathered one
// by one.
int64_t WorkOfRead(const Access& access, int vector_axis) {
  constexpr int64_t kDense = 1, kStrided = 3, kGathered = 8;
  int64_t work = kDense;
  for (const IndexExpr& index : access.indices) {
    if (index.opaque) return kGathered;
    for (const IndexTerm& term : index.terms) {
      if (term.axis != vector_axis) continue;
      if (index.modulus != 0) return kGathered;
      const bool is_innermost = &index == &access.indices.back();
      if (!is_innermost) return kGathered;
      if (term.coefficient != 1 || index.divisor != 1) work = kStrided;
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

double Seconds(const TargetSpec& target, const Stage& stage,
               const PossiblePlace& place) {
  // The peak counts an FMA as two; here reads go on beside one operation each.
  const double work =
      place.elements * Work(stage) / (target.peaks.fp32_gflops * 1e9);
  if (place.held == 0) return work;
  // Fetched, written and read.
  const bool is_at_root = place.location == Location::kRoot;
  const auto bytes = static_cast<double>(stage.ElementBytes());
  const double traffic =
      3 * place.elements * bytes /
      BytesPerSecond(target, place.held * bytes, !is_at_root);
  return work + traffic + (is_at_root ? kSecondsOfLoopOverCores : 0);
}

}  // namespace

std::vector<double> PlaceWeights(const TargetSpec& target, const Stage& stage,
                                 absl::Span<const PossiblePlace> places) {
  std::vector<double> weights;
  double sum = 0;
  for (const PossiblePlace& place : places) {
    const double seconds = Seconds(target, stage, place);
    weights.push_back(std::pow(std::max(seconds, 1e-12), -kSharpness) *
                      (place.is_with_reader ? kWithReader : 1));
    sum += weights.back();
  }
  for (double& weight : weights) {
    weight = (1 - kMinShare) * weight / sum +
             kMinShare / static_cast<double>(weights.size());
  }
  return weights;
}

}  // namespace pruner
