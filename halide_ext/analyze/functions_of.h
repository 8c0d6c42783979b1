// What a pipeline is made of.
#ifndef HALIDE_EXT_ANALYZE_FUNCTIONS_OF_H_
#define HALIDE_EXT_ANALYZE_FUNCTIONS_OF_H_

#include <map>
#include <string>
#include <vector>

#include "Halide.h"

namespace pruner {

// Of its outputs, in their order.
std::vector<Halide::Internal::Function> OutputFunctions(
    const Halide::Pipeline& pipeline);

// Of its outputs and of all that they read, by name.
std::map<std::string, Halide::Internal::Function> FunctionsOf(
    const Halide::Pipeline& pipeline);

}  // namespace pruner

#endif  // HALIDE_EXT_ANALYZE_FUNCTIONS_OF_H_
