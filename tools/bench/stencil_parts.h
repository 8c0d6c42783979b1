// What pipelines of stencils are made of.
#ifndef TOOLS_BENCH_STENCIL_PARTS_H_
#define TOOLS_BENCH_STENCIL_PARTS_H_

#include <string>

#include "Halide.h"
#include "absl/functional/function_ref.h"

namespace pruner {

struct ImageSize {
  int width = 0;
  int height = 0;
};

// The variables of all Funcs.
const Halide::Var& X();
const Halide::Var& Y();

// An image with its borders repeated.
Halide::Func RepeatedImage(const ImageSize& size);

Halide::Pipeline WithImageSize(Halide::Func out, const ImageSize& size);

// Half and twice the size; two stages each, along the rows first.
Halide::Func Downsample(const Halide::Func& f, const std::string& name);
Halide::Func Upsample(const Halide::Func& f, const std::string& name);

// A Laplacian pyramid of the image with so many levels, put together again
// from what `change` makes of each level's details. It is given these and the
// level's number, as text for names.
Halide::Pipeline LaplacianPyramid(
    const ImageSize& size, int levels,
    absl::FunctionRef<Halide::Expr(const Halide::Func& details,
                                   const std::string& number)>
        change);

}  // namespace pruner

#endif  // TOOLS_BENCH_STENCIL_PARTS_H_
