// Outputs for which code for any size has versions of its own.
#ifndef HALIDE_EXT_LOWER_LARGE_OUTPUTS_H_
#define HALIDE_EXT_LOWER_LARGE_OUTPUTS_H_

#include <vector>

#include "halide_ext/analyze/regions.h"
#include "halide_ext/lower/directive.h"

namespace pruner {

// Outputs for which a schedule of the estimated sizes is made as it is: of half
// of them and more, if tiles are no larger; but dimensions may be short that
// were estimated so.
std::vector<LeastExtent> LargeOutputs(const PipelineRegions& regions);

// `directives` without what they say of definitions that are specialized
// for large outputs, for others.
std::vector<Directive> OnlySpecialized(std::vector<Directive> directives);

}  // namespace pruner

#endif  // HALIDE_EXT_LOWER_LARGE_OUTPUTS_H_
