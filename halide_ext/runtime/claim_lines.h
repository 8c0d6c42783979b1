// Taking possession of memory that is about to be written.
#ifndef HALIDE_EXT_RUNTIME_CLAIM_LINES_H_
#define HALIDE_EXT_RUNTIME_CLAIM_LINES_H_

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Makes the cache lines that lie in this memory this core's own; what they held
// is lost. Where two cores have read a line, one that writes it has to ask all
// others first, line by line: on Zen 5 two cores write such lines at 16 GB/s.
// The string instructions ask for many at a time, 50 GB/s, and what is written
// afterwards finds them in the core's cache (//tools/bench:claims). Does
// nothing on other machines than x86-64.
void PrunerClaimLines(void* memory, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif  // HALIDE_EXT_RUNTIME_CLAIM_LINES_H_
