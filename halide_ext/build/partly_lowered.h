// Halide's lowering of a scheduled pipeline as far as its bounds are known.
#ifndef HALIDE_EXT_BUILD_PARTLY_LOWERED_H_
#define HALIDE_EXT_BUILD_PARTLY_LOWERED_H_

#include <map>
#include <string>
#include <vector>

#include "Halide.h"

namespace pruner {

struct PartlyLowered {
  Halide::Internal::Stmt body;
  // The pipeline's Functions as they were lowered.
  std::vector<Halide::Internal::Function> outputs;
  std::map<std::string, Halide::Internal::Function> functions;  // by name
  std::vector<std::string> order;
  std::vector<std::vector<std::string>> fused_groups;
  Halide::Internal::FuncValueBounds bounds;
  bool any_memoized = false;
};

// Runs the passes of Halide 21's Lower.cpp, in its order and up to
// add_image_checks, on a copy of the pipeline; but for tracing. Throws what
// Halide throws.
PartlyLowered LowerUntilImageChecks(const Halide::Pipeline& scheduled,
                                    const Halide::Target& target);

// The passes that follow, through skip_stages. Of some bodies Halide 21's
// simplifier makes an endless recursion there, which ends the process.
void SkipStages(PartlyLowered& lowered);

}  // namespace pruner

#endif  // HALIDE_EXT_BUILD_PARTLY_LOWERED_H_
