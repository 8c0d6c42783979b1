#include "pruner/program/resolver.h"

#include "pruner/program/emitter.h"

namespace pruner {

namespace {

void Begin(const Structure& structure, Program& program) {
  program.Clear();
  program.task = structure.task;
  program.dag = structure.dag;
  program.stages.resize(structure.stages.size());
}

}  // namespace

void Resolver::Resolve(const Structure& structure,
                       absl::Span<const int64_t> numbers, Program& program) {
  Begin(structure, program);
  values_.Compute(structure, numbers, program);
  Emit(structure, numbers, program);
}

void Resolver::ComputeLoops(Structure& structure,
                            absl::Span<const int64_t> numbers,
                            LateSteps& late_steps, Program& program) {
  Begin(structure, program);
  values_.Compute(structure, numbers, late_steps, program);
}

void Resolver::Emit(const Structure& structure,
                    absl::Span<const int64_t> numbers, Program& program) {
  Emitter(structure, numbers, target_, values_, program).EmitAll();
}

}  // namespace pruner
