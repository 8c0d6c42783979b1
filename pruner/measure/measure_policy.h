// How warm a candidate finds its data when it is timed. Records of different
// policies do not compare: the best schedule of one is not that of another.
#ifndef PRUNER_MEASURE_MEASURE_POLICY_H_
#define PRUNER_MEASURE_MEASURE_POLICY_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// Candidates run one after the other, and what a run has read and written lies
// in the caches for the next one. A network reads its other kernels' weights in
// between.
enum class MeasurePolicy {
  kWarm,    // everything is where the run before left it
  kLlc,     // constants come from the last-level cache
  kMemory,  // constants come from memory
};

// "warm", "llc", "memory": what records say.
absl::string_view MeasurePolicyName(MeasurePolicy policy);
// The error says which there are.
absl::StatusOr<MeasurePolicy> ParseMeasurePolicy(absl::string_view name);
std::string MeasurePolicyNames();

// How a network leaves its constants from one use to the next, if it touches so
// many bytes (constants and activations) in between.
MeasurePolicy PolicyOfNetwork(int64_t bytes, const TargetSpec& target);

// How many bytes of constants are read between two uses of the same ones; 0
// where they stay warm. The same for all networks of one policy, so that their
// records compare.
int64_t BytesBetweenUses(MeasurePolicy policy, const TargetSpec& target);

// InvalidArgument, with what to do, if not even so many copies of constants fit
// into what is available that they exceed the cache which they are to leave.
absl::Status CheckMemoryForCopies(MeasurePolicy policy,
                                  const TargetSpec& target, int64_t available);

}  // namespace pruner

#endif  // PRUNER_MEASURE_MEASURE_POLICY_H_
