#include "pruner/analysis/program_symbols.h"

#include <cstddef>

namespace pruner {
namespace {

// As what a statement whose lanes are masked counts. 512 of them in a row, of
// 16 lanes, take LLVM 5 to 12 s, others 0.8 s.
constexpr int64_t kMaskedStatements = 8;

// Adds a loop of the stage itself; from the innermost outwards.
void AddOwnLoop(const ProgramLoop& loop, StageSymbols& symbols) {
  switch (loop.kind) {
    case LoopKind::kSerial:
    case LoopKind::kUnrolled:
      break;
    case LoopKind::kParallel:
      symbols.parallel_extent *= loop.extent;
      break;
    case LoopKind::kVectorized:
      symbols.vector_elements *= loop.extent;
      break;
    case LoopKind::kBlock:
      symbols.blocks *= loop.extent;
      break;
    case LoopKind::kThread:
      symbols.threads *= loop.extent;
      symbols.has_threads = true;
      break;
    case LoopKind::kVThread:
      symbols.vthreads *= loop.extent;
      break;
  }
  if (!loop.is_reduction && loop.kind != LoopKind::kBlock &&
      loop.kind != LoopKind::kThread) {
    symbols.thread_elements *= loop.extent;
  }
}

StageSymbols Extract(const Program& program, int stage) {
  StageSymbols symbols = {.parallel_extent = 1,
                          .blocks = 1,
                          .threads = 1,
                          .vthreads = 1,
                          .vector_elements = 1,
                          .unrolled_statements = 1,
                          .thread_elements = 1,
                          .region_elements = 1,
                          .executions = 1};
  int64_t inside = 1;  // vectors inside the innermost reduction loop
  bool is_inside = true, is_unrolled = false;
  int parallel_loops = 0;
  bool is_parallel = false;
  const Statement& body = program.statements[program.stages[stage].body];
  for (int l = body.loop; l >= 0; l = program.loops[l].parent) {
    const ProgramLoop& loop = program.loops[l];
    if (IsUnrolled(loop.kind)) symbols.unrolled_statements *= loop.extent;
    if (loop.kind == LoopKind::kVectorized && loop.overruns)
      symbols.unrolled_statements *= kMaskedStatements;
    if (loop.kind == LoopKind::kParallel) ++parallel_loops;
    if (loop.stage != stage) continue;
    is_parallel |= loop.kind == LoopKind::kParallel;
    AddOwnLoop(loop, symbols);
    if (is_inside && loop.is_reduction) {
      is_inside = false;
      symbols.accumulators = is_unrolled ? inside : 0;
    }
    if (loop.kind != LoopKind::kVectorized) inside *= loop.extent;
    is_unrolled |= IsUnrolled(loop.kind);
  }
  symbols.is_nested_parallel = is_parallel && parallel_loops > 1;
  const Buffer& buffer = program.buffers[program.stages[stage].buffer];
  symbols.region_elements = buffer.elements;
  symbols.executions = ExecutionsInside(program, buffer.loop);
  return symbols;
}

}  // namespace

void ExtractSymbols(const Program& program, ProgramSymbols& symbols) {
  symbols.stages.clear();
  for (size_t i = 0; i < program.stages.size(); ++i) {
    symbols.stages.push_back(program.stages[i].is_absent
                                 ? StageSymbols{.is_absent = true}
                                 : Extract(program, static_cast<int>(i)));
  }
}

}  // namespace pruner
