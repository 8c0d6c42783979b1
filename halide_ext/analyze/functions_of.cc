#include "halide_ext/analyze/functions_of.h"

namespace pruner {

using Halide::Internal::Function;

std::vector<Function> OutputFunctions(const Halide::Pipeline& pipeline) {
  std::vector<Function> outputs;
  for (const Halide::Func& output : pipeline.outputs())
    outputs.push_back(output.function());
  return outputs;
}

std::map<std::string, Function> FunctionsOf(const Halide::Pipeline& pipeline) {
  return Halide::Internal::build_environment(OutputFunctions(pipeline));
}

}  // namespace pruner
