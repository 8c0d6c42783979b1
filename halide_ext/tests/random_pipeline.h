// Random pipelines for tests that nothing on the way from a pipeline to a
// running kernel depends on what pipelines usually look like.
#ifndef HALIDE_EXT_TESTS_RANDOM_PIPELINE_H_
#define HALIDE_EXT_TESTS_RANDOM_PIPELINE_H_

#include <cstdint>
#include <string>

#include "Halide.h"
#include "halide_ext/analyze/definitions.h"

namespace pruner {

struct RandomPipeline {
  Halide::Pipeline pipeline;
  std::string text;  // its definitions, a line each
};

// The elements of inputs of floats must be integers from -kRandomInputBound to
// kRandomInputBound; those of integers may be any. Then all values are integers
// that their types hold exactly, or that wrap, in sums of any order, and every
// schedule must give the same results.
inline constexpr int kRandomInputBound = 3;

struct StageLimits {
  int least = 2, most = 6;
};

struct RandomPipelineOptions {
  StageLimits stages;
  Sizes sizes = Sizes::kExact;
  // Whether some elements are floats of 16 bits, which few devices have, or
  // bools: Halide's OpenCL takes -1 for true in vectors of them.
  bool has_rare_types = true;
};

// So many stages (more with the tables of gathers): elementwise functions with
// broadcasting, stencils with several kinds of borders, reductions,
// contractions, strided and dilated windows, transpositions, gathers, changes
// of resolution, tuples, scans and several updates; ranks 0 to 4, extents from
// 1, one or several outputs. The same pipeline, names included, for the same
// seed and options. Inputs and outputs have bounds, and all is fp32, as in
// networks; or they have estimates, and elements have any types, there are
// histograms, and numbers that are given at run time.
RandomPipeline MakeRandomPipeline(uint64_t seed,
                                  const RandomPipelineOptions& options = {});

}  // namespace pruner

#endif  // HALIDE_EXT_TESTS_RANDOM_PIPELINE_H_
