#include "Halide.h"

namespace {

using Halide::Func;
using Halide::Pipeline;
using Halide::Target;

// Every output runs parallel over its outermost dimension and vectorized over
// its innermost one.
void Schedule(const Pipeline& pipeline, const Target& target,
              const Halide::AutoschedulerParams& params,
              Halide::AutoSchedulerResults* results) {
  for (Func output : pipeline.outputs()) {
    const int lanes = target.natural_vector_size(output.type());
    output.vectorize(output.args().front(), lanes,
                     Halide::TailStrategy::GuardWithIf);
    if (output.args().size() > 1) output.parallel(output.args().back());
  }
  results->target = target;
  results->autoscheduler_params = params;
  results->schedule_source = "// Toy: vectorize and parallel\n";
}

// Loading the plugin registers it.
[[maybe_unused]] const bool kRegistered = [] {
  Pipeline::add_autoscheduler("Toy", Schedule);
  return true;
}();

}  // namespace
