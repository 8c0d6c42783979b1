// A schedule for when there is no other.
#ifndef HALIDE_EXT_PLUGIN_DEFAULT_SCHEDULE_H_
#define HALIDE_EXT_PLUGIN_DEFAULT_SCHEDULE_H_

#include <vector>

#include "Halide.h"
#include "halide_ext/lower/directive.h"

namespace pruner {

// Right for every pipeline and size, and looked at by nobody: every Func at the
// root that can be there; pure outputs in parallel rows of vectors, if Halide
// compiles these for sure.
std::vector<Directive> DefaultDirectives(const Halide::Pipeline& pipeline,
                                         const Halide::Target& target);

}  // namespace pruner

#endif  // HALIDE_EXT_PLUGIN_DEFAULT_SCHEDULE_H_
