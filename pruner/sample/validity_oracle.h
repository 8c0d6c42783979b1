// The interface of what knows whether candidates can be measured, without
// measuring them: rules of an accelerator, an assembler, a compiler
// (docs/algorithms.md C2).
#ifndef PRUNER_SAMPLE_VALIDITY_ORACLE_H_
#define PRUNER_SAMPLE_VALIDITY_ORACLE_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/sketch/candidate.h"

namespace pruner {

// Belongs to one search space. Not thread-safe; may itself work on several at a
// time, for which it is asked about many.
class ValidityOracle {
 public:
  virtual ~ValidityOracle() = default;

  // Of each candidate, in order; they are complete and within the space's
  // limits. The answer about a candidate is the same each time. Error: it
  // cannot be told, as where there is no assembler.
  virtual absl::StatusOr<std::vector<bool>> AreValid(
      absl::Span<const Candidate> candidates) = 0;
};

}  // namespace pruner

#endif  // PRUNER_SAMPLE_VALIDITY_ORACLE_H_
