#include "pruner/features/psa_symbols.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "pruner/features/loop_moves.h"
#include "pruner/program/program.h"

namespace pruner {
namespace {

bool IsOfThread(const ProgramLoop& loop) {
  return loop.kind != LoopKind::kBlock && loop.kind != LoopKind::kThread;
}

// As the authors count: comparisons and calls are none. Integers are
// ours: a statement without operations counts as a copy.
double OpsOf(const Statement& statement) {
  const OpCounts& ops = statement.ops;
  return static_cast<double>(2 * ops.float_mad + ops.float_add + ops.float_mul +
                             ops.float_div + statement.integer_work.operations);
}

}  // namespace

const std::vector<PsaSymbols>& PsaExtractor::Extract(const Program& program) {
  program_ = &program;
  moves_.Compute(program);
  symbols_.clear();
  for (size_t s = 0; s < program.statements.size(); ++s) {
    if (IsBody(program, static_cast<int>(s)))
      symbols_.push_back(SymbolsOf(static_cast<int>(s)));
  }
  return symbols_;
}

PsaSymbols PsaExtractor::SymbolsOf(int s) {
  const Statement& statement = program_->statements[s];
  PsaSymbols symbols = {.statement = s};
  double per_thread = 1;
  for (int l = statement.loop; l >= 0; l = program_->loops[l].parent) {
    const ProgramLoop& loop = program_->loops[l];
    const auto extent = static_cast<double>(loop.extent);
    if (loop.kind == LoopKind::kBlock) symbols.blocks *= extent;
    if (loop.kind == LoopKind::kThread) symbols.threads *= extent;
    if (IsOfThread(loop)) per_thread *= extent;
  }
  symbols.thread_ops = OpsOf(statement) * per_thread;
  const double all_threads = symbols.threads * symbols.blocks;
  symbols.total_ops = symbols.thread_ops * all_threads;
  const Buffer& output =
      program_->buffers[program_->accesses[statement.first_access].buffer];
  if (symbols.thread_ops > 0) {
    for (int a = 0; a < statement.num_accesses; ++a) {
      const int access = statement.first_access + a;
      symbols.registers += Moved(statement, access, /*of_output=*/true);
      symbols.thread_reads += Moved(statement, access, /*of_output=*/false);
    }
  } else if (output.storage == Storage::kShared && statement.num_accesses > 1) {
    // The threads of a block fetch it together.
    symbols.shared_elements = static_cast<double>(output.elements);
    symbols.footprint =
        Moved(statement, statement.first_access + 1, /*of_output=*/true) *
        all_threads;
  } else {
    symbols.footprint = per_thread * all_threads;
  }
  if (statement.num_accesses > 1) {
    const Buffer& read =
        program_
            ->buffers[program_->accesses[statement.first_access + 1].buffer];
    if (read.num_dimensions > 0) {
      symbols.transaction = static_cast<double>(
          program_->dimensions[read.first_dimension + read.num_dimensions - 1]
              .extent);
    }
  }
  return symbols;
}

double PsaExtractor::Moved(const Statement& statement, int access,
                           bool of_output) const {
  double product = 1, vthreads = 1;
  bool moves_vthread = false;
  for (int l = statement.loop; l >= 0; l = program_->loops[l].parent) {
    const ProgramLoop& loop = program_->loops[l];
    if (!IsOfThread(loop)) continue;
    // Shares of a fused loop count by themselves.
    const double moves = MovesOf(statement, access, of_output, l);
    if (options_.compat_fused_vthread && loop.kind == LoopKind::kVThread) {
      vthreads *= static_cast<double>(loop.extent);
      moves_vthread |= moves > 1;
    } else {
      product *= moves;
    }
  }
  return moves_vthread ? product * vthreads : product;
}

double PsaExtractor::MovesOf(const Statement& statement, int access,
                             bool of_output, int loop) const {
  double moves = 1;
  for (const AxisMove& move : moves_.Of(statement.stage, loop)) {
    if (IsMoved(access, move) &&
        (!of_output || IsMoved(statement.first_access, move)))
      moves *= static_cast<double>(move.count);
  }
  return moves;
}

bool PsaExtractor::IsMoved(int access, const AxisMove& move) const {
  const ProgramAccess& a = program_->accesses[access];
  for (int t = 0; t < a.num_terms; ++t) {
    if (program_->terms[a.first_term + t].axis == move.axis) return true;
  }
  return false;
}

}  // namespace pruner
