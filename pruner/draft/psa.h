// PSA, Pruner's analytic draft model: the time of a program from its symbols
// and the hardware's, without having measured anything (docs/algorithms.md B2;
// Pruner's paper, "parameterized static analyzer").
#ifndef PRUNER_DRAFT_PSA_H_
#define PRUNER_DRAFT_PSA_H_

#include <cstdint>

#include "pruner/draft/draft_model.h"
#include "pruner/features/psa_symbols.h"
#include "pruner/program/program.h"
#include "pruner/target/target_spec.h"

namespace pruner {

struct PsaOptions {
  PsaSymbolOptions symbols = {};
  // Bytes instead of elements are moved. The authors' code counts elements,
  // which acts like a discount for what is in the last cache.
  bool memory_bytes = false;
  // Memory is moved in transactions of so many elements, of which the last may
  // be partly of use; 0: as much as is asked for.
  int64_t transaction_elements = 0;
  // Shared buffers beyond the limit slow a block down.
  bool shared_limit = false;
  // Kernels of a single stage that adds nothing up take time for each block
  // that they start, and for what each thread does before it computes anything
  // (docs/algorithms.md B2, ours).
  bool starts = false;
  // Penalties and terms, off for an ablation.
  bool compute = true;         // the operations' time at all
  bool memory = true;          // the memory's
  bool intensity = true;       // alpha: few operations for each access
  bool register_limit = true;  // more elements than registers
  bool warps = true;           // threads that do not fill warps
  bool parallelism = true;     // blocks and warps that do not fill the device
};

// Of targets with threads. Thread-safe: each call has its own memory.
class Psa : public DraftModel {
 public:
  explicit Psa(const PsaOptions& options = {}) : options_(options) {}

  // The inverse of the estimated milliseconds; 0 where nothing is computed.
  double Score(const Program& program, const TargetSpec& target) const override;

  // Of one statement, in milliseconds.
  double Latency(const PsaSymbols& symbols, const TargetSpec& target) const;

 private:
  double ComputeLatency(const PsaSymbols& symbols,
                        const TargetSpec& target) const;
  double MemoryLatency(const PsaSymbols& symbols,
                       const TargetSpec& target) const;
  // Of a kernel's blocks and threads.
  static double StartLatency(const PsaSymbols& symbols,
                             const TargetSpec& target);

  const PsaOptions options_;
};

}  // namespace pruner

#endif  // PRUNER_DRAFT_PSA_H_
