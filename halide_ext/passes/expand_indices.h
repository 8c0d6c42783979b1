// Makes the loads and stores of an allocation comparable, and lists them.
#ifndef HALIDE_EXT_PASSES_EXPAND_INDICES_H_
#define HALIDE_EXT_PASSES_EXPAND_INDICES_H_

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "Halide.h"
#include "halide_ext/passes/let_values.h"
#include "halide_ext/passes/promotion_report.h"
#include "halide_ext/passes/thread_loop.h"

namespace pruner {

using ExprSet = std::set<Halide::Expr, Halide::Internal::IRDeepCompare>;

// The indices with which an allocation is loaded and stored.
struct ExpandedIndices {
  // The allocation's body, in which they have no lets: the variables in them
  // have one value as long as the allocation lives.
  Halide::Internal::Stmt body;
  // The loops over threads that enclose the allocation or are in it: inside or
  // outside, each thread has an allocation of its own, and is always the same.
  std::vector<ThreadLoop> threads;
  // Each index, with the conditions on threads under which it is used. A
  // condition is true or false for a thread, or cannot be told.
  std::map<Halide::Expr, ExprSet, Halide::Internal::IRDeepCompare> indices;
  // If set, there is no such body, and the other members mean nothing.
  std::optional<Refusal> refusal;
};

// `lets` and `threads` are those that enclose `allocation`.
ExpandedIndices ExpandIndices(const Halide::Internal::Allocate& allocation,
                              LetValues& lets,
                              const std::vector<ThreadLoop>& threads);

}  // namespace pruner

#endif  // HALIDE_EXT_PASSES_EXPAND_INDICES_H_
