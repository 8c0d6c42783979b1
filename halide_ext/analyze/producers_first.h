// The order of a pipeline's Funcs.
#ifndef HALIDE_EXT_ANALYZE_PRODUCERS_FIRST_H_
#define HALIDE_EXT_ANALYZE_PRODUCERS_FIRST_H_

#include <map>
#include <string>
#include <vector>

#include "Halide.h"

namespace pruner {

// All Funcs that the outputs need, producers first, otherwise in the order in
// which definitions name them. Halide's own order goes by names, and so would
// the numbers of stages.
std::vector<std::string> ProducersFirst(
    const std::vector<Halide::Internal::Function>& outputs,
    const std::map<std::string, Halide::Internal::Function>& environment);

}  // namespace pruner

#endif  // HALIDE_EXT_ANALYZE_PRODUCERS_FIRST_H_
