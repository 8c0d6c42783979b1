// What the pipelines of the operator suite are made of. Sizes and indices are
// in Halide's order, innermost dimension first. All names are given, none made
// by Halide, so that a pipeline is the same each time it is built.
#ifndef TOOLS_BENCH_PIPELINE_PARTS_H_
#define TOOLS_BENCH_PIPELINE_PARTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "Halide.h"

namespace pruner {

using Indices = std::vector<Halide::Expr>;

// A pipeline with this output of exactly these sizes.
Halide::Pipeline WithOutput(const Halide::Func& out,
                            const std::vector<int>& sizes);

// Constant weights, laid out as models/ops does: those of one vector of output
// channels together, in the order in which the reduction reads them.
class PackedWeights {
 public:
  PackedWeights(int channels, const std::vector<int>& other_sizes, int lanes);

  Halide::Expr operator()(const Halide::Expr& channel,
                          const Indices& others) const;

 private:
  int lanes_;  // of a pack; 0: as it is
  Halide::ImageParam weights_;
};

// How one dimension of a tensor appears behind its padding.
struct Padding {
  int size = 1;   // of the tensor
  int zeros = 0;  // before its first element and behind its last
};

// A tensor surrounded by zeros: a Func "pad", or the tensor itself if no
// dimension has any. Index 0 is the first zero.
class PaddedPipelineInput {
 public:
  PaddedPipelineInput(const Halide::ImageParam& input,
                      const std::vector<Halide::Var>& vars,
                      const std::vector<Padding>& padding);

  Halide::Expr operator()(const Indices& indices) const;

 private:
  Halide::ImageParam input_;
  Halide::Func pad_;  // undefined where nothing is padded
};

}  // namespace pruner

#endif  // TOOLS_BENCH_PIPELINE_PARTS_H_
