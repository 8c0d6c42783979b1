// Counts allocations, for tests that say there are none.
#ifndef PRUNER_BASE_ALLOCATION_COUNTER_H_
#define PRUNER_BASE_ALLOCATION_COUNTER_H_

#include <cstddef>

namespace pruner {

// Of this program, through `new`, so far. Linking this replaces the operators.
size_t CountAllocations();

}  // namespace pruner

#endif  // PRUNER_BASE_ALLOCATION_COUNTER_H_
