// Symbols for tests of what reads them.
#ifndef PRUNER_FEATURES_SAMPLE_SYMBOLS_H_
#define PRUNER_FEATURES_SAMPLE_SYMBOLS_H_

#include "pruner/features/cpu_symbols.h"

namespace pruner {

// A tile of 4 rows and 2 vectors, as cpu_symbols_test.cc has it.
inline CpuSymbols SampleTileSymbols() {
  return {.is_update = true,
          .bodies = 2048,
          .operations = 8,
          .chained = 8,
          .accumulators = 8,
          .vector_loads = 2,
          .broadcasts = 4,
          .same_accumulators = 64,
          .kept = 64,
          .lines = {768, 768, 768},
          .cores = 2};
}

}  // namespace pruner

#endif  // PRUNER_FEATURES_SAMPLE_SYMBOLS_H_
