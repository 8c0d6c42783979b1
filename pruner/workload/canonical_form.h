// A computation as bytes that are the same for the same computation.
#ifndef PRUNER_WORKLOAD_CANONICAL_FORM_H_
#define PRUNER_WORKLOAD_CANONICAL_FORM_H_

#include <cstdint>
#include <string>

#include "pruner/dag/compute_dag.h"

namespace pruner {

// The first byte of the form. Another one is another key for everything, and
// records of before are not found any more: only for what cannot be said in the
// form as it is.
inline constexpr uint8_t kCanonicalVersion = 1;

// What counts: shapes, element types, the operations of every definition with
// their operands in order, constants, the contents of tables, which stages are
// outputs, the order of the stages, whether inputs may be of any size, what is
// scheduled already. What does not: names, and what the analysis concludes from
// the definitions (how indices move, which loops may be split), so that a
// better analysis finds the
// records of an earlier one. Never parsed.
//
// A stage without definitions, as tests make them, counts by its reads and its
// operations' numbers.
std::string CanonicalForm(const ComputeDag& dag);

}  // namespace pruner

#endif  // PRUNER_WORKLOAD_CANONICAL_FORM_H_
