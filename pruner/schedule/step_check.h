// What a step may speak of: shared by the kinds of steps that Replay applies.
// Every error is InvalidArgument, and says what does not fit without the step's
// number, which the caller adds.
#ifndef PRUNER_SCHEDULE_STEP_CHECK_H_
#define PRUNER_SCHEDULE_STEP_CHECK_H_

#include <cstdint>
#include <limits>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "pruner/schedule/loop_state.h"

namespace pruner {

template <typename... Parts>
absl::Status Misfit(const Parts&... parts) {
  return absl::InvalidArgumentError(absl::StrCat(parts...));
}

// Loops count in 32 bits (Halide's do), and products of two such numbers do not
// overflow here.
inline constexpr int64_t kMaxIterations = std::numeric_limits<int32_t>::max();

absl::Status TooLong();

// There is such a stage, and it computes something.
absl::Status CheckStage(const LoopState& state, int stage);

// It also has loops that steps may speak of.
absl::Status CheckLoops(const LoopState& state, int stage);

// Among them one of that number.
absl::Status CheckIterator(const LoopState& state, int stage, int iterator);

// A stage before any step speaks of it: at the root, one loop per axis.
StageState NaiveStage(const Stage& stage);

// What inserts a stage comes before anything else that is said of it.
absl::Status CheckUntouched(const LoopState& state, int stage);

// Each of the numbers from 0 on once.
absl::Status CheckPermutation(const std::vector<int64_t>& order);

// `order`, a permutation, leaves the reduction's loops as they follow each
// other, where what comes out may depend on it (Stage::ordered).
absl::Status CheckReductionsStayInOrder(const LoopState& state, int stage,
                                        const std::vector<int64_t>& order);

}  // namespace pruner

#endif  // PRUNER_SCHEDULE_STEP_CHECK_H_
