// The names by which logs of format 1 know workloads and targets: hashes of how
// both were printed then. The printing is kept here, so that these logs can be
// converted whatever becomes of DAGs and targets.
#ifndef PRUNER_RECORD_LEGACY_KEYS_H_
#define PRUNER_RECORD_LEGACY_KEYS_H_

#include <cstdint>

#include "pruner/dag/compute_dag.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// Sees kinds and counts of operations, neither their order nor constants:
// different computations may have the same.
uint64_t LegacyWorkloadHash(const ComputeDag& dag);

// Covers everything but the measured rates.
uint64_t LegacyTargetFingerprint(const TargetSpec& target);

}  // namespace pruner

#endif  // PRUNER_RECORD_LEGACY_KEYS_H_
