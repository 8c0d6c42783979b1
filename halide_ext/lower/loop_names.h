// Names for the loops of a program.
#ifndef HALIDE_EXT_LOWER_LOOP_NAMES_H_
#define HALIDE_EXT_LOWER_LOOP_NAMES_H_

#include <vector>

#include "halide_ext/analyze/analyze.h"
#include "halide_ext/lower/directive.h"
#include "pruner/program/program.h"

namespace pruner {

// By label. Those of axes are `bindings`' variables, by stage; what is made of
// a loop is named after it: "x_2" is level 2 of a split of x, "y_x" is y and x
// fused. No name is given twice in a definition. A reduction variable of a
// stage that is computed as written has none: nothing is said of its loops.
std::vector<LoopName> NameLoops(const Program& program,
                                const std::vector<FuncBinding>& bindings);

}  // namespace pruner

#endif  // HALIDE_EXT_LOWER_LOOP_NAMES_H_
