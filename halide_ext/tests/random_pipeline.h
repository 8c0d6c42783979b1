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

// The inputs' elements must be integers from -kRandomInputBound to
// kRandomInputBound. Then all values are integers that fp32 holds exactly, in
// sums of any order, and every schedule must give the same results.
inline constexpr int kRandomInputBound = 3;

struct StageLimits {
  int least = 2, most = 6;
};

// So many stages (more with the tables of gathers): elementwise functions with
// broadcasting, stencils with several kinds of borders, reductions,
// contractions, strided and dilated windows, transpositions, gathers, changes
// of resolution, tuples, scans and several updates; ranks 0 to 4, extents from
// 1, one or several outputs. All fp32. The same pipeline, names included, for
// the same seed and number of stages. Inputs and outputs have bounds, or
// estimates; what is clamped and reduced is the same.
RandomPipeline MakeRandomPipeline(uint64_t seed, const StageLimits& stages = {},
                                  Sizes sizes = Sizes::kExact);

}  // namespace pruner

#endif  // HALIDE_EXT_TESTS_RANDOM_PIPELINE_H_
