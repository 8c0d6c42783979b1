// What a stage reads and computes with what is inlined in it.
#ifndef PRUNER_PROGRAM_FOLDED_READS_H_
#define PRUNER_PROGRAM_FOLDED_READS_H_

#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "pruner/dag/compute_dag.h"

namespace pruner {

// Whether indices move alike.
bool DifferInConstantsAlone(const IndexExpr& a, const IndexExpr& b);

// Reads of one stored stage whose indices differ in constants only.
struct FoldedRead {
  int stage = 0;
  bool by_initialization = false;
  bool is_opaque = false;  // some index depends on data
  int64_t count = 1;
  std::vector<IndexExpr> indices = {};  // with the least of the constants
  // By dimension: the largest constant less the least.
  std::vector<int64_t> spread = {};

  bool operator==(const FoldedRead&) const = default;
};

struct FoldedReads {
  std::vector<FoldedRead> reads;
  // Of the last definition.
  OpCounts ops;
  IntegerWork integer_work;
  WorkByAxis work;

  bool operator==(const FoldedReads&) const = default;
};

// By stage, given which are inlined. Every stage is looked at once: what is
// inlined at many places costs no more.
std::vector<FoldedReads> FoldReads(const ComputeDag& dag,
                                   absl::FunctionRef<bool(int)> is_inlined);

}  // namespace pruner

#endif  // PRUNER_PROGRAM_FOLDED_READS_H_
