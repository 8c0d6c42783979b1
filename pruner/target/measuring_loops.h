// The loops that are timed to find a CPU's peaks, compiled for each instruction
// set.

#ifndef PRUNER_TARGET_MEASURING_LOOPS_H_
#define PRUNER_TARGET_MEASURING_LOOPS_H_

#include <cstdint>

#include "absl/types/span.h"

namespace pruner {

enum class VectorIsa { kGeneric, kAvx2, kAvx512 };

// The widest this processor can run.
VectorIsa WidestVectorIsa();

// One cache line of floats; arrays of it are aligned for every instruction set.
struct alignas(64) FloatLine {
  float values[16];
};

// kThroughput keeps enough independent chains in registers to fill every FMA
// pipe, kLatency is one chain, of which every FMA waits for the one before.
enum class FmaChains { kThroughput, kLatency };

// Computes x = x / 2 + 1 `rounds` times in every lane of every chain, starting
// at i in chain i, and returns the sum of all x. It depends on every operation,
// so that no compiler leaves one out. The processor must have `isa`.
float RunFmaLoop(VectorIsa isa, FmaChains chains, int64_t rounds);

// Lanes of all chains together: every round of the loop is two operations in
// each.
int64_t FmaLoopLanes(VectorIsa isa, FmaChains chains);

// a = b + scale * c, element by element; the sizes are equal.
void RunTriadLoop(VectorIsa isa, absl::Span<FloatLine> a,
                  absl::Span<const FloatLine> b, absl::Span<const FloatLine> c,
                  float scale);

}  // namespace pruner

#endif  // PRUNER_TARGET_MEASURING_LOOPS_H_
