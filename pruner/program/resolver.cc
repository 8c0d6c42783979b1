#include "pruner/program/resolver.h"

#include "pruner/program/emitter.h"

namespace pruner {

void Resolver::Resolve(const Structure& structure,
                       absl::Span<const int64_t> numbers, Program& program) {
  program.Clear();
  program.dag = structure.dag;
  program.stages.resize(structure.stages.size());
  values_.Compute(structure, numbers, program);
  Emitter(structure, numbers, target_, values_, program).EmitAll();
}

}  // namespace pruner
