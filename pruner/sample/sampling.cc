#include "pruner/sample/sampling.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "pruner/sample/thread_tiles.h"
#include "pruner/sample/tile_sizes.h"
#include "pruner/sample/uniform_tiles.h"

namespace pruner {
namespace {

// By enumerator.
constexpr const char* kNames[] = {"hardware", "ansor"};

}  // namespace

absl::string_view SamplingName(Sampling sampling) {
  return kNames[static_cast<int>(sampling)];
}

absl::StatusOr<Sampling> ParseSampling(absl::string_view name) {
  for (const Sampling sampling : {Sampling::kHardware, Sampling::kAnsor}) {
    if (name == SamplingName(sampling)) return sampling;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "there is no sampling '", name, "'; it is one of ", SamplingNames()));
}

std::string SamplingNames() { return absl::StrJoin(kNames, ", "); }

std::unique_ptr<LengthSampler> MakeLengthSampler(const TargetSpec& target,
                                                 Sampling sampling) {
  std::unique_ptr<LengthSampler> sampler;
  if (target.HasThreads()) {
    sampler = std::make_unique<ThreadTileSampler>(target);
  } else {
    sampler = std::make_unique<TileSizeSampler>(target);
  }
  if (sampling == Sampling::kHardware) return sampler;
  return std::make_unique<UniformTileSampler>(
      target.limits.innermost_split_factor, std::move(sampler));
}

}  // namespace pruner
