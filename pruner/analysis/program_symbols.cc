#include "pruner/analysis/program_symbols.h"

#include <cstddef>

#include "pruner/base/factors.h"

namespace pruner {
namespace {

bool IsInsideParallel(const LoopState& state, int stage) {
  const StageState& s = state.stages[stage];
  if (s.location != ComputeLocation::kAt) return false;
  const std::vector<Iterator>& outer = state.stages[s.at_stage].iterators;
  for (int i = 0; i <= s.at_iterator; ++i) {
    if (outer[i].annotation == Annotation::kParallel) return true;
  }
  return IsInsideParallel(state, s.at_stage);
}

// Vectors of one execution of the loop.
int64_t Vectors(const Iterator& iterator, const TargetSpec& target) {
  if (iterator.annotation != Annotation::kVectorize) return iterator.extent;
  return CeilDiv(iterator.extent, VectorWidth(iterator.extent, target));
}

StageSymbols Extract(const LoopState& state, int i, const TargetSpec& target) {
  const StageState& stage = state.stages[i];
  StageSymbols symbols = {.parallel_extent = 1,
                          .blocks = 1,
                          .threads = 1,
                          .vthreads = 1,
                          .vector_elements = 1,
                          .unrolled_statements = 1};
  bool inside_reduction = false, unrolled = false;
  for (const Iterator& iterator : stage.iterators) {
    switch (iterator.annotation) {
      case Annotation::kNone:
        break;
      case Annotation::kParallel:
        symbols.parallel_extent *= iterator.extent;
        symbols.is_nested_parallel = IsInsideParallel(state, i);
        break;
      case Annotation::kVectorize:
        symbols.vector_elements *= iterator.extent;
        symbols.unrolled_statements *= Vectors(iterator, target);
        break;
      case Annotation::kUnroll:
        symbols.unrolled_statements *= iterator.extent;
        unrolled |= inside_reduction;
        break;
      case Annotation::kBlock:
        symbols.blocks *= iterator.extent;
        break;
      case Annotation::kThread:
        symbols.threads *= iterator.extent;
        break;
      case Annotation::kVThread:
        symbols.vthreads *= iterator.extent;
        symbols.unrolled_statements *= iterator.extent;
        unrolled |= inside_reduction;
        break;
    }
    if (iterator.kind == AxisKind::kReduction && iterator.extent > 1) {
      inside_reduction = true;
      symbols.accumulators = 1;
    } else if (inside_reduction) {
      symbols.accumulators *= Vectors(iterator, target);
    }
  }
  if (!unrolled) symbols.accumulators = 0;
  return symbols;
}

}  // namespace

int64_t VectorWidth(int64_t extent, const TargetSpec& target) {
  int64_t width = 1;
  while (width * 2 <= target.units.simd_lanes && extent % (width * 2) == 0) {
    width *= 2;
  }
  return width;
}

ProgramSymbols ExtractSymbols(const LoopState& state,
                              const TargetSpec& target) {
  ProgramSymbols symbols;
  for (int i = 0; i < state.dag->size(); ++i) {
    const bool absent = state.dag->stage(i).kind == StageKind::kPlaceholder ||
                        state.stages[i].location == ComputeLocation::kInlined;
    symbols.stages.push_back(absent ? StageSymbols{.is_absent = true}
                                    : Extract(state, i, target));
  }
  return symbols;
}

}  // namespace pruner
