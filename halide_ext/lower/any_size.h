// Schedules of one size for tensors of any.
#ifndef HALIDE_EXT_LOWER_ANY_SIZE_H_
#define HALIDE_EXT_LOWER_ANY_SIZE_H_

#include <cstddef>
#include <vector>

#include "halide_ext/analyze/analyze.h"
#include "halide_ext/lower/directive.h"
#include "pruner/program/program.h"

namespace pruner {

// Directives that are right for any size and, for outputs of `large` ones, make
// what `directives` make of the estimated size. Those are of `program`, whose
// stages are `bindings`; the first `inserted` make Funcs.
//
// * Nothing is said of the extents of stages.
// * What is computed in a loop of another stage is cut into parts as long as
//   the program says, with guards: one part, whose guards Halide proves to be
//   superfluous, where what is needed is that long; loops of the part have
//   constant extents, which can be vectors and copies. Loops that stay as they
//   are and have nothing else in them are not cut. Vectors have no guards where
//   more may be computed than is needed (FuncBinding::extensible).
// * Halide divides loops at the edges of images only where vectors are read
//   there: the innermost one of the vectors' axis, which is not unrolled where
//   all of it is at the edges (WithoutEdgeCopies). Others it would write three
//   times with all that is in them, and it makes mistakes where a divided loop
//   begins and ends anywhere (docs/autoscheduler.md).
// * What is small and computed in a loop is on the stack: if Halide finds no
//   limit of its size, it is allocated once per task, not in each iteration.
// * A pure stage at the root has two definitions of its loops. Of large outputs
//   tiles that stick out are moved inwards, so that each is whole, and all that
//   is computed in it; other sizes have guards. Stages with updates have
//   guards, and so has what loses reads when it is simplified.
std::vector<Directive> ForAnySize(const std::vector<Directive>& directives,
                                  size_t inserted, const Program& program,
                                  const std::vector<FuncBinding>& bindings,
                                  const std::vector<LeastExtent>& large);

}  // namespace pruner

#endif  // HALIDE_EXT_LOWER_ANY_SIZE_H_
