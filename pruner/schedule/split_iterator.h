// The loops that a split makes of one.
#ifndef PRUNER_SCHEDULE_SPLIT_ITERATOR_H_
#define PRUNER_SCHEDULE_SPLIT_ITERATOR_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "pruner/schedule/loop_state.h"

namespace pruner {

// One loop more than there are lengths, outermost first: the lengths are those
// of all but the first, which counts what is left of `source`, rounded up. 0 is
// a hole: extents from there outwards are 0, not known yet. Errors: no length
// or more than a path has room for, a negative one, more than kMaxIterations.
absl::StatusOr<std::vector<Iterator>> SplitIterator(
    const Iterator& source, const std::vector<int64_t>& lengths);

}  // namespace pruner

#endif  // PRUNER_SCHEDULE_SPLIT_ITERATOR_H_
