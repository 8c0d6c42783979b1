// What simplifying a definition leaves of what it reads.
#ifndef HALIDE_EXT_ANALYZE_LOST_READS_H_
#define HALIDE_EXT_ANALYZE_LOST_READS_H_

#include "Halide.h"

namespace pruner {

// Whether some definition of the Func reads another one that it reads nowhere
// any more once Halide has simplified it, as x - x is 0. Halide simplifies the
// definitions of specializations, and its inference of bounds crashes where one
// does not read what is computed in its loops.
bool LosesReads(const Halide::Internal::Function& function);

}  // namespace pruner

#endif  // HALIDE_EXT_ANALYZE_LOST_READS_H_
