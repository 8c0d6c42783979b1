// Copies of vectors that reach from one edge of an image to the other.
#ifndef HALIDE_EXT_LOWER_EDGE_COPIES_H_
#define HALIDE_EXT_LOWER_EDGE_COPIES_H_

#include <cstddef>
#include <vector>

#include "halide_ext/analyze/analyze.h"
#include "halide_ext/lower/directive.h"
#include "pruner/program/program.h"

namespace pruner {

// `directives`, of `program`, whose stages are `bindings`; the first `inserted`
// make Funcs. Left out is, unless there are kernels, what unrolls a pure
// stage's loops over its vectors where reads are clamped along these and few
// iterations are left around. Halide divides loops into what is at the edges,
// where clamped reads are gathers, and the rest; not what is unrolled, whose
// copies are all where the first or last of them is.
std::vector<Directive> WithoutEdgeCopies(
    std::vector<Directive> directives, size_t inserted, const Program& program,
    const std::vector<FuncBinding>& bindings);

}  // namespace pruner

#endif  // HALIDE_EXT_LOWER_EDGE_COPIES_H_
