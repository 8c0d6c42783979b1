// Parts of pipelines that have exactly the names they are given: Halide makes
// names unique by numbers, so that a pipeline built again is another one.
#ifndef HALIDE_EXT_ANALYZE_FIXED_NAMES_H_
#define HALIDE_EXT_ANALYZE_FIXED_NAMES_H_

#include <string>
#include <vector>

#include "Halide.h"

namespace pruner {

Halide::Func NamedFunc(const std::string& name);

// A dense fp32 tensor of these sizes, the innermost dimension first.
Halide::ImageParam DenseInput(const std::string& name,
                              const std::vector<int>& sizes);

}  // namespace pruner

#endif  // HALIDE_EXT_ANALYZE_FIXED_NAMES_H_
