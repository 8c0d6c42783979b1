// The ways to draw tile sizes, by name.
#ifndef PRUNER_SAMPLE_SAMPLING_H_
#define PRUNER_SAMPLE_SAMPLING_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "pruner/sample/length_sampler.h"
#include "pruner/target/target_spec.h"

namespace pruner {

enum class Sampling {
  kHardware,  // with the target in mind (tile_sizes.h, thread_tiles.h)
  kAnsor,     // uniformly, limits checked afterwards (uniform_tiles.h)
};

// "hardware" and "ansor".
absl::string_view SamplingName(Sampling sampling);
// InvalidArgument, with the names there are, if it is none.
absl::StatusOr<Sampling> ParseSampling(absl::string_view name);
// The names, for help: "hardware, ansor".
std::string SamplingNames();

// For the target's tile structure; the target must outlive it.
std::unique_ptr<LengthSampler> MakeLengthSampler(const TargetSpec& target,
                                                 Sampling sampling);

}  // namespace pruner

#endif  // PRUNER_SAMPLE_SAMPLING_H_
