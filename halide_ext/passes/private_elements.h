// The elements of an allocation that each thread of a GPU block has to itself.
#ifndef HALIDE_EXT_PASSES_PRIVATE_ELEMENTS_H_
#define HALIDE_EXT_PASSES_PRIVATE_ELEMENTS_H_

#include <map>
#include <optional>
#include <string>

#include "Halide.h"
#include "halide_ext/passes/expand_indices.h"
#include "halide_ext/passes/promotion_report.h"

namespace pruner {

struct PrivateElements {
  // For each index what to use instead, a constant or a dense ramp, when each
  // thread has only its own elements. They keep their order.
  std::map<Halide::Expr, Halide::Expr, Halide::Internal::IRDeepCompare> indices;
  int count = 0;  // how many elements that are
  // Whether the thread mattered. If not, there is nothing to gain.
  bool thread_dependent = false;
  // If set, the other members mean nothing.
  std::optional<Refusal> refusal;
};

// Shows that all indices are base(thread) + c with one base and constants c,
// and that threads of one block which differ have no element in common.
PrivateElements FindPrivateElements(const std::string& allocation,
                                    const ExpandedIndices& expanded);

}  // namespace pruner

#endif  // HALIDE_EXT_PASSES_PRIVATE_ELEMENTS_H_
